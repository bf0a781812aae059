import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Stage } from '../../../../browser/pages/bench/measure.ts';
import { QUICK_PACE } from '../../../../browser/pages/bench/plan.ts';
import { NothingRuns, type RunEvents, runBench } from '../../../../browser/pages/bench/run.ts';

const RATES = { simd: 8000, scalar: 4000, javascript: 1000 };
const nameOf = ({ kernel, workers }: Stage) => `${kernel} ${workers}`;

/** A run whose stages a test can watch and hold. */
function world(measure: (stage: Stage, signal: AbortSignal) => Promise<number> | number) {
  const told: string[] = [];
  const listeners = new Set<() => void>();
  let isHidden = false;
  const stop = new AbortController();
  const events: RunEvents = {
    onStage: (stage, share) => void told.push(`${nameOf(stage)} at ${Math.round(share * 100)}%`),
    onSample: () => {},
    onKernel: (kernel, rate) => void told.push(`${kernel}: ${rate}`),
    onWorkers: (workers, rate) => void told.push(`${workers} workers: ${rate}`),
    onPause: () => void told.push('paused'),
  };
  const visibility = {
    isHidden: () => isHidden,
    onChange(then: () => void) {
      listeners.add(then);
      return () => void listeners.delete(then);
    },
  };
  return {
    told,
    stop,
    listeners,
    setHidden(hidden: boolean) {
      isHidden = hidden;
      for (const then of [...listeners]) then();
    },
    run: (steps: number[]) =>
      runBench(
        { measure: async (stage, signal) => measure(stage, signal), visibility },
        QUICK_PACE,
        steps,
        stop.signal,
        events,
      ),
  };
}

test('each kernel is measured once, then the fastest with more and more workers', async () => {
  const { run, told } = world(({ kernel, workers }) => RATES[kernel] * workers);
  assert.deepEqual(await run([1, 2, 4]), {
    kernels: RATES,
    fastest: 'simd',
    workers: [
      { workers: 1, rate: 8000 },
      { workers: 2, rate: 16_000 },
      { workers: 4, rate: 32_000 },
    ],
  });
  assert.deepEqual(told, [
    'simd 1 at 0%',
    'simd: 8000',
    'scalar 1 at 20%',
    'scalar: 4000',
    'javascript 1 at 40%',
    'javascript: 1000',
    '1 workers: 8000',
    'simd 2 at 60%',
    '2 workers: 16000',
    'simd 4 at 80%',
    '4 workers: 32000',
  ]);
});

test('a kernel that does not run is told, and the next one taken', async () => {
  const { run, told } = world(({ kernel, workers }) => {
    if (kernel === 'simd') throw new Error('no v128');
    return RATES[kernel] * workers;
  });
  const { kernels, fastest } = await run([1, 2]);
  assert.deepEqual(kernels, { ...RATES, simd: null });
  assert.equal(fastest, 'scalar');
  assert.ok(told.includes('simd: null'));
});

test('where nothing runs it says so with the cause', async () => {
  const { run } = world(() => {
    throw new Error('no module workers');
  });
  await assert.rejects(run([1, 2]), (error: Error) => {
    assert.ok(error instanceof NothingRuns);
    assert.match(error.message, /no module workers/);
    return true;
  });
});

test('a worker that fails later ends the run rather than shortening the curve in silence', async () => {
  const { run } = world(({ kernel, workers }) => {
    if (workers === 4) throw new Error('out of memory');
    return RATES[kernel] * workers;
  });
  await assert.rejects(run([1, 2, 4]), /out of memory/);
});

test('a stage during which the tab was hidden is measured anew once it is seen', async () => {
  let tries = 0;
  const bench = world(({ kernel, workers }, signal) => {
    if (kernel !== 'scalar' || tries++ > 0) return RATES[kernel] * workers;
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      queueMicrotask(() => bench.setHidden(true));
    });
  });
  const running = bench.run([1, 2]);
  for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
  assert.equal(bench.told.at(-1), 'paused');
  bench.setHidden(false);
  assert.equal((await running).kernels.scalar, 4000);
  assert.equal(bench.told.filter((line) => line.startsWith('scalar 1 at')).length, 2);
  assert.equal(bench.listeners.size, 0);
});

test('a stop ends it in a stage and in a pause, with its reason', async () => {
  const measuring = world(
    (_, signal) => new Promise((__, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  const first = measuring.run([1, 2]);
  measuring.stop.abort(new Error('stopped'));
  await assert.rejects(first, /stopped/);

  const paused = world(({ kernel }) => RATES[kernel]);
  paused.setHidden(true);
  const second = paused.run([1]);
  paused.stop.abort(new Error('stopped'));
  await assert.rejects(second, /stopped/);
  assert.equal(paused.listeners.size + measuring.listeners.size, 0);
});
