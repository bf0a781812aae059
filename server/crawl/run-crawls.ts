import { nowSecs } from '../base/ports.ts';
import type { CrawlRecord } from './core/ports.ts';
import { KEPT_CRAWLS } from './end-crawl.ts';
import { type CrawlerDeps, runCrawl } from './run-crawl.ts';

// Our choices: how soon a crawl begins or notices that it was cancelled, and how often schedules are looked at.
const LOOK_EVERY_MS = 500;
const LOOKS_A_SCHEDULE = 120;
// Crawls under way at once; the others wait in the order of coming.
const MOST_CRAWLS = 64;

export type RunCrawlsDeps = CrawlerDeps & {
  /** Queues a crawl by the settings of the site. */
  queueScheduled(siteId: string, last: CrawlRecord): Promise<unknown>;
};

/** Runs what is queued, goes on with what another process left, and keeps the schedules, until what it gives is called. */
export function runCrawls(deps: RunCrawlsDeps): () => Promise<void> {
  const { store, timer, log } = deps;
  const running = new Map<string, { abort: AbortController; ended: Promise<void> }>();
  let looks = 0;
  let isStopped = false;
  let looking: Promise<void> = Promise.resolve();
  let cancelTimer = timer.after(0, look);

  function look(): void {
    looking = lookOnce()
      .catch((err) => log.error({ err }, 'crawls could not be looked after'))
      .finally(() => {
        if (!isStopped) cancelTimer = timer.after(LOOK_EVERY_MS, look);
      });
  }

  async function lookOnce(): Promise<void> {
    const active = store.active();
    const ids = new Set(active.map(({ crawlId }) => crawlId));
    for (const [crawlId, { abort }] of running) if (!ids.has(crawlId)) abort.abort();
    for (const { crawlId, siteId } of active) {
      if (running.size >= MOST_CRAWLS) break;
      if (!running.has(crawlId)) start(crawlId, siteId);
    }
    if (looks++ % LOOKS_A_SCHEDULE === 0) await keepSchedules(deps);
  }

  function start(crawlId: string, siteId: string): void {
    const abort = new AbortController();
    const ended = runCrawl(deps, crawlId, abort.signal)
      .catch((err) => {
        if (!abort.signal.aborted)
          log.error({ err, crawl: crawlId }, 'a crawl broke off; it is taken up again');
      })
      .then(() => tidyUp(crawlId, siteId))
      .catch((err) => log.error({ err, crawl: crawlId }, 'a crawl could not be tidied up'))
      .finally(() => running.delete(crawlId));
    running.set(crawlId, { abort, ended });
  }

  async function tidyUp(crawlId: string, siteId: string): Promise<void> {
    if (store.active().some((record) => record.crawlId === crawlId)) return;
    await store.clear(crawlId);
    for (const old of store.ofSite(siteId).slice(KEPT_CRAWLS)) await store.remove(old.crawlId);
  }

  return async function stop() {
    isStopped = true;
    cancelTimer();
    await looking;
    isStopped = true;
    cancelTimer();
    for (const { abort } of running.values()) abort.abort();
    await Promise.all([...running.values()].map(({ ended }) => ended));
  };
}

/** Queues what is due, and forgets the crawls of sites that are gone. */
export async function keepSchedules(
  deps: Pick<RunCrawlsDeps, 'store' | 'sink' | 'clock' | 'queueScheduled'>,
): Promise<void> {
  const { store, sink, clock } = deps;
  for (const siteId of store.sites()) {
    const site = sink.site(siteId);
    if (!site) {
      await store.drop(siteId);
      continue;
    }
    const [last] = store.ofSite(siteId);
    if (!last || last.endedAtSecs === null || site.recrawlHours === null) continue;
    const dueSecs = last.queuedAtSecs + site.recrawlHours * 3_600;
    if (nowSecs(clock) >= dueSecs) await deps.queueScheduled(siteId, last);
  }
}
