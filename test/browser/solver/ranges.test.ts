import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rangeStarts } from '../../../browser/solver/ranges.ts';

test('ranges start at exact integers, at equal distances', () => {
  assert.deepEqual(rangeStarts(1), [0n]);
  assert.deepEqual(rangeStarts(3), [0n, 6148914691236517205n, 12297829382473034410n]);
  for (let workers = 1; workers <= 64; workers++) {
    const starts = [...rangeStarts(workers), 2n ** 64n];
    for (let i = 0; i < workers; i++) {
      const length = starts[i + 1] - starts[i];
      assert.ok(length >= 2n ** 64n / BigInt(workers), `range ${i} of ${workers}`);
    }
  }
});
