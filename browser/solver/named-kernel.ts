import { createJavascriptKernel } from './javascript-kernel.ts';
import { createWasmKernel, type Kernel } from './kernel.ts';
import { hasSimd, isTrustworthy, type SolverBuilds } from './load-kernel.ts';
import type { KernelName } from './protocol.ts';

/**
 * The kernel of this name and no other, for whoever compares them.
 * @throws Error where it does not work here: no `v128`, no Wasm, its file does not come, or it computes nonsense
 */
export async function loadNamedKernel(
  builds: SolverBuilds,
  name: KernelName,
  canSimd: () => boolean = hasSimd,
): Promise<Kernel> {
  if (name === 'javascript') return createJavascriptKernel();
  if (name === 'simd' && !canSimd()) throw new Error('simd: this engine has no v128');
  const kernel = createWasmKernel(name, await builds[name]());
  if (!isTrustworthy(kernel)) throw new Error(`${name}: it does not find a known answer`);
  return kernel;
}
