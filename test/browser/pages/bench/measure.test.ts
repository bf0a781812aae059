import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureRate, type Stage } from '../../../../browser/pages/bench/measure.ts';
import { fakeBenchWorkers } from './fake-bench-workers.ts';

const stage: Stage = { kernel: 'scalar', workers: 2, warmMs: 300, lastMs: 1000 };

/** Starts a measurement; `rate` and `error` are there once it ended. */
function begin(workers: ReturnType<typeof fakeBenchWorkers>, changes: Partial<Stage> = {}) {
  const stop = new AbortController();
  const samples: { ms: number; rate: number }[] = [];
  const result: { rate?: number; error?: unknown } = {};
  void measureRate(
    { ...workers, challenge: 'any' },
    { ...stage, ...changes },
    stop.signal,
    (rate) => void samples.push({ ms: workers.now(), rate }),
  ).then(
    (rate) => {
      result.rate = rate;
    },
    (error) => {
      result.error = error;
    },
  );
  return { stop, samples, result };
}

const isNear = (rate: number | undefined, expected: number) =>
  assert.ok(Math.abs((rate ?? 0) / expected - 1) < 1e-9, `${rate} instead of ${expected}`);

test('the rate of a stage is the sum of its workers', async () => {
  const workers = fakeBenchWorkers(({ index }) => (index === 0 ? 1000 : 500));
  const { result } = begin(workers);
  await workers.advance(2000);
  isNear(result.rate, 1_500_000);
  assert.deepEqual(
    workers.spawned.map(({ kernel, isTerminated }) => [kernel, isTerminated]),
    [
      ['scalar', true],
      ['scalar', true],
    ],
  );
});

test('what a worker makes before it is warm does not count', async () => {
  const workers = fakeBenchWorkers((_, nowMs) => (nowMs < 250 ? 100 : 4000));
  const { result } = begin(workers, { workers: 1 });
  await workers.advance(2000);
  isNear(result.rate, 4_000_000);
});

test('a device so slow that a step outlasts the stage still gives a figure', async () => {
  const workers = fakeBenchWorkers(() => 1);
  const { result } = begin(workers, { workers: 1, warmMs: 10, lastMs: 100 });
  await workers.advance(20_000);
  isNear(result.rate, 1000);
});

test('the live rate comes at most ten times a second, and never of half the workers', async () => {
  const workers = fakeBenchWorkers(() => 1000);
  const { samples } = begin(workers);
  await workers.advance(2000);
  assert.ok(samples.length >= 8, `${samples.length} samples`);
  for (const [i, { ms, rate }] of samples.entries()) {
    isNear(rate, 2_000_000);
    if (i > 0) assert.ok(ms - (samples[i - 1]?.ms ?? 0) >= 100);
  }
});

test('a stop ends all workers at once, within a step', async () => {
  const workers = fakeBenchWorkers(() => 1000);
  const { stop, result, samples } = begin(workers);
  await workers.advance(500);
  stop.abort('enough');
  assert.ok(!workers.spawned.some(({ isTerminated }) => isTerminated), 'told in this turn, done in the next');
  await workers.advance(0);
  assert.ok(workers.spawned.every(({ isTerminated }) => isTerminated));
  assert.equal(result.error, 'enough');
  const before = samples.length;
  await workers.advance(5000);
  assert.equal(samples.length, before);
});

test('a kernel that does not run, a worker that dies and one that is silent reject and leave nobody', async () => {
  const refusing = fakeBenchWorkers(
    () => 1000,
    () => {
      throw new Error('no v128');
    },
  );
  const refused = begin(refusing);
  await refusing.advance(0);
  assert.match(String(refused.result.error), /no v128/);

  const dying = fakeBenchWorkers(() => 1000);
  const died = begin(dying);
  await dying.advance(500);
  dying.spawned[1]?.die(new Error('out of memory'));
  await dying.advance(0);
  assert.match(String(died.result.error), /out of memory/);

  const silent = fakeBenchWorkers((_, nowMs) => (nowMs < 100 ? 1000 : 0));
  const stalled = begin(silent);
  await silent.advance(30_000);
  assert.match(String(stalled.result.error), /no answer for 20 s/);
  for (const { spawned } of [refusing, dying, silent])
    assert.ok(spawned.every((worker) => worker.isTerminated));
});
