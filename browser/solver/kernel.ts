import { CHALLENGE_CHARS } from '../../assembly/layout.ts';
import { FOUND, NOT_FOUND } from '../../assembly/status.ts';
import { refusal } from './challenge.ts';
import type { KernelName } from './protocol.ts';
import { readU64 } from './u64.ts';

/**
 * Code that tries answers. It runs synchronously, and keeps one loaded challenge.
 *
 * Answers are u64: decimal text in the first two functions, BigInt in `step`. A search tries `start`,
 * `start + 1`, … and goes on at 0 after 2⁶⁴ − 1; it gives the first answer in that order.
 * Each function that takes a challenge throws ChallengeRefused for a text that is none, and loads it otherwise.
 */
export type Kernel = {
  name: KernelName;
  /** The first answer from 0 on. Takes 2ᵇ tries in the mean, and blocks its thread. */
  solve_once_b64(challenge: string): string;
  /** The first of `max_iters` answers, or null. Throws RangeError for a number that is no u64. */
  solve_step_b64(challenge: string, start: bigint | string, max_iters: bigint | number): string | null;
  /** Takes a challenge in for `step`. */
  load(challenge: string): void;
  /** As solve_step_b64 on the loaded challenge. Throws RangeError for a number that is no u64. */
  step(start: bigint, count: number): bigint | null;
};

/** What both Wasm builds export (assembly/simd.ts). An i64 goes in as any BigInt and comes out signed. */
export type SolverExports = {
  memory: WebAssembly.Memory;
  input_address: WebAssembly.Global;
  block_address: WebAssembly.Global;
  state_address: WebAssembly.Global;
  solve_once_b64(length: number): number;
  solve_step_b64(length: number, start: bigint, max_iters: bigint): number;
  load_challenge(length: number): number;
  solve_step(start: bigint, max_iters: bigint): number;
  answer(): bigint;
  compress_block(): void;
  reset_state(): void;
};

/** A kernel over a compiled build of the solver. */
export function createWasmKernel(name: KernelName, module: WebAssembly.Module): Kernel {
  const exports = new WebAssembly.Instance(module).exports as SolverExports;
  let isLoaded = false;

  const write = (text: string): number => {
    const input = new Uint8Array(exports.memory.buffer, exports.input_address.value, CHALLENGE_CHARS);
    // A text of another length is refused by its length alone; a character beyond ASCII becomes one that is foreign.
    for (let i = 0; i < CHALLENGE_CHARS; i++) {
      const code = i < text.length ? text.charCodeAt(i) : 0;
      input[i] = code < 128 ? code : 0;
    }
    return text.length;
  };

  const read = (status: number, challenge: string): bigint | null => {
    isLoaded = status >= NOT_FOUND;
    if (!isLoaded) throw refusal(status, challenge);
    return status === FOUND ? BigInt.asUintN(64, exports.answer()) : null;
  };

  return {
    name,
    solve_once_b64(challenge) {
      const answer = read(exports.solve_once_b64(write(challenge)), challenge);
      if (answer === null) throw new Error('challenge: none of the 2^64 answers solves it');
      return String(answer);
    },
    solve_step_b64(challenge, start, max_iters) {
      const from = readU64(start, 'start');
      const count = readU64(max_iters, 'max_iters');
      const answer = read(exports.solve_step_b64(write(challenge), from, count), challenge);
      return answer === null ? null : String(answer);
    },
    load(challenge) {
      read(exports.load_challenge(write(challenge)), challenge);
    },
    step(start, count) {
      if (!isLoaded) throw new Error('step: expected a loaded challenge, got none');
      const status = exports.solve_step(readU64(start, 'start'), readU64(count, 'count'));
      return status === FOUND ? BigInt.asUintN(64, exports.answer()) : null;
    },
  };
}
