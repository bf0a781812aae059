import type { Kernel } from './kernel.ts';
import type { KernelName, SolverWorker } from './protocol.ts';

/** The worker's side of the protocol over a kernel that is loaded at the first challenge. */
export function createSolverWorker(loadKernel: (only?: KernelName) => Promise<Kernel>): SolverWorker {
  let loading: Promise<Kernel> | undefined;
  return {
    async load(challenge, only) {
      loading ??= loadKernel(only);
      const kernel = await loading;
      kernel.load(challenge);
      return kernel.name;
    },
    async step(start, count) {
      if (!loading) throw new Error('step: expected a loaded challenge, got none');
      return (await loading).step(start, count);
    },
  };
}
