import { expose, wrap } from 'comlink';
import { createJavascriptKernel } from '../../../browser/solver/javascript-kernel.ts';
import type { SpawnWorker } from '../../../browser/solver/pool.ts';
import type { SolverWorker } from '../../../browser/solver/protocol.ts';
import { createSolverWorker } from '../../../browser/solver/solver-worker.ts';

/** A worker that runs here: its messages are real, its thread is not. */
export type FakeWorker = {
  index: number;
  steps: { start: bigint; count: number }[];
  isTerminated: boolean;
  die(cause: unknown): void;
};

/** What a test does before a worker steps; a promise that stays open is a worker that does not answer. */
export type BeforeStep = (worker: FakeWorker, start: bigint, count: number) => void | Promise<void>;

/** Spawns workers with the real JavaScript kernel over Comlink on a MessageChannel in this realm. */
export function fakeWorkers(beforeStep: BeforeStep = () => {}): {
  spawn: SpawnWorker;
  spawned: FakeWorker[];
} {
  const spawned: FakeWorker[] = [];
  const spawn: SpawnWorker = (onDeath) => {
    const { port1, port2 } = new MessageChannel();
    const inner = createSolverWorker(async () => createJavascriptKernel());
    const worker: FakeWorker = { index: spawned.length, steps: [], isTerminated: false, die: onDeath };
    spawned.push(worker);
    const outer: SolverWorker = {
      load: inner.load,
      async step(start, count) {
        worker.steps.push({ start, count });
        await beforeStep(worker, start, count);
        return inner.step(start, count);
      },
    };
    expose(outer, port1);
    const terminate = () => {
      worker.isTerminated = true;
      port1.close();
      port2.close();
    };
    return { solver: wrap<SolverWorker>(port2), terminate };
  };
  return { spawn, spawned };
}
