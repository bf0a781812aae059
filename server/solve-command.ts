import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { readRefusal } from '../browser/fetch/refusal.ts';
import { createWasmKernel } from '../browser/solver/kernel.ts';
import { PASSPORT_COOKIE, PassportBody } from './wire/pow.ts';

const USAGE = 'expected: solve URL [--data JSON]';

// A refusal of the gate, as far as a program needs it.
const Refusal = z.object({ challenge: z.object({ challenge: z.string() }) });

export type SolveDeps = {
  fetch: typeof fetch;
  /** The answer of a challenge. */
  solve(challenge: string): string;
  output: { log(line: string): void; error(line: string): void };
};

/**
 * Runs `solve URL`: asks for the URL, solves what the gate asks, and prints what opens it, so that
 * `curl -b "$(gatehouse solve URL)" URL` gets in.
 *
 * A route in per-request mode gives the proof for one request, as the value of an `Authorization` header. With `--data` the
 * request is a POST of that JSON, whose price may depend on it.
 * Gives the exit status: 0 also where nothing is to be solved (and then prints nothing), 1 where the gate or the network
 * refuses, 2 for a command that is none.
 */
export async function runSolveCommand(args: readonly string[], deps: SolveDeps): Promise<number> {
  const [url = '', option, data] = args;
  const isForm = args.length === 1 || (args.length === 3 && option === '--data');
  if (!isForm || !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    deps.output.error(USAGE);
    return 2;
  }
  try {
    return await solveUrl(url, data, deps);
  } catch (error) {
    const { message, cause } = error as Error;
    deps.output.error(`${message}${cause instanceof Error ? `: ${cause.message}` : ''}`);
    return 1;
  }
}

async function solveUrl(
  url: string,
  data: string | undefined,
  { fetch, solve, output }: SolveDeps,
): Promise<number> {
  const headers = { 'User-Agent': 'gatehouse-solve', Accept: 'application/json' };
  const asked = await fetch(url, {
    redirect: 'manual',
    ...(data === undefined
      ? { headers }
      : { headers: { ...headers, 'Content-Type': 'application/json' }, method: 'POST', body: data }),
  });
  const refusal = readRefusal(asked);
  if (!refusal) {
    await asked.body?.cancel();
    output.error(`nothing to solve: ${url} answers ${asked.status}`);
    return asked.ok ? 0 : 1;
  }
  const { challenge } = Refusal.parse(await asked.json()).challenge;
  const answer = solve(challenge);
  if (refusal.mode === 'request') {
    output.log(`PoW ${challenge}:${answer}`);
    return 0;
  }
  const redeemed = await fetch(new URL('/pow/passport', url), {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ challenge, answer }),
  });
  if (!redeemed.ok) {
    output.error(`the gate refused the passport: ${redeemed.status} ${await redeemed.text()}`);
    return 1;
  }
  output.log(`${PASSPORT_COOKIE}=${PassportBody.parse(await redeemed.json()).passport}`);
  return 0;
}

/** Solves with the four-lane Wasm that the build wrote. */
export function solveInWasm(challenge: string): string {
  const path = fileURLToPath(new URL('../build/wasm/solver-simd.wasm', import.meta.url));
  return createWasmKernel('simd', new WebAssembly.Module(readFileSync(path))).solve_once_b64(challenge);
}
