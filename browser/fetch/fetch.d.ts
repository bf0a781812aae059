/** The types of `gatehouse/fetch`; `page-fetch.ts` and `program-fetch.ts` are held to them by a test. */

export type GateProgress = {
  tries: number;
  ratePerSec: number;
  /** How likely an answer would have been found by now, 0..1. */
  probability: number;
  etaSecs: number;
  elapsedMs: number;
  workers: number;
  kernel: 'simd' | 'scalar' | 'javascript';
};

export type GateFetchOptions = {
  /** What sends the requests; without it the global `fetch`. */
  fetch?: typeof globalThis.fetch;
  /** Called at most ten times a second while a puzzle is solved. */
  onProgress?: (progress: GateProgress) => void;
  /** The most that is paid; a gate that asks for more is refused. 28 without it. */
  mostDifficultyBits?: number;
};

/** A gate that asks for a proof could not be paid. `code` is the server's problem code, or one of the solver's. */
export class SessionError extends Error {
  readonly name: 'SessionError';
  readonly code: string;
  readonly status: number | null;
  constructor(code: string, detail: string, status?: number | null, options?: ErrorOptions);
}

/** A `fetch` that pays at a gate. */
export function createGateFetch(options?: GateFetchOptions): typeof globalThis.fetch;
