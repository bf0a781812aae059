import { openChallenge } from './challenge.ts';
import type { Kernel } from './kernel.ts';
import { etaSecs, probabilityAfter } from './odds.ts';
import type { Pool } from './pool.ts';
import { FIRST_STEP_TRIES, nextStepTries } from './step-size.ts';

const PROGRESS_EVERY_MS = 100;

export type SliceDeps = {
  kernel: Kernel;
  /** Monotonic milliseconds. */
  now(): number;
  /** Lets whatever else waits for this thread go first. */
  yieldThread(): Promise<void>;
};

/**
 * Solves on the thread that calls, in steps of about 50 ms with a pause after each: for programs, where a pool of workers
 * would need files of its own, which bundlers lose. Everything else of the program waits while a step runs.
 */
export function createSliceSolver({ kernel, now, yieldThread }: SliceDeps): Pool['solve'] {
  return async (challenge, { signal, onProgress } = {}) => {
    const { difficultyBits } = openChallenge(challenge);
    const startedMs = now();
    let reportedMs = startedMs;
    let tries = 0;
    for (let stepTries = FIRST_STEP_TRIES; ; ) {
      signal?.throwIfAborted();
      // Loaded anew each time: another solve may have had the kernel in the pause.
      kernel.load(challenge);
      const stepStartedMs = now();
      const from = BigInt(tries);
      const answer = kernel.step(from, stepTries);
      const nowMs = now();
      const elapsedMs = nowMs - startedMs;
      if (answer !== null) {
        tries += Number(answer - from) + 1;
        return { answer: String(answer), tries, elapsedMs, workers: 1, kernel: kernel.name };
      }
      tries += stepTries;
      stepTries = nextStepTries(stepTries, nowMs - stepStartedMs);
      if (onProgress && nowMs - reportedMs >= PROGRESS_EVERY_MS) {
        reportedMs = nowMs;
        const ratePerSec = (1000 * tries) / Math.max(elapsedMs, 1);
        onProgress({
          tries,
          ratePerSec,
          probability: probabilityAfter(difficultyBits, tries),
          etaSecs: etaSecs(difficultyBits, ratePerSec),
          elapsedMs,
          workers: 1,
          kernel: kernel.name,
        });
      }
      await yieldThread();
    }
  };
}
