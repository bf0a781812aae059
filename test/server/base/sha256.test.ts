import assert from 'node:assert/strict';
import { createHmac, hash, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { prepareHmacSha256, sha256 } from '../../../server/base/sha256.ts';
import { fromHex, readVectors, toHex } from '../../vectors/read.ts';
import { SHA256_VECTORS } from '../../vectors/sha256.ts';

// Up to five blocks and over: every place where the padding falls into a block of its own, more than once.
const LONGEST_BYTES = 300;
const DRAWS = 333;

describe('SHA-256', () => {
  for (const { source, message, digest } of SHA256_VECTORS) {
    test(`of ${source}`, () => assert.equal(toHex(sha256(message)), digest));
  }

  test('is that of node:crypto for random messages of every length', () => {
    for (let length = 0; length <= LONGEST_BYTES; length++) {
      const drawn = randomBytes(DRAWS * length);
      for (let draw = 0; draw < DRAWS; draw++) {
        const message = drawn.subarray(draw * length, (draw + 1) * length);
        if (toHex(sha256(message)) !== hash('sha256', message, 'hex')) assert.fail(toHex(message));
      }
    }
  });

  test('leaves the message as it was, and earlier digests as they were given', () => {
    const message = Uint8Array.from({ length: 200 }, (_, i) => i);
    const before = message.slice();
    const digest = sha256(message);
    const given = digest.slice();
    sha256(Uint8Array.of(1, 2, 3));
    assert.deepEqual([message, digest], [before, given]);
  });
});

describe('HMAC-SHA-256', () => {
  for (const { section, key, data, tag } of readVectors<Record<string, string>>('rfc4231-hmac-sha256.json')) {
    test(`of RFC 4231 §${section}`, () => {
      assert.equal(toHex(prepareHmacSha256(fromHex(key))(fromHex(data))), tag);
    });
  }

  test('is that of node:crypto for random keys and messages of every length', () => {
    for (let length = 0; length <= LONGEST_BYTES; length++) {
      for (const keyBytes of [32, length, 300 - length]) {
        const key = randomBytes(keyBytes);
        const tagOf = prepareHmacSha256(key);
        const drawn = randomBytes((DRAWS * length) / 3);
        for (let at = 0; at + length <= drawn.length && length > 0; at += length) {
          const message = drawn.subarray(at, at + length);
          const expected = createHmac('sha256', key).update(message).digest('hex');
          if (toHex(tagOf(message)) !== expected) assert.fail(`key ${toHex(key)}, message ${toHex(message)}`);
        }
        assert.equal(
          toHex(tagOf(new Uint8Array(0))),
          createHmac('sha256', key).digest('hex'),
          `no message, key of ${keyBytes}`,
        );
      }
    }
  });

  test('covers the first bytes where a length is given, and knows nothing of the rest', () => {
    const tagOf = prepareHmacSha256(randomBytes(32));
    const message = randomBytes(150);
    for (let length = 0; length <= message.length; length++) {
      assert.deepEqual(tagOf(message, length), tagOf(message.subarray(0, length)), `${length} bytes`);
    }
  });

  test('of keys that take turns is that of each alone: nothing of one call is left for the next', () => {
    const keys = [randomBytes(32), randomBytes(100), new Uint8Array(0)];
    const tagsOf = keys.map(prepareHmacSha256);
    const messages = [randomBytes(54), new Uint8Array(0), randomBytes(39), randomBytes(130)];
    for (const message of messages) {
      for (const [i, tagOf] of tagsOf.entries()) {
        const expected = createHmac('sha256', keys[i]).update(message).digest('hex');
        assert.equal(toHex(tagOf(message)), expected, `key ${i}`);
      }
    }
  });

  test('keeps to the key as it was when it was prepared', () => {
    const key = randomBytes(32);
    const tagOf = prepareHmacSha256(key);
    const before = tagOf(Uint8Array.of(1));
    key.fill(0);
    assert.deepEqual(tagOf(Uint8Array.of(1)), before);
  });
});
