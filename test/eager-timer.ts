import type { Clock, Timer } from '../server/base/ports.ts';

const never = () => false;

// Turns of the event loop without anything under way, after which time passes: what just ended has its consequences first.
const QUIET_TURNS = 3;

/**
 * A clock and a timer whose time passes at once where somebody waits: what is due first runs first, and nothing sleeps.
 * While `isBusy` no time passes: what takes real time takes none of this one.
 */
export function createEagerTime(
  startMs = Date.UTC(2026, 0, 1),
  isBusy: () => boolean = never,
): {
  clock: Clock;
  timer: Timer;
  pass(ms: number): void;
} {
  let nowMs = startMs;
  let waiting: { atMs: number; run: () => void }[] = [];
  let isScheduled = false;

  function schedule(quietTurns = isBusy === never ? QUIET_TURNS : 0): void {
    if (isScheduled || waiting.length === 0) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      if (isBusy() || quietTurns < QUIET_TURNS) return schedule(isBusy() ? 0 : quietTurns + 1);
      const next = waiting.shift();
      if (!next) return;
      nowMs = Math.max(nowMs, next.atMs);
      next.run();
      schedule();
    });
  }
  return {
    clock: { nowMs: () => nowMs },
    timer: {
      after(ms, run) {
        const entry = { atMs: nowMs + ms, run };
        const at = waiting.findIndex(({ atMs }) => atMs > entry.atMs);
        waiting.splice(at < 0 ? waiting.length : at, 0, entry);
        schedule();
        return () => {
          waiting = waiting.filter((other) => other !== entry);
        };
      },
    },
    pass(ms) {
      nowMs += ms;
    },
  };
}
