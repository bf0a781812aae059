import type { After } from '../../solver/after.ts';
import type { SpawnedWorker, SpawnWorker } from '../../solver/pool.ts';
import type { KernelName } from '../../solver/protocol.ts';
import { rangeStarts } from '../../solver/ranges.ts';
import { FIRST_STEP_TRIES, nextStepTries } from '../../solver/step-size.ts';
import { answerWithin } from '../../solver/watchdog.ts';

/** What is measured: so many workers with this kernel, after `warmMs` for `lastMs`. */
export type Stage = { kernel: KernelName; workers: number; warmMs: number; lastMs: number };

export type MeasureDeps = {
  spawn: SpawnWorker;
  /** Monotonic milliseconds. */
  now(): number;
  after: After;
  /** The text of a challenge that has no answer within reach. */
  challenge: string;
};

// Our choice, as in the pool: the worker's script and its kernel are some 30 kB; a step takes about 50 ms.
const LOAD_LIMIT_MS = 10_000;
const STEP_LIMIT_MS = 20_000;
const SAMPLE_EVERY_MS = 100;

/** Weight that a step keeps in the live figure after one more. */
const DECAY = 0.7;

/**
 * Hashes per second of all workers of a stage together.
 *
 * Each worker's rate is its tries over the time of its own steps, from the first that begins after the warm-up to the
 * one under way at the end: whole steps only, so that nothing is cut off or counted twice.
 *
 * Every worker is ended when it rejects: with the signal's reason, or an Error where a worker died, stayed silent, or
 * cannot run the kernel.
 *
 * @param onSample told the live rate at most ten times a second, warm-up included
 */
export async function measureRate(
  { spawn, now, after, challenge }: MeasureDeps,
  { kernel, workers, warmMs, lastMs }: Stage,
  signal: AbortSignal,
  onSample: (ratePerSec: number) => void = () => {},
): Promise<number> {
  signal.throwIfAborted();
  const running: SpawnedWorker[] = [];
  let fail: (cause: unknown) => void = () => {};
  const failure = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const abort = () => fail(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  let isOver = false;

  const live = new Map<SpawnedWorker, { tries: number; ms: number }>();
  let sampledMs = now();
  const sample = (worker: SpawnedWorker, tries: number, ms: number) => {
    const past = live.get(worker) ?? { tries: 0, ms: 0 };
    live.set(worker, { tries: past.tries * DECAY + tries, ms: past.ms * DECAY + ms });
    // Until each worker has a figure the sum would show a climb that is none.
    if (live.size < workers || now() - sampledMs < SAMPLE_EVERY_MS) return;
    sampledMs = now();
    let ratePerSec = 0;
    for (const recent of live.values()) ratePerSec += (1000 * recent.tries) / Math.max(recent.ms, 1);
    onSample(ratePerSec);
  };

  const work = async (worker: SpawnedWorker, start: bigint, beganMs: number): Promise<number> => {
    let from = start;
    let stepTries = FIRST_STEP_TRIES;
    let measured = { tries: 0, ms: 0 };
    while (!isOver) {
      const startedMs = now();
      await answerWithin(after, STEP_LIMIT_MS, 'solver worker, step', worker.solver.step(from, stepTries));
      const endedMs = now();
      const ms = endedMs - startedMs;
      if (startedMs >= beganMs + warmMs)
        measured = { tries: measured.tries + stepTries, ms: measured.ms + ms };
      if (!isOver) sample(worker, stepTries, ms);
      if (endedMs >= beganMs + warmMs + lastMs && measured.ms > 0) break;
      from = BigInt.asUintN(64, from + BigInt(stepTries));
      stepTries = nextStepTries(stepTries, ms);
    }
    return measured.ms > 0 ? (1000 * measured.tries) / measured.ms : 0;
  };

  try {
    for (let i = 0; i < workers; i++) running.push(spawn(fail));
    const loading = running.map(({ solver }) =>
      answerWithin(after, LOAD_LIMIT_MS, 'solver worker, load', solver.load(challenge, kernel)),
    );
    await Promise.race([Promise.all(loading), failure]);
    const beganMs = now();
    const starts = rangeStarts(workers);
    const working = running.map((worker, i) => work(worker, starts[i] as bigint, beganMs));
    const rates = await Promise.race([Promise.all(working), failure]);
    return rates.reduce((sum, rate) => sum + rate, 0);
  } finally {
    isOver = true;
    signal.removeEventListener('abort', abort);
    for (const worker of running) worker.terminate();
    // Nobody waits for it any more where all went well.
    failure.catch(() => {});
  }
}
