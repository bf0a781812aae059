import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createPassportSource,
  createTurns,
  type HeldPassport,
  type Obtain,
  type Waiting,
} from '../../../browser/widget/passport-source.ts';
import { SOLUTION } from '../solver/fake-gate.ts';

const turn = () => new Promise(setImmediate);

/** A source whose solves the test ends. */
function fakeSource() {
  const runs: { win(): void; fail(): void; signal: AbortSignal }[] = [];
  const clock = { ms: 0 };
  const obtain: Obtain = ({ signal }) =>
    new Promise((resolve, reject) => {
      const passport = `P${runs.length + 1}`;
      runs.push({
        win: () => resolve({ passport, ttlSecs: 100, difficultyBits: 4, solution: SOLUTION }),
        fail: () => reject(new Error('no')),
        signal: signal as AbortSignal,
      });
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  const source = createPassportSource({ obtain, now: () => clock.ms });
  const heard: string[] = [];
  const waiting = (name: string): Waiting => ({
    onState: () => {},
    onProgress: () => {},
    onPassport: ({ passport }: HeldPassport) => heard.push(`${name} ${passport}`),
    onError: () => heard.push(`${name} failed`),
  });
  return { source, runs, clock, heard, waiting };
}

test('one solve serves all who wait, and who comes later', async () => {
  const { source, runs, heard, waiting } = fakeSource();
  source.join(waiting('a'));
  source.join(waiting('b'));
  assert.equal(runs.length, 1);
  runs[0]?.win();
  await turn();
  source.join(waiting('c'));
  await turn();
  assert.deepEqual(heard, ['a P1', 'b P1', 'c P1']);
  assert.equal(runs.length, 1);
});

test('the solve stops when the last has left, and not before', async () => {
  const { source, runs, heard, waiting } = fakeSource();
  const leaveA = source.join(waiting('a'));
  const leaveB = source.join(waiting('b'));
  leaveA();
  assert.equal(runs[0]?.signal.aborted, false);
  leaveB();
  assert.equal(runs[0]?.signal.aborted, true);
  source.join(waiting('c'));
  await turn();
  assert.equal(runs.length, 2);
  runs[1]?.win();
  await turn();
  assert.deepEqual(heard, ['c P2']);
});

test('a passport that is forgotten, or near its end, is given to nobody', async () => {
  const { source, runs, clock, waiting } = fakeSource();
  source.join(waiting('a'));
  runs[0]?.win();
  await turn();
  source.forget('P0');
  source.join(waiting('b'));
  assert.equal(runs.length, 1);
  source.forget('P1');
  source.join(waiting('c'));
  assert.equal(runs.length, 2);
  runs[1]?.win();
  await turn();
  clock.ms = 90_000;
  source.join(waiting('d'));
  assert.equal(runs.length, 3);
});

test('who leaves before the passport that is held came hears nothing', async () => {
  const { source, runs, heard, waiting } = fakeSource();
  source.join(waiting('a'));
  runs[0]?.win();
  await turn();
  source.join(waiting('b'))();
  await turn();
  assert.deepEqual(heard, ['a P1']);
});

test('a failure is told to all, and the next to come tries again', async () => {
  const { source, runs, heard, waiting } = fakeSource();
  source.join(waiting('a'));
  source.join(waiting('b'));
  runs[0]?.fail();
  await turn();
  assert.deepEqual(heard, ['a failed', 'b failed']);
  source.join(waiting('a'));
  assert.equal(runs.length, 2);
});

test('solves of several routes take turns, also after one that failed', async () => {
  const running: string[] = [];
  const ends: (() => void)[] = [];
  const takeTurns = createTurns();
  const obtainOf = (name: string): Obtain =>
    takeTurns(
      () =>
        new Promise((_, reject) => {
          running.push(name);
          ends.push(() => reject(new Error(name)));
        }),
    );
  const all = Promise.allSettled([obtainOf('a')({}), obtainOf('b')({})]);
  await turn();
  assert.deepEqual(running, ['a']);
  ends[0]?.();
  await turn();
  assert.deepEqual(running, ['a', 'b']);
  ends[1]?.();
  await all;
});
