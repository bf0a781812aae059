import type { After } from './after.ts';
import { createJavascriptKernel } from './javascript-kernel.ts';
import { createWasmKernel, type Kernel } from './kernel.ts';
import type { KernelName } from './protocol.ts';

/** Where the two builds come from; a rejection means that the build cannot be had here. */
export type SolverBuilds = Record<Exclude<KernelName, 'javascript'>, () => Promise<WebAssembly.Module>>;

/**
 * Our choice, for both builds together: in this time JavaScript does what Wasm does in one second, so that waiting
 * longer for 16 kB seldom pays.
 */
const LONGEST_LOAD_MS = 5000;

// A module whose only function is `() => { v128.const 0; drop }`: valid exactly where v128 is known.
// biome-ignore format: one section per line
const V128_PROBE = Uint8Array.of(
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, // magic, version 1
  0x01, 0x04, 0x01, 0x60, 0x00, 0x00, // types: () -> ()
  0x03, 0x02, 0x01, 0x00, // functions: one, of type 0
  0x0a, 0x17, 0x01, 0x15, 0x00, 0xfd, 0x0c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x1a, 0x0b, // code
);

/** Whether this engine runs four-lane Wasm. */
export function hasSimd(): boolean {
  return WebAssembly.validate(V128_PROBE);
}

/**
 * The fastest kernel that works here: four lanes, scalar Wasm where `v128` is missing, JavaScript where Wasm is
 * refused (a CSP without 'wasm-unsafe-eval'), missing, or its file does not come in time.
 */
export async function loadKernel(
  builds: SolverBuilds,
  after: After,
  canSimd: () => boolean = hasSimd,
): Promise<Kernel> {
  let cancel = () => {};
  const late = new Promise<null>((resolve) => {
    cancel = after(LONGEST_LOAD_MS, () => resolve(null));
  });
  const kernel = await Promise.race([loadWasmKernel(builds, canSimd), late]);
  cancel();
  return kernel ?? createJavascriptKernel();
}

async function loadWasmKernel(builds: SolverBuilds, canSimd: () => boolean): Promise<Kernel | null> {
  for (const name of ['simd', 'scalar'] as const) {
    try {
      if (name === 'simd' && !canSimd()) continue;
      const kernel = createWasmKernel(name, await builds[name]());
      if (isTrustworthy(kernel)) return kernel;
    } catch {
      // Whatever the reason, the next one is worth a try; which kernel was taken is shown with the progress.
    }
  }
  return null;
}

// Version 1, kind 1, 8 bits, all else zero. A kernel that computed nonsense would be found out by the server only
// after all the work.
const CHECK_CHALLENGE = `AQABAAg${'A'.repeat(108)}`;
const CHECK_ANSWER = '112';

/** Whether the kernel finds a known answer. */
export function isTrustworthy(kernel: Kernel): boolean {
  return kernel.solve_step_b64(CHECK_CHALLENGE, 0n, 4096) === CHECK_ANSWER;
}
