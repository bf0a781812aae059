import { HASHES } from './hashes.ts';
import { OWN } from './own.ts';
import { PEERS } from './peers.ts';
import type { Files, Proof, Solver } from './solver.ts';

/** Every solver, ours first. */
export const SOLVERS: readonly Solver[] = [...OWN, ...PEERS, ...HASHES];

/** What one fresh process measured. `proofs` are those of both parts. */
export type Measured = {
  /** Until about a million tries were made, or a part of a second had passed; loading and compiling included. */
  cold: { tries: number; ms: number };
  /** From then on. */
  steady: { tries: number; ms: number };
  proofs: Proof[];
};

const COLD_TRIES = 1_000_000;
const COLD_MS = 300;

/** Runs the solver of this name in this process, which should be a fresh one, for `sampleMs` after its warm-up. `now` gives milliseconds. */
export async function measureSolver(
  name: string,
  files: Files,
  seed: number,
  sampleMs: number,
  now: () => number,
): Promise<Measured> {
  const solver = SOLVERS.find((candidate) => candidate.name === name);
  if (!solver) throw new RangeError(`expected the name of a solver, got ${JSON.stringify(name)}`);
  const proofs: Proof[] = [];
  const startedMs = now();
  const solve = await solver.open(files);
  const run = async (sinceMs: number, isDone: (tries: number, ms: number) => boolean) => {
    for (let tries = 0; ; ) {
      // A Promise is awaited only where there is one: ours would else pay for the peers' way of working.
      const given = solve(seed + proofs.length);
      const proof = given instanceof Promise ? await given : given;
      proofs.push(proof);
      tries += proof.tries;
      const ms = now() - sinceMs;
      if (isDone(tries, ms)) return { tries, ms };
    }
  };
  const cold = await run(startedMs, (tries, ms) => tries >= COLD_TRIES || ms >= COLD_MS);
  const steady = await run(now(), (_, ms) => ms >= sampleMs);
  return { cold, steady, proofs };
}
