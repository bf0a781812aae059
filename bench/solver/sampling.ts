import { readFileSync } from 'node:fs';
import type { Contender, Sample } from '../rounds.ts';
import { expectRight } from '../wrong-answer.ts';
import { isProven, readProof, type WrittenProof } from './check.ts';
import { type Measured, SOLVERS } from './measure.ts';

/** What a fresh process or page sends back. */
export type WrittenMeasured = Omit<Measured, 'proofs'> & { proofs: WrittenProof[] };

/** Measures the solver of a name somewhere fresh. */
export type Place = (name: string, seed: number, sampleMs: number) => Promise<WrittenMeasured>;

export const BASELINE = 'ours, four lanes';
const COLD = 'ours, four lanes: first million tries, load and compile included';

/**
 * The solvers that run in `where`, each sample taken in a fresh place and every proof in it checked here.
 * The first million tries of our four lanes, from nothing, stand beside their lasting rate. `clock` is the processor's,
 * or that on the wall.
 */
export function solverContenders(
  where: 'node' | 'chromium',
  place: Place,
  sampleMs: number,
  isOwnOnly: boolean,
  clock: 'ms' | 'wallMs' = 'ms',
): Contender[] {
  let seed = 1;
  const chosen = SOLVERS.filter(
    (solver) => (solver.only ?? where) === where && (!isOwnOnly || solver.package === null),
  );
  return chosen.flatMap(({ name, package: from }) => {
    const measure = async (part: 'cold' | 'steady', ms: number): Promise<Sample> => {
      seed += 10_000;
      const { proofs, ...measured } = await place(name, seed, ms);
      for (const proof of proofs.map(readProof)) {
        expectRight(
          name,
          () => isProven(proof),
          () => `the digest of ${Buffer.from(proof.message).toString('hex')}`,
        );
      }
      const { tries, [clock]: spentMs } = measured[part];
      return { perSecond: (tries / spentMs) * 1000, checked: proofs.length };
    };
    const sample = () => measure('steady', sampleMs);
    const baseline = name === BASELINE ? null : BASELINE;
    const shown = { name: from === null ? name : `${name} (${versionOf(from)})`, baseline, sample };
    return name === BASELINE
      ? [shown, { name: COLD, baseline: BASELINE, sample: () => measure('cold', 1) }]
      : [shown];
  });
}

function versionOf(name: string): string {
  if (name === 'node') return `OpenSSL ${process.versions.openssl}`;
  const file = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
  return `${name} ${JSON.parse(readFileSync(file, 'utf8')).version}`;
}
