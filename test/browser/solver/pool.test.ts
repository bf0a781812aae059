import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPool } from '../../../browser/solver/pool.ts';
import type { SolveProgress } from '../../../browser/solver/protocol.ts';
import { rangeStarts } from '../../../browser/solver/ranges.ts';
import { challengeText } from './challenge-text.ts';
import { never } from './fake-timers.ts';
import { type BeforeStep, fakeWorkers } from './fake-workers.ts';
import { leadingZeroBits } from './oracle.ts';

const NONCE = Uint8Array.from({ length: 32 }, (_, i) => i * 7);
const WRAP = 2n ** 64n;
const FOREVER = new Promise<void>(() => {});

/** A pool whose clock is moved by its workers: 1,000 tries take a millisecond. */
function setUp({ workers = 3, beforeStep = () => {} }: { workers?: number; beforeStep?: BeforeStep } = {}) {
  let nowMs = 1000;
  const fakes = fakeWorkers((worker, start, count) => {
    nowMs += count / 1000;
    return beforeStep(worker, start, count);
  });
  return { ...fakes, pool: createPool({ spawn: fakes.spawn, now: () => nowMs, after: never, workers }) };
}

/** The challenge that nobody solves while a test runs. */
const HARD = challengeText({ bits: 64, nonce: NONCE });

/** Solves the hard challenge until there were `steps` steps, then aborts. */
async function runFor(steps: number, beforeStep: BeforeStep = () => {}, workers = 3) {
  const stop = new AbortController();
  let taken = 0;
  const setup = setUp({
    workers,
    beforeStep(worker, start, count) {
      if (++taken === steps) stop.abort(new Error('enough'));
      return beforeStep(worker, start, count);
    },
  });
  const progress: SolveProgress[] = [];
  const options = { signal: stop.signal, onProgress: (at: SolveProgress) => progress.push(at) };
  await assert.rejects(setup.pool.solve(HARD, options), /enough/);
  return { ...setup, progress };
}

test('finds an answer that node:crypto confirms, and stops every worker', async () => {
  const { pool, spawned } = setUp();
  const solution = await pool.solve(challengeText({ bits: 14, nonce: NONCE }));
  assert.ok(leadingZeroBits(NONCE, BigInt(solution.answer)) >= 14);
  assert.equal(solution.workers, 3);
  assert.equal(solution.kernel, 'javascript');
  assert.ok(solution.tries >= 1 && solution.elapsedMs > 0);
  assert.equal(spawned.length, 3);
  assert.ok(spawned.every((worker) => worker.isTerminated));
});

test('counts the tries of one worker exactly', async () => {
  const { pool } = setUp({ workers: 1 });
  const solution = await pool.solve(challengeText({ bits: 12, nonce: NONCE }));
  assert.equal(solution.tries, Number(solution.answer) + 1);
});

test('works on disjoint ranges without gaps', async () => {
  const { spawned } = await runFor(30);
  for (const [i, start] of rangeStarts(3).entries()) {
    let next = start;
    for (const step of spawned[i].steps) {
      assert.equal(step.start, next);
      next += BigInt(step.count);
    }
    assert.ok(next < (rangeStarts(3)[i + 1] ?? WRAP));
  }
});

test('adapts its steps to about 50 ms', async () => {
  const { spawned } = await runFor(12, () => {}, 1);
  const counts = spawned[0].steps.map((step) => step.count);
  assert.ok(counts.every(Number.isInteger));
  assert.ok(counts[0] < 10_000, 'starts small');
  for (const count of counts.slice(-5)) assert.ok(count > 40_000 && count < 60_000, `${count}`);
});

test('tells true progress, never falling, at most ten times a second', async () => {
  const { progress } = await runFor(60);
  assert.ok(progress.length > 5);
  for (const [i, at] of progress.entries()) {
    assert.equal(at.kernel, 'javascript');
    assert.equal(at.workers, 3);
    assert.ok(at.ratePerSec > 0 && Number.isFinite(at.etaSecs));
    assert.ok(Math.abs(at.probability / (at.tries * 2 ** -64) - 1) < 1e-9);
    if (i === 0) continue;
    assert.ok(at.tries > progress[i - 1].tries && at.probability > progress[i - 1].probability);
    assert.ok(at.elapsedMs - progress[i - 1].elapsedMs > 99.9);
  }
});

