import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatChance,
  formatCount,
  formatCountdown,
  formatDuration,
  formatEstimate,
  formatRate,
} from '../../../browser/pages/format.ts';

const walk = <T>(format: (value: T) => unknown, cases: [T, unknown][]) => {
  for (const [value, expected] of cases) assert.equal(format(value), expected, `of ${String(value)}`);
};

test('a count has the group separators of its locale', () => {
  assert.equal(formatCount(1_048_576, 'en'), '1,048,576');
  assert.equal(formatCount(1_048_576, 'de'), '1.048.576');
});

test('a rate is in words and keeps three digits, so that its width holds still', () => {
  walk(
    (n: number) => formatRate(n, 'en'),
    [
      [0, '0 hashes/s'],
      [950, '950 hashes/s'],
      [4_200, '4.20 thousand hashes/s'],
      [840_400, '840 thousand hashes/s'],
      [12_430_000, '12.4 million hashes/s'],
      [10_000_000, '10.0 million hashes/s'],
      [1_240_000_000, '1.24 billion hashes/s'],
    ],
  );
  assert.equal(formatRate(12_430_000, 'de'), '12,4 Millionen Hashes/s');
});

test('a chance is rounded down and never certain', () => {
  walk(
    (p: number) => formatChance(p, 'en'),
    [
      [0, '0%'],
      [0.429, '42%'],
      [0.9999, '99%'],
      [1, '99%'],
      [-0.1, '0%'],
    ],
  );
});

test('a duration is as fine as it is short', () => {
  walk(
    (ms: number) => formatDuration(ms, 'en'),
    [
      [0, '0.01 seconds'],
      [84, '0.08 seconds'],
      [999, '1 second'],
      [1_440, '1.4 seconds'],
      [9_990, '10 seconds'],
      [59_400, '59 seconds'],
      [59_900, '1 minute'],
      [125_000, '2 minutes 5 seconds'],
    ],
  );
  assert.equal(formatDuration(84, 'de'), '0,08 Sekunden');
});

test('an estimate is coarse, never zero, and null where nothing is known', () => {
  walk(
    (secs: number) => formatEstimate(secs, 'en'),
    [
      [0, '1 second'],
      [2.1, '3 seconds'],
      [60, '1 minute'],
      [60.5, '2 minutes'],
      [75, '2 minutes'],
      [4_000, '2 hours'],
      [Number.POSITIVE_INFINITY, null],
      [Number.NaN, null],
      [-1, null],
    ],
  );
});

test('a countdown begins full and shows zero only at the end', () => {
  walk(formatCountdown, [
    [1_800_000, '30:00'],
    [1_799_999, '30:00'],
    [61_000, '01:01'],
    [1, '00:01'],
    [0, '00:00'],
    [-5_000, '00:00'],
    [3_900_000, '1:05:00'],
  ]);
});
