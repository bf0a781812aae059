/** What the benchmark calls in the page. Built by bench/chromium/browser.ts. */

import { onINP } from 'web-vitals';
import { after } from '../../browser/solver/after.ts';
import { createPool } from '../../browser/solver/pool.ts';
import { spawnWorker } from '../../browser/solver/spawn-worker.ts';
import { measureSolver } from '../solver/measure.ts';
import { challengeOf, messageOf } from '../solver/own.ts';
import { type Files, seedBytes } from '../solver/solver.ts';

const now = () => performance.now();

const files: Files = async (path) => {
  const response = await fetch(`/files/${path}`);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
};

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** More than any search of seconds finds, so that the pool is measured at work and not at its end. */
const ENDLESS_BITS = 60;

const api = {
  async measure(name: string, seed: number, sampleMs: number) {
    const { proofs, ...measured } = await measureSolver(name, files, seed, sampleMs, now);
    return { ...measured, proofs: proofs.map((proof) => ({ ...proof, message: hex(proof.message) })) };
  },

  /** Solves one puzzle, then tries for `sampleMs`: rate between two reports, and how long an abort took to be heard. */
  async pool(workers: number, seed: number, sampleMs: number) {
    const pool = createPool({ spawn: spawnWorker, now, after, workers });
    const nonce = seedBytes(seed, 32);
    const { answer } = await pool.solve(challengeOf(nonce, 16));
    const message = hex(messageOf(nonce, BigInt(answer)));
    const stop = new AbortController();
    const reports: { tries: number; elapsedMs: number }[] = [];
    const solving = pool.solve(challengeOf(nonce, ENDLESS_BITS), {
      signal: stop.signal,
      onProgress: ({ tries, elapsedMs }) => reports.push({ tries, elapsedMs }),
    });
    await new Promise((resolve) => setTimeout(resolve, sampleMs));
    const stoppedMs = now();
    stop.abort();
    await solving.catch(() => {});
    const abortMs = now() - stoppedMs;
    // Without the first reports, in which steps still grow.
    const settled = reports.filter(({ elapsedMs }) => elapsedMs > 400);
    const [first, last] = [settled[0], settled[settled.length - 1]];
    return { message, tries: last.tries - first.tries, ms: last.elapsedMs - first.elapsedMs, abortMs };
  },

  /** Begins to solve without end, as the verifying page does, and shows progress. */
  solveInBackground(workers: number) {
    const [output] = document.getElementsByTagName('output');
    const onProgress = ({ tries }: { tries: number }) => {
      output.textContent = `${tries} tries`;
    };
    createPool({ spawn: spawnWorker, now, after, workers })
      .solve(challengeOf(seedBytes(1, 32), ENDLESS_BITS), { onProgress })
      .catch(() => {});
    document.getElementsByTagName('button')[0].addEventListener('click', (event) => {
      (event.target as HTMLButtonElement).textContent = `Clicked at ${Math.round(now())}`;
    });
    onINP(
      ({ value, rating }) => {
        (window as unknown as { inp: unknown }).inp = { value, rating };
      },
      { reportAllChanges: true, durationThreshold: 0 },
    );
  },
};

(window as unknown as { bench: typeof api }).bench = api;
export type BenchPage = typeof api;
