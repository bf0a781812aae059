import { readFileSync } from 'node:fs';
import { INITIAL_STATE } from '../../../assembly/round-constants.ts';
import { createJavascriptKernel } from '../../../browser/solver/javascript-kernel.ts';
import { createWasmKernel, type Kernel, type SolverExports } from '../../../browser/solver/kernel.ts';
import { compressBlock } from '../../../server/base/sha256.ts';

/** A solver and the compression function that it is made of. */
export type Implementation = {
  kernel: Kernel;
  /** Gives the eight words of the chaining value after these 64-byte blocks. */
  compress(blocks: Uint8Array[]): Int32Array;
};

/** The bytes of a build; `npm run build:wasm` makes them. */
export function wasmBytes(name: 'simd' | 'scalar'): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(new URL(`../../../build/wasm/solver-${name}.wasm`, import.meta.url)));
}

/** Every implementation; node:crypto is the oracle. */
export const IMPLEMENTATIONS: readonly Implementation[] = [wasm('simd'), wasm('scalar'), javascript()];

function wasm(name: 'simd' | 'scalar'): Implementation {
  const module = new WebAssembly.Module(wasmBytes(name));
  return {
    kernel: createWasmKernel(name, module),
    compress(blocks) {
      const exports = new WebAssembly.Instance(module).exports as SolverExports;
      const block = new Uint8Array(exports.memory.buffer, exports.block_address.value, 64);
      exports.reset_state();
      for (const bytes of blocks) {
        block.set(bytes);
        exports.compress_block();
      }
      return new Int32Array(exports.memory.buffer, exports.state_address.value, 8);
    },
  };
}

function javascript(): Implementation {
  return {
    kernel: createJavascriptKernel(),
    compress(blocks) {
      const state = Int32Array.from(INITIAL_STATE);
      for (const block of blocks) compressBlock(state, block);
      return state;
    },
  };
}
