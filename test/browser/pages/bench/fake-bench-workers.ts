import type { SpawnWorker } from '../../../../browser/solver/pool.ts';
import type { KernelName } from '../../../../browser/solver/protocol.ts';
import { fakeTimers } from '../../solver/fake-timers.ts';

export type FakeBenchWorker = {
  index: number;
  isTerminated: boolean;
  kernel: KernelName | undefined;
  die(cause: unknown): void;
};

/** Workers on a clock that a test moves, each as fast as `triesPerMs` says at the time. Infinity never answers. */
export function fakeBenchWorkers(
  triesPerMs: (worker: FakeBenchWorker, nowMs: number) => number,
  onLoad: (kernel: KernelName | undefined) => void = () => {},
) {
  const timers = fakeTimers();
  const spawned: FakeBenchWorker[] = [];
  const spawn: SpawnWorker = (die) => {
    const worker: FakeBenchWorker = { index: spawned.length, isTerminated: false, kernel: undefined, die };
    spawned.push(worker);
    return {
      solver: {
        async load(_, only) {
          onLoad(only);
          worker.kernel = only;
          return only ?? 'javascript';
        },
        step: (_, count) =>
          new Promise((resolve) => {
            const ms = count / triesPerMs(worker, timers.now());
            if (Number.isFinite(ms)) timers.after(ms, () => resolve(null));
          }),
      },
      terminate: () => {
        worker.isTerminated = true;
      },
    };
  };
  return { spawn, spawned, ...timers };
}
