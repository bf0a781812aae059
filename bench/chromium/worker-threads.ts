import { readdirSync, readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';

/** What the workers' threads have had so far, summed up: milliseconds on a processor, and waiting for one. */
export type WorkerTimes = { ranMs: number; waitedMs: number; threads: number };

/** Reads the times of all workers of all pages of this browser; null where the system keeps none (/proc, Linux). */
export async function readWorkerTimes(browser: Browser): Promise<WorkerTimes | null> {
  const session = await browser.newBrowserCDPSession();
  try {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const sum = { ranMs: 0, waitedMs: 0, threads: 0 };
    for (const { id } of processInfo.filter(({ type }) => type === 'renderer')) {
      for (const thread of readdirSync(`/proc/${id}/task`)) {
        const folder = `/proc/${id}/task/${thread}`;
        if (!readFileSync(`${folder}/comm`, 'utf8').startsWith('DedicatedWorker')) continue;
        // Nanoseconds on a processor, nanoseconds in its queue, and how often it came on.
        const [ran, waited] = readFileSync(`${folder}/schedstat`, 'utf8').split(' ').map(Number);
        sum.ranMs += ran / 1e6;
        sum.waitedMs += waited / 1e6;
        sum.threads++;
      }
    }
    return sum.threads > 0 ? sum : null;
  } catch {
    return null;
  } finally {
    await session.detach();
  }
}
