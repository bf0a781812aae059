import type { Measurement } from '../groups.ts';
import { type Contender, runRounds } from '../rounds.ts';
import { isProven } from '../solver/check.ts';
import { BASELINE, type Place, solverContenders } from '../solver/sampling.ts';
import { median } from '../statistics.ts';
import { expectRight } from '../wrong-answer.ts';
import { type BenchBrowser, openBenchBrowser } from './browser.ts';
import type { BenchPage } from './page.ts';

// What the functions given to `evaluate` find in the page.
declare const bench: BenchPage;

type Size = { rounds: number; sampleMs: number };

/** The solvers in fresh pages of Chromium, the kernel first. */
export async function measureInChromium(
  { rounds, sampleMs }: Size,
  isOwnOnly: boolean,
): Promise<Measurement> {
  return withBrowser(async (browser) => {
    const firstMillionMs: number[] = [];
    const place = inFreshPage(browser);
    const watched: Place = async (name, ...rest) => {
      const measured = await place(name, ...rest);
      const { tries, wallMs } = measured.cold;
      if (name === BASELINE) firstMillionMs.push((wallMs * 1e6) / tries);
      return measured;
    };
    const contenders = solverContenders('chromium', watched, sampleMs, isOwnOnly);
    const rows = await runRounds(contenders, rounds, { isWarm: true });
    return {
      rows,
      notes: [
        `Chromium ${browser.version}`,
        `first million tries by the clock on the wall, fetched over the loopback: median ${median(firstMillionMs).toFixed(0)} ms; at the lasting rate ${(1e9 / median(rows[0].perSecond)).toFixed(0)} ms`,
      ],
    };
  });
}

/** The pool with its workers and their messages beside the bare kernel, an abort, and how a page answers meanwhile. */
export async function measurePool({ rounds, sampleMs }: Size): Promise<Measurement> {
  return withBrowser(async (browser) => {
    // The clock on the wall for all three: a pool is there for the seconds that a visitor waits.
    const [kernel] = solverContenders('chromium', inFreshPage(browser), sampleMs, true, 'wallMs');
    const abortsMs: number[] = [];
    const shares = new Map<string, Share[]>();
    let seed = 1;
    const pool = (workers: number, name: string, baseline: string): Contender => ({
      name,
      baseline,
      async sample() {
        const sample = await samplePool(browser, workers, seed++, sampleMs);
        const proof = {
          tries: 1,
          message: Buffer.from(sample.message, 'hex'),
          hash: 'sha256',
          at: 0,
          expected: [0, 0],
        } as const;
        expectRight(
          name,
          () => isProven(proof),
          () => sample.message,
        );
        abortsMs.push(sample.abortMs);
        if (sample.share) shares.set(name, [...(shares.get(name) ?? []), sample.share]);
        return { perSecond: sample.perSecond, checked: 1 };
      },
    });
    const one = 'pool, one worker';
    const contenders = [kernel, pool(1, one, BASELINE), pool(2, 'pool, two workers', one)];
    const rows = await runRounds(contenders, rounds, { isWarm: true });
    const inp = await measureInp(browser);
    return {
      rows,
      notes: [
        `Chromium ${browser.version}`,
        ...[...shares].map(([name, list]) => `${name}: ${sayShares(list)}`),
        `abort to rejection: median ${median(abortsMs).toFixed(1)} ms, most ${Math.max(...abortsMs).toFixed(1)} ms`,
        `INP with two workers solving, 12 clicks: ${inp.value} ms (${inp.rating})`,
      ],
    };
  });
}

/** Of the time of a pool's workers: on a processor, and waiting for one that others had. The rest they were idle. */
type Share = { ran: number; waited: number };

async function samplePool(browser: BenchBrowser, workers: number, seed: number, sampleMs: number) {
  return browser.inFreshPage(async (page) => {
    const message = await page.evaluate(([count, from]) => bench.startPool(count, from), [
      workers,
      seed,
    ] as const);
    const before = await browser.workerTimes();
    const startedMs = performance.now();
    const { tries, ms } = await page.evaluate((lastMs) => bench.runPool(lastMs), sampleMs);
    const after = await browser.workerTimes();
    const wallMs = workers * (performance.now() - startedMs);
    const abortMs = await page.evaluate(() => bench.stopPool());
    const share: Share | null =
      before && after && after.threads === workers
        ? { ran: (after.ranMs - before.ranMs) / wallMs, waited: (after.waitedMs - before.waitedMs) / wallMs }
        : null;
    return { message, abortMs, share, perSecond: (tries / ms) * 1000 };
  });
}

function sayShares(shares: readonly Share[]): string {
  const percent = (part: (share: Share) => number) => `${(100 * median(shares.map(part))).toFixed(1)} %`;
  const idle = percent(({ ran, waited }) => Math.max(0, 1 - ran - waited));
  return `workers computed ${percent(({ ran }) => ran)} of the time, waited for a processor ${percent(({ waited }) => waited)}, for work ${idle}`;
}

/** Real clicks on a page whose workers solve and whose progress is shown. */
function measureInp(browser: BenchBrowser): Promise<{ value: number; rating: string }> {
  return browser.inFreshPage(async (page) => {
    await page.evaluate(() => bench.solveInBackground(2));
    for (let i = 0; i < 12; i++) {
      await page.waitForTimeout(120);
      await page.click('button');
    }
    await page.waitForFunction('globalThis.inp !== undefined');
    return page.evaluate('globalThis.inp') as Promise<{ value: number; rating: string }>;
  });
}

const inFreshPage =
  (browser: BenchBrowser): Place =>
  (name, seed, sampleMs) =>
    browser.inFreshPage((page) =>
      page.evaluate(([which, from, lastMs]) => bench.measure(which, from, lastMs), [
        name,
        seed,
        sampleMs,
      ] as const),
    );

async function withBrowser<T>(use: (browser: BenchBrowser) => Promise<T>): Promise<T> {
  const browser = await openBenchBrowser();
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}
