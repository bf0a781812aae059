import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readChunk, writeChunk } from '../../../../server/store/search/chunk-codec.ts';

// Terms that share half of a surrogate pair with the one before them are the trap.
const unit = fc.constantFrom('a', 'b', 'é', '漢', '😀', '😁', '𐐷', '\u0001', '\u0002', 'z'.repeat(20));

test('a chunk of the vocabulary comes back as it was written', () => {
  const terms = fc.uniqueArray(fc.string({ unit, minLength: 1, maxLength: 8 }), { maxLength: 60 });
  fc.assert(
    fc.property(terms, fc.array(fc.nat(0xffff_ffff), { minLength: 60, maxLength: 60 }), (some, numbers) => {
      const sorted = some.toSorted((a, b) => (a < b ? -1 : 1));
      const chunk = {
        terms: sorted,
        numbers: numbers.slice(0, sorted.length),
        classes: numbers.slice(0, sorted.length).map((number) => number % 16),
      };
      assert.deepEqual(readChunk(writeChunk(chunk)), chunk);
    }),
  );
});
