import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCountdown } from '../../../browser/pages/countdown.ts';

test('ticks now and at each full second left, then ends once', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const lefts: number[] = [];
  let ends = 0;
  startCountdown(
    2500,
    (left) => lefts.push(left),
    () => ends++,
  );
  for (let i = 0; i < 50; i++) t.mock.timers.tick(100);
  assert.deepEqual(lefts, [2500, 2000, 1000]);
  assert.equal(ends, 1);
});

test('ends at once after a sleep that outlasted the passport', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let clockMs = 0;
  let ended = false;
  startCountdown(
    60_000,
    () => {},
    () => {
      ended = true;
    },
    () => clockMs,
  );
  clockMs = 3_600_000;
  t.mock.timers.tick(1000);
  assert.equal(ended, true);
});

test('says nothing more once stopped', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  let calls = 0;
  const stop = startCountdown(
    5000,
    () => calls++,
    () => calls++,
  );
  stop();
  t.mock.timers.tick(10_000);
  assert.equal(calls, 1);
});
