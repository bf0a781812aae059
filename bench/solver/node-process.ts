/** Measures one solver in this fresh process: `node bench/solver/node-process.ts <name> <seed> <ms>`; JSON on stdout. */

import { readFile } from 'node:fs/promises';
import { processCpuMs, threadCpuMs } from '../cpu-clock.ts';
import { writeProof } from './check.ts';
import { measureSolver } from './measure.ts';

const [name, seed, sampleMs] = process.argv.slice(2);
const files = async (path: string) =>
  new Uint8Array(await readFile(new URL(`../../${path}`, import.meta.url)));
const { proofs, ...measured } = await measureSolver(name, files, Number(seed), Number(sampleMs), {
  now: threadCpuMs,
  wallMs: () => performance.now(),
  computedMs: (isWhole) => (isWhole ? processCpuMs() : threadCpuMs()),
});
process.stdout.write(JSON.stringify({ ...measured, proofs: proofs.map(writeProof) }));
