import type { Log, Timer } from './base/ports.ts';

// Our choice. The longest that a worker was seen away from its messages is under a second; a machine that swaps or a disk
// that stalls takes longer, and to end a worker then would make it worse.
const PING_EVERY_MS = 5_000;
const MOST_MISSED = 6;

/** A process that should answer. */
export type Watched = { pid: number | undefined; ping(): void; end(): void };

/** Ends processes that take no messages any more: they hold connections that nobody answers, and nothing else tells of it. */
export type WorkerWatch = {
  /** From now on it should answer. */
  begin(watched: Watched): void;
  answered(watched: Watched): void;
  /** It has ended, or is about to. */
  forget(watched: Watched): void;
};

/**
 * Asks every few seconds. Questions are counted and not seconds, so that a machine which slept, and this process with it,
 * finds nobody guilty when it wakes up.
 */
export function createWorkerWatch({ timer, log }: { timer: Timer; log: Log }): WorkerWatch {
  const missed = new Map<Watched, number>();

  function ask(): void {
    for (const [watched, count] of [...missed]) {
      if (count >= MOST_MISSED) {
        missed.delete(watched);
        const secs = (MOST_MISSED * PING_EVERY_MS) / 1_000;
        log.error({ pid: watched.pid, secs }, 'a worker does not answer any more; it is ended');
        watched.end();
      } else {
        missed.set(watched, count + 1);
        watched.ping();
      }
    }
    timer.after(PING_EVERY_MS, ask);
  }

  timer.after(PING_EVERY_MS, ask);
  return {
    begin: (watched) => void missed.set(watched, 0),
    answered: (watched) => void (missed.has(watched) && missed.set(watched, 0)),
    forget: (watched) => void missed.delete(watched),
  };
}
