/** What the benchmark calls in the page. Built by bench/chromium/browser.ts. */

import { onINP } from 'web-vitals';
import { after } from '../../browser/solver/after.ts';
import { createPool } from '../../browser/solver/pool.ts';
import { spawnWorker } from '../../browser/solver/spawn-worker.ts';
import { measureSolver } from '../solver/measure.ts';
import { challengeOf, messageOf } from '../solver/own.ts';
import { type Files, seedBytes } from '../solver/solver.ts';

const now = () => performance.now();

// Given to the page by bench/chromium/browser.ts.
declare const computedMs: (isWhole: boolean) => Promise<number>;

const files: Files = async (path) => {
  const response = await fetch(`/files/${path}`);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
};

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** More than any search of seconds finds, so that the pool is measured at work and not at its end. */
const ENDLESS_BITS = 60;

// Workers start, steps grow, and Chromium ends what it does for a new page.
const SETTLING_MS = 1000;

type Report = { tries: number; elapsedMs: number };
type Running = { stop: AbortController; reports: Report[]; solving: Promise<unknown> };
let running: Running | undefined;

const passMs = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const api = {
  async measure(name: string, seed: number, sampleMs: number) {
    const { proofs, ...measured } = await measureSolver(name, files, seed, sampleMs, {
      now,
      wallMs: now,
      computedMs,
    });
    return { ...measured, proofs: proofs.map((proof) => ({ ...proof, message: hex(proof.message) })) };
  },

  /** Solves one puzzle and begins one without an answer; comes back when steps have their lasting size. */
  async startPool(workers: number, seed: number) {
    const pool = createPool({ spawn: spawnWorker, now, after, workers });
    const nonce = seedBytes(seed, 32);
    const { answer } = await pool.solve(challengeOf(nonce, 16));
    const stop = new AbortController();
    const reports: Report[] = [];
    const solving = pool.solve(challengeOf(nonce, ENDLESS_BITS), {
      signal: stop.signal,
      onProgress: ({ tries, elapsedMs }) => reports.push({ tries, elapsedMs }),
    });
    running = { stop, reports, solving };
    await passMs(SETTLING_MS);
    // On a busy machine the workers may not have begun.
    while (reports.length === 0) await passMs(100);
    return hex(messageOf(nonce, BigInt(answer)));
  },

  /** Tries for `sampleMs`: from the first report to the last. */
  async runPool(sampleMs: number) {
    const { reports } = running as Running;
    const before = reports.length;
    await passMs(sampleMs);
    while (reports.length === before) await passMs(100);
    const [first, last] = [reports[before - 1], reports[reports.length - 1]];
    return { tries: last.tries - first.tries, ms: last.elapsedMs - first.elapsedMs };
  },

  /** Milliseconds from an abort until it is heard. */
  async stopPool() {
    const { stop, solving } = running as Running;
    const stoppedMs = now();
    stop.abort();
    await solving.catch(() => {});
    return now() - stoppedMs;
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
