import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Address, cidrText, parseAddress } from '../../../../server/base/address.ts';
import { createRanges, type Range } from '../../../../server/ip/core/ranges.ts';

const at = (text: string) => parseAddress(text) as Address;
const toWords = (value: bigint, words: 1 | 4) =>
  Array.from({ length: words }, (_, i) => Number((value >> BigInt(32 * (words - 1 - i))) & 0xffffffffn));
const toAddress = (value: bigint, words: 1 | 4): Address => {
  const bytes = new Uint8Array(4 * words);
  for (let i = bytes.length - 1, rest = value; i >= 0; i--, rest >>= 8n) bytes[i] = Number(rest & 255n);
  return { bytes };
};

for (const words of [1, 4] as const) {
  const bits = 32 * words;
  // Small steps, so that ranges touch, and large ones, so that all words take part.
  const steps = fc.array(fc.tuple(fc.bigInt(0n, 3n), fc.bigInt(0n, 1n << BigInt(bits - 5)), fc.boolean()), {
    minLength: 1,
    maxLength: 20,
  });

  test(`${words} word(s): a find is what a look at every range gives, and its prefix is the widest inside`, () => {
    fc.assert(
      fc.property(
        steps,
        fc.array(fc.bigInt(0n, (1n << BigInt(bits)) - 1n), { maxLength: 10 }),
        (jumps, asked) => {
          let next = 0n;
          const plain: { first: bigint; last: bigint; number: number }[] = [];
          for (const [gap, size, isSmall] of jumps) {
            const first = next + gap;
            const last = first + (isSmall ? size & 7n : size);
            if (last >= 1n << BigInt(bits)) break;
            plain.push({ first, last, number: plain.length + 1 });
            next = last + 1n;
          }
          fc.pre(plain.length > 0);
          const ranges = createRanges(
            plain.map(({ first, last, number }) => ({
              first: toWords(first, words),
              last: toWords(last, words),
              number,
            })),
            words,
          );
          const edges = plain.flatMap(({ first, last }) => [first, last, first - 1n, last + 1n]);
          for (const value of [...asked, ...edges]) {
            if (value < 0n || value >= 1n << BigInt(bits)) continue;
            const expected = plain.find(({ first, last }) => first <= value && value <= last);
            const found = ranges.find(toAddress(value, words));
            assert.equal(found?.number, expected?.number);
            if (!found || !expected) continue;
            const holds = (prefix: number) => {
              const hosts = (1n << BigInt(bits - prefix)) - 1n;
              return (value & ~hosts) >= expected.first && (value | hosts) <= expected.last;
            };
            assert.ok(holds(found.prefixBits));
            if (found.prefixBits > 0) assert.ok(!holds(found.prefixBits - 1));
          }
        },
      ),
      { numRuns: 300 },
    );
  });
}

const wordOf = (text: string) => at(text).bytes.reduce((sum, byte) => sum * 256 + byte, 0);
const rangeOf = (first: string, last: string, number: number): Range => ({
  first: [wordOf(first)],
  last: [wordOf(last)],
  number,
});

test('of two ranges that overlap, the later one begins where it says', () => {
  const ranges = createRanges(
    [rangeOf('10.0.0.0', '10.0.0.255', 1), rangeOf('10.0.0.128', '10.0.1.255', 2)],
    1,
  );
  assert.equal(ranges.find(at('10.0.0.127'))?.number, 1);
  assert.equal(ranges.find(at('10.0.0.128'))?.number, 2);
  assert.equal(cidrText(at('10.0.0.5'), ranges.find(at('10.0.0.5'))?.prefixBits ?? 0), '10.0.0.0/25');
});

test('ranges out of order, and one that ends before it begins, are refused', () => {
  assert.throws(
    () => createRanges([rangeOf('10.0.1.0', '10.0.1.9', 1), rangeOf('10.0.0.0', '10.0.0.9', 2)], 1),
    {
      name: 'RangeError',
    },
  );
  assert.throws(() => createRanges([rangeOf('10.0.1.9', '10.0.1.0', 1)], 1), { name: 'RangeError' });
});

test('an address of the other family is in none', () => {
  assert.equal(createRanges([rangeOf('0.0.0.0', '255.255.255.255', 1)], 1).find(at('::1')), null);
});
