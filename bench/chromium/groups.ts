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
    const contenders = solverContenders('chromium', inFreshPage(browser), sampleMs, isOwnOnly);
    return {
      rows: await runRounds(contenders, rounds, { isWarm: true }),
      notes: [`Chromium ${browser.version}`],
    };
  });
}

/** The pool with its workers and their messages beside the bare kernel, an abort, and how a page answers meanwhile. */
export async function measurePool({ rounds, sampleMs }: Size): Promise<Measurement> {
  return withBrowser(async (browser) => {
    const place = inFreshPage(browser);
    const [kernel] = solverContenders('chromium', place, sampleMs, true);
    const abortsMs: number[] = [];
    let seed = 1;
    const pool = (workers: number, name: string, baseline: string): Contender => ({
      name,
      baseline,
      async sample() {
        const input = [workers, seed++, sampleMs] as const;
        const { message, tries, ms, abortMs } = await browser.inFreshPage((page) =>
          page.evaluate(([count, from, lastMs]) => bench.pool(count, from, lastMs), input),
        );
        abortsMs.push(abortMs);
        const proof = {
          tries: 1,
          message: Buffer.from(message, 'hex'),
          hash: 'sha256',
          at: 0,
          expected: [0, 0],
        } as const;
        expectRight(
          name,
          () => isProven(proof),
          () => message,
        );
        return { perSecond: (tries / ms) * 1000, checked: 1 };
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
        `abort to rejection: median ${median(abortsMs).toFixed(1)} ms, most ${Math.max(...abortsMs).toFixed(1)} ms`,
        `INP with two workers solving, 12 clicks: ${inp.value} ms (${inp.rating})`,
      ],
    };
  });
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
