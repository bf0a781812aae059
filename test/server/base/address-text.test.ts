import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalText, cidrText, parseAddress } from '../../../server/base/address.ts';

// Runs of zeros are where the rules are: random bytes have hardly any.
const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).chain((drawn) =>
    fc.array(fc.nat(length - 1), { maxLength: length }).map((zeroed) => {
      const some = drawn.slice();
      for (const at of zeroed) some[at] = 0;
      return some;
    }),
  );

test('the text of an IPv6 address is that of the WHATWG URL parser, which serialises as RFC 5952 says', () => {
  fc.assert(
    fc.property(bytes(16), (drawn) => {
      const plain = Array.from({ length: 8 }, (_, i) =>
        ((drawn[2 * i] << 8) | drawn[2 * i + 1]).toString(16),
      );
      const [, expected] = /^\[(.*)\]$/.exec(new URL(`http://[${plain.join(':')}]/`).hostname) ?? [];
      assert.equal(canonicalText({ bytes: drawn }), expected);
    }),
    { numRuns: 2_000 },
  );
});

for (const length of [4, 16]) {
  test(`a CIDR of ${length} bytes begins where the host bits are zero, and reads back as its first address`, () => {
    fc.assert(
      fc.property(bytes(length), fc.nat(length * 8), (drawn, prefix) => {
        const value = drawn.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
        const hostBits = BigInt(length * 8 - prefix);
        const first = (value >> hostBits) << hostBits;
        const [text, bits] = cidrText({ bytes: drawn }, prefix).split('/');
        assert.equal(Number(bits), prefix);
        const read = parseAddress(text)?.bytes ?? new Uint8Array();
        // An IPv4-mapped one reads as the IPv4 address that it is.
        const padded =
          length === 16 && read.length === 4
            ? Uint8Array.of(...new Array(10).fill(0), 255, 255, ...read)
            : read;
        assert.equal(
          padded.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n),
          first,
        );
      }),
      { numRuns: 1_000 },
    );
  });
}
