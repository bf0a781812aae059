import type { KernelName } from '../../solver/protocol.ts';
import type { Stage } from './measure.ts';
import { kernelStages, type Pace, runMs, workerStages } from './plan.ts';

/** What a device makes. Rates are hashes per second; null where the kernel does not run here. */
export type Measured = {
  kernels: Record<KernelName, number | null>;
  fastest: KernelName;
  /** With the fastest kernel, ascending by workers, the first of one worker. */
  workers: { workers: number; rate: number }[];
};

/** Whether anyone looks. A hidden tab gets less of the processor, so what it measured would be of no device. */
export type Visibility = { isHidden(): boolean; onChange(then: () => void): () => void };

export type RunDeps = {
  measure(stage: Stage, signal: AbortSignal, onSample: (ratePerSec: number) => void): Promise<number>;
  visibility: Visibility;
};

export type RunEvents = {
  /** @param share 0..1 of the run that is behind */
  onStage(stage: Stage, share: number): void;
  onSample(stage: Stage, ratePerSec: number): void;
  /** A kernel's rate, null where it does not run. */
  onKernel(kernel: KernelName, rate: number | null): void;
  onWorkers(workers: number, rate: number): void;
  onPause(): void;
};

/** No kernel runs: the browser starts no module workers, or a policy forbids them. */
export class NothingRuns extends Error {
  override readonly name = 'NothingRuns';
}

/**
 * Measures each kernel with one worker, then the fastest with more and more workers.
 *
 * A stage during which the tab was hidden is measured anew once it is seen again. Rejects with the signal's reason, or
 * NothingRuns.
 */
export async function runBench(
  { measure, visibility }: RunDeps,
  pace: Pace,
  steps: readonly number[],
  signal: AbortSignal,
  events: RunEvents,
): Promise<Measured> {
  const totalMs = runMs(pace, steps);
  let doneMs = 0;

  const take = async (stage: Stage): Promise<number> => {
    for (;;) {
      signal.throwIfAborted();
      if (visibility.isHidden()) {
        events.onPause();
        await untilSeen(visibility, signal);
      }
      events.onStage(stage, doneMs / totalMs);
      const stop = new AbortController();
      const pass = () => stop.abort(signal.reason);
      signal.addEventListener('abort', pass, { once: true });
      const unlisten = visibility.onChange(() => {
        if (visibility.isHidden()) stop.abort(new Error('the tab was hidden'));
      });
      try {
        const rate = await measure(stage, stop.signal, (sample) => events.onSample(stage, sample));
        doneMs += stage.warmMs + stage.lastMs;
        return rate;
      } catch (error) {
        signal.throwIfAborted();
        if (!stop.signal.aborted) throw error;
      } finally {
        unlisten();
        signal.removeEventListener('abort', pass);
      }
    }
  };

  const kernels: Measured['kernels'] = { simd: null, scalar: null, javascript: null };
  let cause: unknown;
  for (const stage of kernelStages(pace)) {
    try {
      kernels[stage.kernel] = await take(stage);
    } catch (error) {
      signal.throwIfAborted();
      cause = error;
      doneMs += stage.warmMs + stage.lastMs;
    }
    events.onKernel(stage.kernel, kernels[stage.kernel]);
  }
  const [fastest] = (Object.keys(kernels) as KernelName[])
    .filter((name) => kernels[name] !== null)
    .sort((a, b) => (kernels[b] as number) - (kernels[a] as number));
  if (!fastest) throw new NothingRuns(cause instanceof Error ? cause.message : String(cause), { cause });

  const workers = [{ workers: 1, rate: kernels[fastest] as number }];
  events.onWorkers(1, kernels[fastest] as number);
  for (const stage of workerStages(pace, fastest, steps)) {
    const rate = await take(stage);
    workers.push({ workers: stage.workers, rate });
    events.onWorkers(stage.workers, rate);
  }
  return { kernels, fastest, workers };
}

function untilSeen(visibility: Visibility, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      unlisten();
      signal.removeEventListener('abort', abort);
    };
    const abort = () => {
      end();
      reject(signal.reason);
    };
    const unlisten = visibility.onChange(() => {
      if (visibility.isHidden()) return;
      end();
      resolve();
    });
    signal.addEventListener('abort', abort, { once: true });
  });
}
