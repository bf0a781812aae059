import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPool, type SpawnWorker } from '../../../browser/solver/pool.ts';
import { answerWithin } from '../../../browser/solver/watchdog.ts';
import { challengeText } from './challenge-text.ts';
import { fakeTimers } from './fake-timers.ts';
import { fakeWorkers } from './fake-workers.ts';

const EASY = challengeText({ bits: 8, nonce: new Uint8Array(32) });
const HARD = challengeText({ bits: 64, nonce: new Uint8Array(32) });
const FOREVER = new Promise<never>(() => {});

/** What became of a promise, without waiting for it. */
function watch(promise: Promise<unknown>): { outcome: string } {
  const seen = { outcome: 'open' };
  promise.then(
    () => Object.assign(seen, { outcome: 'resolved' }),
    (error) => Object.assign(seen, { outcome: String(error) }),
  );
  return seen;
}

test('a worker whose script never comes is replaced after ten seconds', async () => {
  const timers = fakeTimers();
  const fakes = fakeWorkers();
  let spawns = 0;
  const terminated: number[] = [];
  const spawn: SpawnWorker = (onDeath) => {
    const index = spawns++;
    if (index > 0) return fakes.spawn(onDeath);
    return { solver: { load: () => FOREVER, step: () => FOREVER }, terminate: () => terminated.push(index) };
  };
  const pool = createPool({ spawn, now: timers.now, after: timers.after, workers: 1 });
  const solving = watch(pool.solve(EASY));
  await timers.advance(9999);
  assert.deepEqual([spawns, solving.outcome], [1, 'open']);
  await timers.advance(1);
  assert.deepEqual([spawns, solving.outcome, terminated], [2, 'resolved', [0]]);
});

test('where no worker ever answers, the solve fails and says so', async () => {
  const timers = fakeTimers();
  let spawns = 0;
  const spawn: SpawnWorker = () => {
    spawns++;
    return { solver: { load: () => FOREVER, step: () => FOREVER }, terminate() {} };
  };
  const pool = createPool({ spawn, now: timers.now, after: timers.after, workers: 2 });
  const solving = watch(pool.solve(EASY));
  await timers.advance(80_000);
  assert.match(solving.outcome, /no worker is left .*load: no answer for 10 s/);
  assert.ok(spawns >= 4 && spawns <= 8, `${spawns}`);
});

test('a worker that dies in silence is replaced, and its step is done again', async (t) => {
  const timers = fakeTimers();
  const fakes = fakeWorkers((worker) =>
    worker.index > 0 || worker.steps.length === 3 ? FOREVER : undefined,
  );
  const pool = createPool({ spawn: fakes.spawn, now: timers.now, after: timers.after, workers: 1 });
  const stop = new AbortController();
  t.after(() => stop.abort());
  const solving = watch(pool.solve(HARD, { signal: stop.signal }));
  await timers.advance(4999);
  assert.equal(fakes.spawned.length, 1);
  await timers.advance(1);
  assert.equal(fakes.spawned.length, 2);
  assert.equal(fakes.spawned[0].isTerminated, true);
  assert.equal(fakes.spawned[1].steps[0].start, fakes.spawned[0].steps[2].start);
  assert.equal(solving.outcome, 'open');
});

test('a slow worker is given twenty times its last step', async (t) => {
  const timers = fakeTimers();
  const fakes = fakeWorkers((worker) =>
    worker.steps.length === 1 ? new Promise((resolve) => void timers.after(1000, resolve)) : FOREVER,
  );
  const pool = createPool({ spawn: fakes.spawn, now: timers.now, after: timers.after, workers: 1 });
  const stop = new AbortController();
  t.after(() => stop.abort());
  watch(pool.solve(HARD, { signal: stop.signal }));
  await timers.advance(1000 + 19_999);
  assert.equal(fakes.spawned.length, 1);
  await timers.advance(1);
  assert.equal(fakes.spawned.length, 2);
});

test('a sleep of the device uses up one slice of the limit, not the worker', async () => {
  const due: (() => void)[] = [];
  const after = (_: number, then: () => void) => {
    due.push(then);
    return () => {};
  };
  const { promise: answer, resolve } = Promise.withResolvers<string>();
  const heard = answerWithin(after, 5000, 'worker', answer);
  // On waking the timer is heard before the worker's message.
  due[0]();
  resolve('answer');
  assert.equal(await heard, 'answer');
});