test('sums up the rates of its workers', async () => {
  // One worker on a clock that only it moves: 1,000 tries a millisecond.
  const { progress } = await runFor(30, () => {}, 1);
  const last = progress[progress.length - 1];
  assert.ok(Math.abs(last.ratePerSec - 1e6) < 1e3, `${last.ratePerSec}`);
  assert.ok(Math.abs(last.etaSecs / (2 ** 64 / 1e6) - 1) < 1e-3);
});

test('an abort stops every worker before it returns, even ones in the middle of a step', async () => {
  const stop = new AbortController();
  const { promise: isStepping, resolve: stepping } = Promise.withResolvers<void>();
  const { pool, spawned } = setUp({
    beforeStep: () => {
      stepping();
      return FOREVER;
    },
  });
  const solving = pool.solve(HARD, { signal: stop.signal });
  await isStepping;
  const reason = new Error('left the page');
  stop.abort(reason);
  assert.ok(spawned.length === 3 && spawned.every((worker) => worker.isTerminated));
  await assert.rejects(solving, (error) => error === reason);
});

test('an abort before the start starts nothing', async () => {
  const { pool, spawned } = setUp();
  await assert.rejects(pool.solve(HARD, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  assert.equal(spawned.length, 0);
});

test('what is no challenge starts nothing', async () => {
  const { pool, spawned } = setUp();
  await assert.rejects(pool.solve('nonsense'), { name: 'ChallengeRefused' });
  assert.equal(spawned.length, 0);
});

test('a replacement takes over where a worker died silently', async () => {
  const { spawned } = await runFor(20, (worker) => {
    if (worker.index !== 1 || worker.steps.length !== 2) return;
    worker.die(new Error('out of memory'));
    return FOREVER;
  });
  assert.equal(spawned.length, 4);
  assert.ok(spawned[1].isTerminated);
  assert.equal(spawned[3].steps[0].start, spawned[1].steps[1].start, 'the unfinished step is done again');
});

test('a replacement takes over where a call was rejected', async () => {
  const { spawned } = await runFor(20, (worker) => {
    if (worker.index === 0) throw new Error('the kernel trapped');
  });
  assert.equal(spawned.length, 4);
  assert.equal(spawned[3].steps[0].start, 0n);
});

test('where no replacement can be started, the workers that live take the range over', async () => {
  const stop = new AbortController();
  let nowMs = 0;
  const fakes = fakeWorkers((worker, _, count) => {
    nowMs += count / 1000;
    if (worker.index === 1) worker.die(new Error('killed'));
    if (fakes.spawned[0].steps.length + fakes.spawned[2].steps.length > 20) stop.abort();
  });
  const spawn: typeof fakes.spawn = (onDeath) => {
    if (fakes.spawned.length === 3) throw new Error('no more workers');
    return fakes.spawn(onDeath);
  };
  const pool = createPool({ spawn, now: () => nowMs, after: never, workers: 3 });
  await assert.rejects(pool.solve(HARD, { signal: stop.signal }), { name: 'AbortError' });
  const starts = fakes.spawned[0].steps.map((step) => step.start);
  assert.ok(starts.includes(rangeStarts(3)[1]), 'the range of the dead');
  assert.ok(starts.length > 2 && starts.includes(0n), 'and its own');
});

test('rejects when no worker can be started', async () => {
  let attempts = 0;
  const spawn = () => {
    attempts++;
    throw new Error('blocked by policy');
  };
  const pool = createPool({ spawn, now: () => 0, after: never, workers: 4 });
  await assert.rejects(pool.solve(HARD), /no worker is left and none can be started \(blocked by policy\)/);
  assert.equal(attempts, 4, 'one try and three replacements');
});

test('rejects when every worker dies before it does anything, instead of starting them for ever', async () => {
  const { pool, spawned } = setUp({
    workers: 2,
    beforeStep: (worker) => worker.die(new Error('crashed')),
  });
  await assert.rejects(pool.solve(HARD), /none can be started \(crashed\)/);
  assert.ok(spawned.length <= 16, `${spawned.length} workers`);
  assert.ok(spawned.every((worker) => worker.isTerminated));
});

test('a second word of death from one worker is not heard', async () => {
  const { spawned } = await runFor(20, (worker) => {
    if (worker.index !== 1) return;
    worker.die(new Error('once'));
    worker.die(new Error('twice'));
    return FOREVER;
  });
  assert.equal(spawned.length, 4);
});
