import { HASHES } from './hashes.ts';
import { OWN } from './own.ts';
import { PEERS } from './peers.ts';
import type { Files, Proof, Solve, Solver } from './solver.ts';

/** Every solver, ours first. */
export const SOLVERS: readonly Solver[] = [...OWN, ...PEERS, ...HASHES];

/** Tries, and the milliseconds that they took of a processor and of the clock on the wall. */
export type Part = { tries: number; ms: number; wallMs: number };

/** What one fresh process measured. `proofs` are those of all parts. */
export type Measured = {
  /** Until about a million tries were made, or a part of a second had passed; loading and compiling included. */
  cold: Part;
  /** After a further warm-up, the same for every solver. */
  steady: Part;
  proofs: Proof[];
};

export type Clocks = {
  /** Milliseconds by which the parts end; read after every solve. */
  now(): number;
  wallMs(): number;
  /** Milliseconds that this thread has computed, or with `isWhole` all threads of this process. */
  computedMs(isWhole: boolean): number | Promise<number>;
};

type Moment = { ms: number; wallMs: number; startedMs: number };

const COLD_TRIES = 1_000_000;
const COLD_MS = 1000;
// Optimised code stands after some 20 ms for the slowest of them to be compiled.
const WARM_MS = 250;

/**
 * Runs the solver of this name in this process, which should be a fresh one, for `sampleMs` after its warm-up.
 * The processor's clock is read at both ends of a part only: a page has to ask for it.
 */
export async function measureSolver(
  name: string,
  files: Files,
  seed: number,
  sampleMs: number,
  { now, wallMs, computedMs }: Clocks,
): Promise<Measured> {
  const solver = SOLVERS.find((candidate) => candidate.name === name);
  if (!solver) throw new RangeError(`expected the name of a solver, got ${JSON.stringify(name)}`);
  const proofs: Proof[] = [];
  const readClocks = async (): Promise<Moment> => ({
    ms: await computedMs(solver.isThreaded === true),
    wallMs: wallMs(),
    startedMs: now(),
  });
  const run = async (
    solve: Solve,
    since: Moment,
    isDone: (tries: number, ms: number) => boolean,
  ): Promise<Part> => {
    let tries = 0;
    do {
      // A Promise is awaited only where there is one: ours would else pay for the peers' way of working.
      const given = solve(seed + proofs.length);
      const proof = given instanceof Promise ? await given : given;
      proofs.push(proof);
      tries += proof.tries;
    } while (!isDone(tries, now() - since.startedMs));
    const until = await readClocks();
    return { tries, ms: until.ms - since.ms, wallMs: until.wallMs - since.wallMs };
  };
  const started = await readClocks();
  const solve = await solver.open(files);
  const cold = await run(solve, started, (tries, ms) => tries >= COLD_TRIES || ms >= COLD_MS);
  await run(solve, await readClocks(), (_, ms) => ms >= WARM_MS);
  const steady = await run(solve, await readClocks(), (_, ms) => ms >= sampleMs);
  return { cold, steady, proofs };
}
