/** Measures one solver in this fresh process: `node bench/solver/node-process.ts <name> <seed> <ms>`; JSON on stdout. */

import { readFile } from 'node:fs/promises';
import { writeProof } from './check.ts';
import { measureSolver } from './measure.ts';

const [name, seed, sampleMs] = process.argv.slice(2);
const files = async (path: string) =>
  new Uint8Array(await readFile(new URL(`../../${path}`, import.meta.url)));
// The processor time of this thread, not the clock on the wall: what others do on the machine is not in it. Nor is the
// compiler's own thread, which runs beside; the million tries meanwhile are.
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
const { proofs, ...measured } = await measureSolver(name, files, Number(seed), Number(sampleMs), cpuMs);
process.stdout.write(JSON.stringify({ ...measured, proofs: proofs.map(writeProof) }));
