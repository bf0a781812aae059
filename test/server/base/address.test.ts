import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseAddress } from '../../../server/base/address.ts';

const hexOf = (text: string) => {
  const address = parseAddress(text);
  return address && Buffer.from(address.bytes).toString('hex');
};

for (const [text, hex] of [
  ['192.0.2.1', 'c0000201'],
  ['::', '0'.repeat(32)],
  ['::1', `${'0'.repeat(31)}1`],
  ['2001:db8::8:800:200c:417a', '20010db80000000000080800200c417a'],
  ['2001:DB8:0:0:8:800:200C:417A', '20010db80000000000080800200c417a'],
  ['64:ff9b::192.0.2.33', '0064ff9b0000000000000000c0000221'],
  ['1::', `0001${'0'.repeat(28)}`],
]) {
  test(`${text} has its bytes`, () => assert.equal(hexOf(text), hex));
}

test('an IPv4-mapped address is the IPv4 address', () => {
  assert.equal(hexOf('::ffff:192.0.2.1'), 'c0000201');
  assert.equal(hexOf('::ffff:c000:201'), 'c0000201');
});

for (const text of [
  '',
  ' ',
  '1.2.3',
  '127.1',
  '010.1.1.1',
  '1.2.3.4.5',
  '256.1.1.1',
  '0x7f.0.0.1',
  '1.2.3.4 ',
  '1.2.3.4/8',
  '1.2.3.4:80',
  'fe80::1%eth0',
  '[::1]',
  '::1/64',
  ':::',
  '1::2::3',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '1:2:3:4:5:6:7::8',
  '12345::',
  '::1.2.3',
  '::1.2.3.4:5',
  '1.2.3.4::',
  'localhost',
  '::ffff:1.2.3.04',
]) {
  test(`refused: ${JSON.stringify(text)}`, () => assert.equal(parseAddress(text), null));
}

test('what is an address, node:net says too (zone ids apart)', () => {
  const seeds = [
    '1.2.3.4',
    '::1',
    '::ffff:1.2.3.4',
    '1:2:3:4:5:6:7:8',
    '1::8',
    '::2:3:4:5:6:7:8',
    '1:2:3:4:5:6:1.2.3.4',
  ];
  const edit = fc.tuple(
    fc.nat({ max: 20 }),
    fc.nat({ max: 2 }),
    fc.constantFrom('0', '9', 'f', ':', '.', '::', '25'),
  );
  fc.assert(
    fc.property(fc.constantFrom(...seeds), fc.array(edit, { maxLength: 4 }), (seed, edits) => {
      const text = edits.reduce(
        (kept, [at, cut, put]) => kept.slice(0, at) + put + kept.slice(at + cut),
        seed,
      );
      assert.equal(parseAddress(text) !== null, isIP(text) !== 0, text);
    }),
    { numRuns: 5_000 },
  );
});

test('the bytes of an IPv6 address write the address that the URL parser reads', () => {
  const canonical = (host: string) => new URL(`http://[${host}]/`).hostname;
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      const bytes = parseAddress(text)?.bytes as Uint8Array;
      if (bytes.length === 4) return;
      const full = Array.from({ length: 8 }, (_, i) =>
        ((bytes[2 * i] << 8) | bytes[2 * i + 1]).toString(16),
      ).join(':');
      assert.equal(canonical(full), canonical(text));
    }),
  );
});

test('IPv4 is four decimal octets without leading zeros, and nothing else', () => {
  const piece = fc.constantFrom(
    '0',
    '1',
    '9',
    '25',
    '255',
    '256',
    '.',
    '.',
    '.',
    '00',
    '-',
    '+',
    ' ',
    'a',
    '٣',
    '1e1',
  );
  const octet = '(?:0|[1-9][0-9]{0,2})';
  const pattern = new RegExp(`^${octet}(?:\\.${octet}){3}$`);
  const asked = fc.oneof(
    fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join('')),
    fc.array(fc.nat(300), { minLength: 3, maxLength: 5 }).map((octets) => octets.join('.')),
  );
  fc.assert(
    fc.property(asked, (text) => {
      const octets = text.split('.').map(Number);
      const expected = pattern.test(text) && octets.every((value) => value < 256) ? octets : null;
      assert.deepEqual(parseAddress(text) && [...(parseAddress(text)?.bytes ?? [])], expected);
    }),
    { numRuns: 3_000 },
  );
});
