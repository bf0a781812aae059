import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Log } from '../../server/base/ports.ts';
import { createWorkerWatch } from '../../server/watch-workers.ts';
import { createTestTimer } from '../test-timer.ts';

function openWorld() {
  const lines: object[] = [];
  const log: Log = { info() {}, warn() {}, error: (fields) => lines.push(fields) };
  const timer = createTestTimer();
  const watch = createWorkerWatch({ timer, log });
  const worker = (pid: number) => {
    const state = {
      pid,
      pings: 0,
      isEnded: false,
      ping: () => void state.pings++,
      end() {
        state.isEnded = true;
      },
    };
    watch.begin(state);
    return state;
  };
  return { lines, timer, watch, worker };
}

test('a worker that misses six questions in a row is ended, once, and told of', () => {
  const { lines, timer, worker } = openWorld();
  const hung = worker(7);
  for (let n = 0; n < 6; n++) timer.fire();
  assert.deepEqual([hung.pings, hung.isEnded], [6, false]);
  timer.fire();
  assert.equal(hung.isEnded, true);
  hung.isEnded = false;
  for (let n = 0; n < 10; n++) timer.fire();
  assert.deepEqual([hung.isEnded, hung.pings, lines], [false, 6, [{ pid: 7, secs: 30 }]]);
});

test('one that answers, be it late, is left, and so are its siblings', () => {
  const { timer, watch, worker } = openWorld();
  const [slow, quick, hung] = [worker(1), worker(2), worker(3)];
  for (let n = 1; n <= 60; n++) {
    timer.fire();
    watch.answered(quick);
    if (n % 6 === 0) watch.answered(slow);
  }
  assert.deepEqual([slow.isEnded, quick.isEnded, hung.isEnded], [false, false, true]);
});

test('one that has ended is not asked any more, and a late answer of it changes nothing', () => {
  const { timer, watch, worker } = openWorld();
  const gone = worker(1);
  timer.fire();
  watch.forget(gone);
  watch.answered(gone);
  for (let n = 0; n < 10; n++) timer.fire();
  assert.deepEqual([gone.pings, gone.isEnded], [1, false]);
});
