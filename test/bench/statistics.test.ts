import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitExponent, median, ratioOf, summarise } from '../../bench/statistics.ts';

test('a median is the middle sample, or the mean of the two middle ones', () => {
  assert.equal(median([7]), 7);
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(median([4, 1, 3, 2]), 2.5);
  // Sorted as text, 10 would stand before 9.
  assert.equal(median([10, 9, 8]), 9);
});

test('a median of nothing is refused', () => {
  assert.throws(() => median([]), RangeError);
});

test('a summary holds median and range, and leaves its input as it was', () => {
  const samples = [30, 10, 20];
  assert.deepEqual(summarise(samples), { median: 20, least: 10, most: 30 });
  assert.deepEqual(samples, [30, 10, 20]);
});

test('a ratio is taken round by round: a slow spell of the machine leaves it', () => {
  assert.deepEqual(ratioOf([50, 5, 40], [100, 10, 80]), { median: 0.5, least: 0.5, most: 0.5 });
});

test('a ratio of unequal counts is refused', () => {
  assert.throws(() => ratioOf([1, 2], [1]), RangeError);
});

test('the exponent of a power law is found again', () => {
  const sizes = [10, 100, 1_000];
  for (const exponent of [0, 0.5, 1, 2]) {
    const values = sizes.map((size) => 3 * size ** exponent);
    assert.ok(Math.abs(fitExponent(sizes, values) - exponent) < 1e-9);
  }
});
