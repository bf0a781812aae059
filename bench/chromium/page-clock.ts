import type { Page } from 'playwright-core';

/**
 * Milliseconds that the page's own thread has computed; with `isWhole`, all threads of its process, in ticks of ten.
 * A page cannot read them itself, so it is given this as a function.
 */
export type PageClock = (isWhole: boolean) => Promise<number>;

export async function openPageClock(page: Page): Promise<PageClock> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  return async (isWhole) => {
    const { metrics } = await session.send('Performance.getMetrics');
    const wanted = isWhole ? 'ProcessTime' : 'ThreadTime';
    const metric = metrics.find(({ name }) => name === wanted);
    if (!metric) throw new Error(`Chromium tells no ${wanted}`);
    return metric.value * 1000;
  };
}
