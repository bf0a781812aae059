import type { Timer } from '../server/base/ports.ts';

/** A timer whose time passes only where a test says so. */
export function createTestTimer(): Timer & { waiting(): number; fire(): void } {
  const runs = new Set<() => void>();
  return {
    after(_ms, run) {
      const once = () => run();
      runs.add(once);
      return () => void runs.delete(once);
    },
    waiting: () => runs.size,
    /** Ends every wait that is under way. */
    fire() {
      const due = [...runs];
      runs.clear();
      for (const run of due) run();
    },
  };
}
