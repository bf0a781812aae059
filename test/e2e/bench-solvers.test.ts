import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type BenchBrowser, openBenchBrowser } from '../../bench/chromium/browser.ts';
import type { BenchPage } from '../../bench/chromium/page.ts';
import { isProven, readProof } from '../../bench/solver/check.ts';
import { SOLVERS } from '../../bench/solver/measure.ts';

// What the functions given to `evaluate` find in the page.
declare const bench: BenchPage;

let browser: BenchBrowser;
before(async () => {
  browser = await openBenchBrowser();
});
after(() => browser.close());

// The slow ones would take seconds to warm up; their answers are tested in Node.
const quick = SOLVERS.filter(({ name }) => /^(ours|Cap|mCaptcha|Friendly|ALTCHA, its worker)/.test(name));

for (const { name, isThreaded } of quick) {
  test(`in a page "${name}" gives answers that hold, and the processor's clock runs`, async () => {
    const { cold, steady, proofs } = await browser.inFreshPage((page) =>
      page.evaluate((which) => bench.measure(which, 7, 30), name),
    );
    assert.ok(proofs.map(readProof).every(isProven));
    for (const { tries, ms, wallMs } of [cold, steady]) {
      assert.ok(tries > 0 && wallMs > 0);
      // One thread computes no longer than the clock on the wall runs; other threads' time comes in ticks of ten.
      if (!isThreaded) assert.ok(ms > 0 && ms < wallMs + 10, `${ms} of ${wallMs} ms`);
    }
  });
}

test('the workers of a pool are found, by their time on a processor', async () => {
  await browser.inFreshPage(async (page) => {
    await page.evaluate(() => bench.startPool(2, 7));
    const earlier = await browser.workerTimes();
    await page.evaluate(() => bench.runPool(300));
    const later = await browser.workerTimes();
    if (process.platform === 'linux') {
      assert.equal(later?.threads, 2);
      assert.ok(later.ranMs > Number(earlier?.ranMs));
    }
    assert.ok((await page.evaluate(() => bench.stopPool())) >= 0);
  });
});
