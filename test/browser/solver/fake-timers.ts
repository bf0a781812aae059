import type { After } from '../../../browser/solver/after.ts';

/** A timer that never comes: for tests in which nothing is late. */
export const never: After = () => () => {};

/** Timers that a test moves. */
export function fakeTimers() {
  let nowMs = 0;
  const timers = new Set<{ dueMs: number; then: () => void }>();
  const after: After = (ms, then) => {
    const timer = { dueMs: nowMs + ms, then };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  return {
    after,
    now: () => nowMs,
    pending: () => timers.size,
    /** Moves the clock timer by timer, and lets every message in between arrive. */
    async advance(ms: number): Promise<void> {
      const endMs = nowMs + ms;
      for (;;) {
        for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
        const [next] = [...timers].sort((a, b) => a.dueMs - b.dueMs);
        if (!next || next.dueMs > endMs) break;
        nowMs = next.dueMs;
        timers.delete(next);
        next.then();
      }
      nowMs = endMs;
    },
  };
}
