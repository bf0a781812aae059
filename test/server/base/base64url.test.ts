import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeBase64url, encodeBase64url, readBase64url } from '../../../server/base/base64url.ts';
import { fromHex, readVectors, toHex } from '../../vectors/read.ts';

const vectors = readVectors<{ bytes: string; text: string }>('rfc4648-base64url.json');

test('the vectors of RFC 4648 hold both ways', () => {
  for (const { bytes, text } of vectors) {
    assert.equal(encodeBase64url(fromHex(bytes)), text);
    assert.equal(toHex(decodeBase64url(text) as Uint8Array), bytes);
  }
});

test('any bytes give the text that Buffer gives, and come back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 120 }), (bytes) => {
      const text = encodeBase64url(bytes);
      assert.equal(text, Buffer.from(bytes).toString('base64url'));
      assert.deepEqual(decodeBase64url(text), bytes);
    }),
  );
});

test('whatever text is decoded is the one text of its bytes', () => {
  const character = fc.constantFrom(...'ABab09-_+/= \né');
  fc.assert(
    fc.property(fc.string({ unit: character, maxLength: 12 }), (text) => {
      const bytes = decodeBase64url(text);
      if (bytes) assert.equal(encodeBase64url(bytes), text);
    }),
  );
});

for (const [text, fault] of [
  ['Zg==', 'padding'],
  ['Zh', 'a spare bit that is set (one byte)'],
  ['Zm9', 'a spare bit that is set (two bytes)'],
  ['Zm9vY', 'a length of 1 modulo 4'],
  ['Zm+v', 'the alphabet of base64'],
  ['Zm9v\n', 'a line break'],
  ['Zm9é', 'a character beyond ASCII'],
]) {
  test(`refused: ${fault}`, () => assert.equal(decodeBase64url(text), null));
}

test('a foreign character is refused at every place, also one whose low bits are those of a good one', () => {
  for (const length of [2, 3, 4, 6, 7, 8, 115]) {
    for (let i = 0; i < length; i++) {
      for (const foreign of ['+', '/', '=', ' ', '\0', '\u007f', '\u0080', '\u0141', '\u2041', '\uff21']) {
        const text = `${'A'.repeat(i)}${foreign}${'A'.repeat(length - i - 1)}`;
        assert.equal(decodeBase64url(text), null, JSON.stringify(text));
      }
    }
  }
});

test('a text is read into an array of its own size only', () => {
  const bytes = new Uint8Array(3);
  assert.equal(readBase64url('AQID', bytes), true);
  assert.deepEqual(bytes, Uint8Array.of(1, 2, 3));
  for (const text of ['', 'AQ', 'AQI', 'AQIDA', 'AQIDBA', 'AQIDBAUG', 'AQ=='])
    assert.equal(readBase64url(text, bytes), false, text);
});
