import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGateClient } from '../../../browser/solver/gate-client.ts';
import { createSession } from '../../../browser/solver/obtain-passport.ts';
import { createPool } from '../../../browser/solver/pool.ts';
import { createWhenSeen } from '../../../browser/solver/visibility.ts';
import { challengeText } from './challenge-text.ts';
import { SOLUTION } from './fake-gate.ts';
import { never } from './fake-timers.ts';
import { fakeWorkers } from './fake-workers.ts';

/** A document that is shown and hidden by the test. */
function fakeDocument(state: DocumentVisibilityState) {
  const target = new EventTarget() as EventTarget & { visibilityState: DocumentVisibilityState };
  target.visibilityState = state;
  const turn = (to: DocumentVisibilityState) => {
    target.visibilityState = to;
    target.dispatchEvent(new Event('visibilitychange'));
  };
  return { whenSeen: createWhenSeen(target), turn };
}

/** Lets what is ready run, messages included. */
const settle = async () => {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
};

test('a visible page waits for nothing', () => {
  assert.equal(fakeDocument('visible').whenSeen(), null);
});

test('a hidden page waits until it is visible, and not only until something changes', async () => {
  const { whenSeen, turn } = fakeDocument('hidden');
  let isSeen = false;
  whenSeen()?.then(() => {
    isSeen = true;
  });
  turn('hidden');
  await settle();
  assert.equal(isSeen, false);
  turn('visible');
  await settle();
  assert.equal(isSeen, true);
});

test('a pool begins no step while hidden, and goes on where it was', async () => {
  const { whenSeen, turn } = fakeDocument('visible');
  const stop = new AbortController();
  let steps = 0;
  const { spawn, spawned } = fakeWorkers(() => {
    if (++steps === 3) turn('hidden');
    if (steps === 6) stop.abort(new Error('enough'));
  });
  // A clock that stands keeps the steps at what they are clamped to.
  const pool = createPool({ spawn, now: () => steps * 50, after: never, workers: 1, whenSeen });
  const solving = pool.solve(challengeText({ bits: 64 }), { signal: stop.signal });
  await settle();
  assert.equal(steps, 3, 'the step that ran is the last');
  turn('visible');
  await assert.rejects(solving, /enough/);
  const [{ steps: taken }] = spawned;
  for (const [i, { start }] of taken.slice(1).entries()) {
    assert.equal(start, taken[i].start + BigInt(taken[i].count), 'no try is left out');
  }
});

test('a hidden pool can be aborted at once', async () => {
  const { whenSeen } = fakeDocument('hidden');
  const { spawn, spawned } = fakeWorkers();
  const stop = new AbortController();
  const pool = createPool({ spawn, now: () => 0, after: never, workers: 2, whenSeen });
  const solving = pool.solve(challengeText({ bits: 64 }), { signal: stop.signal });
  await settle();
  stop.abort(new Error('enough'));
  await assert.rejects(solving, /enough/);
  assert.ok(spawned.every(({ isTerminated, steps }) => isTerminated && steps.length === 0));
});

test('a session asks for no challenge while hidden, and can be aborted', async () => {
  const { whenSeen, turn } = fakeDocument('hidden');
  const asked: string[] = [];
  const gate = createGateClient({
    after: never,
    fetch: async (path) => {
      asked.push(path);
      return Response.json(
        path === '/pow/passport'
          ? { passport: 'P', ttl_secs: 1 }
          : { challenge: 'C', difficulty_bits: 4, expires_in_secs: 60, tier: 'public' },
      );
    },
  });
  const obtain = createSession({ gate, solve: async () => SOLUTION, now: () => 0, after: never, whenSeen });
  const stop = new AbortController();
  const stopped = obtain({ signal: stop.signal });
  const obtained = obtain();
  await settle();
  assert.deepEqual(asked, []);
  stop.abort();
  await assert.rejects(stopped, { name: 'SessionError' });
  turn('visible');
  assert.equal((await obtained).passport, 'P');
});
