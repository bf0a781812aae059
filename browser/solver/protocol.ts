/** What page and worker say to each other, and what the pool tells its caller. No logic lives here. */

/** Which code computes the hashes: four lanes of Wasm, scalar Wasm, or JavaScript where Wasm is refused. */
export type KernelName = 'simd' | 'scalar' | 'javascript';

/** What a worker offers through Comlink. Answers and starts are u64 as BigInt, counts are numbers of tries. */
export type SolverWorker = {
  /**
   * Loads the best kernel that works here, takes the challenge in, and says which kernel it is.
   * @param only the one kernel to load instead, to compare them; rejects where it does not work here
   */
  load(challenge: string, only?: KernelName): Promise<KernelName>;
  /**
   * Tries `start`, `start + 1`, … (`count` of them, wrapping at 2⁶⁴) and gives the first answer, or null.
   * @param count 0 .. 2**31 - 1 tries
   */
  step(start: bigint, count: number): Promise<bigint | null>;
};

/** Where the search stands. Probabilities are 0..1; `ratePerSec` is tries per second over all workers. */
export type SolveProgress = {
  tries: number;
  ratePerSec: number;
  /** 1 − (1 − 2⁻ᵇ)ⁿ: how likely an answer would have been found by now. */
  probability: number;
  /** Expected seconds still to go. The search has no memory, so this is 2ᵇ / rate whatever was tried before. */
  etaSecs: number;
  elapsedMs: number;
  workers: number;
  kernel: KernelName;
};

/** An answer and what it took. `answer` is the decimal text that goes on the wire. */
export type Solution = {
  answer: string;
  tries: number;
  elapsedMs: number;
  workers: number;
  kernel: KernelName;
};
