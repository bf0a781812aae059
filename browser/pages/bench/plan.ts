import type { KernelName } from '../../solver/protocol.ts';
import type { Stage } from './measure.ts';

/** All kernels, fastest first where they all run. */
export const KERNELS: readonly KernelName[] = ['simd', 'scalar', 'javascript'];

/** Numbers of workers that say the most for their time: the curve bends where cores end. */
const STEPS = [1, 2, 3, 4, 6, 8, 12, 16];

/** The most that a page starts, here as in the solver's own count. Our choice. */
const MOST_WORKERS = 16;
/** Our choice where the browser does not say: nearly every device in use has two cores. */
const UNKNOWN_CORES = 2;

/** How long each stage warms up and lasts. Twenty seconds in all on sixteen cores, seven on two. */
export type Pace = {
  kernel: { warmMs: number; lastMs: number };
  workers: { warmMs: number; lastMs: number };
};

export const PACE: Pace = { kernel: { warmMs: 300, lastMs: 2000 }, workers: { warmMs: 250, lastMs: 1500 } };
/** For `?quick`: just enough to see that all of it works. */
export const QUICK_PACE: Pace = {
  kernel: { warmMs: 30, lastMs: 120 },
  workers: { warmMs: 30, lastMs: 120 },
};

/** The numbers of workers that are measured, ascending, from 1 to the device's own. */
export function workerSteps(hardwareConcurrency: unknown): number[] {
  const said = typeof hardwareConcurrency === 'number' && hardwareConcurrency >= 1;
  const most = Math.min(MOST_WORKERS, said ? Math.floor(hardwareConcurrency) : UNKNOWN_CORES);
  return [...STEPS.filter((workers) => workers < most), most];
}

/** One worker with each kernel. */
export const kernelStages = (pace: Pace): Stage[] =>
  KERNELS.map((kernel) => ({ kernel, workers: 1, ...pace.kernel }));

/** More and more workers with the fastest kernel. What one makes is known by then. */
export const workerStages = (pace: Pace, fastest: KernelName, steps: readonly number[]): Stage[] =>
  steps.filter((workers) => workers > 1).map((workers) => ({ kernel: fastest, workers, ...pace.workers }));

/** Milliseconds that a run takes, without the start of workers. */
export function runMs(pace: Pace, steps: readonly number[]): number {
  const each = ({ warmMs, lastMs }: { warmMs: number; lastMs: number }) => warmMs + lastMs;
  return KERNELS.length * each(pace.kernel) + steps.filter((n) => n > 1).length * each(pace.workers);
}
