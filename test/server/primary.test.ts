import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restartDelayMs } from '../../server/primary.ts';

test('a worker that dies is replaced soon, one that keeps dying less and less often', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 7, 8, 1_000].map(restartDelayMs),
    [100, 100, 200, 400, 800, 6_400, 10_000, 10_000],
  );
});
