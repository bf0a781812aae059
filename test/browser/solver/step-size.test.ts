import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_STEP_TRIES, nextStepTries } from '../../../browser/solver/step-size.ts';

/** Step sizes of a device that makes `perMs` tries a millisecond, on a clock that ticks every `tickMs`. */
function settle(perMs: number, tickMs: number): number[] {
  const sizes = [FIRST_STEP_TRIES];
  for (let i = 0; i < 20; i++) {
    const elapsedMs = Math.floor(sizes[i] / perMs / tickMs) * tickMs;
    sizes.push(nextStepTries(sizes[i], elapsedMs));
  }
  return sizes;
}

for (const perMs of [5, 50, 1000, 17_500]) {
  test(`settles near 50 ms at ${perMs} tries per millisecond`, () => {
    for (const size of settle(perMs, 0.001).slice(-5)) {
      const ms = size / perMs;
      assert.ok(ms > 40 && ms < 60, `${ms} ms`);
    }
  });
}

test('stays near on a clock that browsers round to 16.7 ms', () => {
  for (const size of settle(1000, 16.7).slice(-10))
    assert.ok(size / 1000 > 15 && size / 1000 < 150, `${size}`);
});

test('is always a whole number that a step takes', () => {
  for (const tries of [1, 3, 4097, 2 ** 31 - 1]) {
    for (const elapsedMs of [0, 0.001, 7.3, 50, 1e9]) {
      const next = nextStepTries(tries, elapsedMs);
      assert.ok(
        Number.isInteger(next) && next >= 1 && next < 2 ** 31,
        `${tries} in ${elapsedMs} ms: ${next}`,
      );
    }
  }
});
