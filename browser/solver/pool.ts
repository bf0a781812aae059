import type { After } from './after.ts';
import { openChallenge } from './challenge.ts';
import { etaSecs, probabilityAfter } from './odds.ts';
import type { KernelName, Solution, SolveProgress, SolverWorker } from './protocol.ts';
import { rangeStarts } from './ranges.ts';
import { FIRST_STEP_TRIES, nextStepTries } from './step-size.ts';
import type { WhenSeen } from './visibility.ts';
import { answerWithin } from './watchdog.ts';

/** A running worker. */
export type SpawnedWorker = { solver: SolverWorker; terminate(): void };

/** Starts a worker; `onDeath` is told when it can no longer answer. Throws where none can be started. */
export type SpawnWorker = (onDeath: (cause: unknown) => void) => SpawnedWorker;

export type PoolDeps = {
  spawn: SpawnWorker;
  /** Monotonic milliseconds (`performance.now`). */
  now(): number;
  after: After;
  /** How many workers solve, a whole number ≥ 1. */
  workers: number;
  /** No step is begun while the page is hidden; left out where nobody looks, and steps follow each other. */
  whenSeen?: WhenSeen;
};

export type SolveOptions = {
  /** Stops every worker at once; the promise then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Called at most ten times a second. */
  onProgress?: ((progress: SolveProgress) => void) | undefined;
};

export type Pool = { solve(challenge: string, options?: SolveOptions): Promise<Solution> };

const PROGRESS_EVERY_MS = 100;

/** Our choice: how often in a row a worker is replaced that died without finishing a step. */
const REPLACEMENTS = 3;

/** Our choice: the worker's script and its kernel are some 30 kB, and the kernel waits 5 s at most. */
const LOAD_LIMIT_MS = 10_000;

/** Our choice: a step takes about 50 ms, so that a worker that is silent for seconds is dead or stuck. */
const stepLimitMs = (lastStepMs: number) => Math.min(60_000, Math.max(5000, 20 * lastStepMs));

/** Answers still to be tried, from `next` on. */
type Range = { next: bigint };

/** A worker at work. `deaths` counts its forerunners on these ranges since the last finished step. */
type Post = { worker: SpawnedWorker; ranges: Range[]; deaths: number; recentTries: number; recentMs: number };

/** What is left of a step's weight in the rate after one more: smooths clocks that tick coarsely. */
const DECAY = 0.9;

/**
 * Solves challenges with several workers, each on a range of its own.
 *
 * Workers live for one challenge. To stop one within a step there is only `terminate`, and a page solves once:
 * idle workers would only hold a phone's memory.
 *
 * `solve` rejects with ChallengeRefused, with the signal's reason, or with an Error once no worker is left and
 * none can be started.
 */
export function createPool(deps: PoolDeps): Pool {
  return {
    solve: async (challenge, options = {}) => {
      const { difficultyBits } = openChallenge(challenge);
      options.signal?.throwIfAborted();
      return run(deps, challenge, difficultyBits, options);
    },
  };
}

function run(
  { spawn, now, after, workers, whenSeen }: PoolDeps,
  challenge: string,
  difficultyBits: number,
  { signal, onProgress }: SolveOptions,
): Promise<Solution> {
  const startedMs = now();
  const posts = new Set<Post>();
  let tries = 0;
  let reportedMs = startedMs;
  // Not Promise.withResolvers, which browsers of 2023 lack.
  let resolve: (solution: Solution) => void = () => {};
  let reject: (cause: unknown) => void = () => {};
  const promise = new Promise<Solution>((settle, fail) => {
    resolve = settle;
    reject = fail;
  });

  let isOver = false;
  const end = () => {
    isOver = true;
    signal?.removeEventListener('abort', abort);
    for (const post of posts) post.worker.terminate();
    posts.clear();
  };
  const abort = () => {
    end();
    reject(signal?.reason);
  };
  signal?.addEventListener('abort', abort, { once: true });

  /** Puts a new worker on these ranges. */
  const start = (ranges: Range[], deaths: number): void => {
    if (isOver) return;
    let post: Post | null = null;
    let isDead = false;
    const die = (cause: unknown) => {
      if (isDead || isOver) return;
      isDead = true;
      if (post) {
        post.worker.terminate();
        posts.delete(post);
      }
      replace(ranges, (post?.deaths ?? deaths) + 1, cause);
    };
    try {
      post = { worker: spawn(die), ranges, deaths, recentTries: 0, recentMs: 0 };
      posts.add(post);
      work(post).catch(die);
    } catch (cause) {
      die(cause);
    }
  };

  /** Finds someone for the ranges of a dead worker: a new one, else one that lives. */
  const replace = (ranges: Range[], deaths: number, cause: unknown): void => {
    const [heir] = posts;
    if (deaths <= REPLACEMENTS) {
      start(ranges, deaths);
    } else if (heir) {
      heir.ranges.push(...ranges);
    } else {
      end();
      reject(new Error(`solver: no worker is left and none can be started (${messageOf(cause)})`, { cause }));
    }
  };

  const work = async (post: Post): Promise<void> => {
    const loading = post.worker.solver.load(challenge);
    const kernel = await answerWithin(after, LOAD_LIMIT_MS, 'solver worker, load', loading);
    let stepTries = FIRST_STEP_TRIES;
    let stepMs = 0;
    for (let turn = 0; posts.has(post); turn++) {
      const hidden = whenSeen?.();
      if (hidden) {
        await hidden;
        if (!posts.has(post)) return;
      }
      const range = post.ranges[turn % post.ranges.length];
      const from = range.next;
      const stepStartedMs = now();
      const stepping = post.worker.solver.step(from, stepTries);
      const answer = await answerWithin(after, stepLimitMs(stepMs), 'solver worker, step', stepping);
      if (!posts.has(post)) return;
      stepMs = now() - stepStartedMs;
      post.deaths = 0;
      if (answer !== null) return finish(kernel, answer, Number(BigInt.asUintN(64, answer - from)) + 1);
      range.next = BigInt.asUintN(64, from + BigInt(stepTries));
      tries += stepTries;
      post.recentTries = post.recentTries * DECAY + stepTries;
      post.recentMs = post.recentMs * DECAY + stepMs;
      stepTries = nextStepTries(stepTries, stepMs);
      report(kernel);
    }
  };

  const finish = (kernel: KernelName, answer: bigint, lastTries: number): void => {
    tries += lastTries;
    end();
    resolve({ answer: String(answer), tries, elapsedMs: now() - startedMs, workers, kernel });
  };

  const report = (kernel: KernelName): void => {
    const nowMs = now();
    if (!onProgress || nowMs - reportedMs < PROGRESS_EVERY_MS) return;
    reportedMs = nowMs;
    let ratePerSec = 0;
    for (const post of posts) ratePerSec += (1000 * post.recentTries) / Math.max(post.recentMs, 1);
    onProgress({
      tries,
      ratePerSec,
      probability: probabilityAfter(difficultyBits, tries),
      etaSecs: etaSecs(difficultyBits, ratePerSec),
      elapsedMs: nowMs - startedMs,
      workers: posts.size,
      kernel,
    });
  };

  for (const next of rangeStarts(workers)) start([{ next }], 0);
  return promise;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
