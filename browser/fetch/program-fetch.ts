import scalarUrl from '../../build/wasm/solver-scalar.wasm?url';
import simdUrl from '../../build/wasm/solver-simd.wasm?url';
import { after } from '../solver/after.ts';
import { createGateClient } from '../solver/gate-client.ts';
import type { Kernel } from '../solver/kernel.ts';
import { loadKernel } from '../solver/load-kernel.ts';
import { createSession, solveInTime } from '../solver/obtain-passport.ts';
import type { Pool } from '../solver/pool.ts';
import { createSliceSolver } from '../solver/solve-in-slices.ts';
import { createGateFetchWith, type GateFetchOptions, type SolveAsked } from './gate-fetch.ts';

export { SessionError } from '../solver/session-error.ts';
export type { GateFetchOptions };

// The build writes the Wasm into this file, as a data URL.
const compile = (url: string) =>
  WebAssembly.compile(Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (byte) => byte.charCodeAt(0)));

const now = () => performance.now();
const yieldThread = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

let loading: Promise<Kernel> | undefined;
const solve: Pool['solve'] = async (challenge, options) => {
  loading ??= loadKernel({ simd: () => compile(simdUrl), scalar: () => compile(scalarUrl) }, after);
  return createSliceSolver({ kernel: await loading, now, yieldThread })(challenge, options);
};

const gateAt = ({ origin, fetch }: SolveAsked) =>
  createGateClient({ after, fetch: (path, init) => fetch(new URL(path, origin), init) });

/**
 * A `fetch` for programs that pays at a gate. Passports are kept in memory, by origin, and sent as a cookie to that origin
 * alone. Solves with Wasm on the calling thread, in short steps.
 */
export function createGateFetch(options: GateFetchOptions = {}): typeof globalThis.fetch {
  return createGateFetchWith(
    {
      base: () => undefined,
      keepsCookies: () => false,
      takesPassports: () => true,
      now,
      obtainPassport: (asked) => createSession({ gate: gateAt(asked), solve, now, after })(asked),
      async solve(asked) {
        const { route, challenge, receivedMs, signal, onProgress } = asked;
        const held = challenge
          ? { body: challenge, receivedMs }
          : { body: await gateAt(asked).fetchChallenge(route, signal), receivedMs: now() };
        const solution = await solveInTime({ solve, now, after }, held, signal, onProgress);
        return solution && `${held.body.challenge}:${solution.answer}`;
      },
    },
    options,
  );
}
