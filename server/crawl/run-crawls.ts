import { Fault } from '../base/fault.ts';
import { nowSecs } from '../base/ports.ts';
import { breakOff } from './core/break-offs.ts';
import { type CrawlRecord, isActive } from './core/ports.ts';
import { KEPT_CRAWLS } from './end-crawl.ts';
import { type CrawlerDeps, runCrawl } from './run-crawl.ts';

// Our choices: how soon a crawl begins or notices that it was cancelled, and how often schedules are looked at.
const LOOK_EVERY_MS = 500;
const LOOKS_A_SCHEDULE = 120;
// Crawls under way at once. Where there are more, those that had their time give way to those that wait: a site that wants
// a minute between two requests, or has a hundred thousand pages, would keep its place for days.
const MOST_CRAWLS = 32;
const SLICE_MS = 120_000;
const STORE_PAUSE_MS = 5_000;

export type RunCrawlsDeps = CrawlerDeps & {
  /** Queues a crawl by the settings of the site. */
  queueScheduled(siteId: string, last: CrawlRecord): Promise<unknown>;
};

/** Runs what is queued, goes on with what another process left, and keeps the schedules, until what it gives is called. */
export function runCrawls(deps: RunCrawlsDeps): () => Promise<void> {
  const { store, timer, clock, log } = deps;
  const running = new Map<string, { abort: AbortController; ended: Promise<void>; sinceMs: number }>();
  // When crawls that have not ended last gave way, and when those that broke off are taken up again.
  const gaveWayMs = new Map<string, number>();
  const notBeforeMs = new Map<string, number>();
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
    for (const kept of [gaveWayMs, notBeforeMs]) {
      for (const crawlId of kept.keys()) if (!ids.has(crawlId)) kept.delete(crawlId);
    }
    const now = clock.nowMs();
    const ready = active
      .filter(({ crawlId }) => !running.has(crawlId) && (notBeforeMs.get(crawlId) ?? 0) <= now)
      .sort((a, b) => (gaveWayMs.get(a.crawlId) ?? 0) - (gaveWayMs.get(b.crawlId) ?? 0));
    const free = Math.max(0, MOST_CRAWLS - running.size);
    for (const { crawlId, siteId } of ready.slice(0, free)) start(crawlId, siteId);
    giveWay(ready.length - free, now);
    if (looks++ % LOOKS_A_SCHEDULE === 0) await keepSchedules(deps);
  }

  /** Stops so many crawls, those that run the longest, where they had their time; what they did is kept. */
  function giveWay(wanted: number, now: number): void {
    let left = wanted;
    for (const { abort, sinceMs } of running.values()) {
      if (left <= 0) return;
      if (!abort.signal.aborted && now - sinceMs < SLICE_MS) continue;
      abort.abort();
      left--;
    }
  }

  function start(crawlId: string, siteId: string): void {
    const abort = new AbortController();
    const ended = runCrawl(deps, crawlId, abort.signal)
      .catch((error) => (abort.signal.aborted ? undefined : pauseBroken(crawlId, error)))
      .then(() => tidyUp(crawlId, siteId))
      .catch((err) => log.error({ err, crawl: crawlId }, 'a crawl could not be tidied up'))
      .finally(() => {
        running.delete(crawlId);
        gaveWayMs.set(crawlId, clock.nowMs());
      });
    running.set(crawlId, { abort, ended, sinceMs: clock.nowMs() });
  }

  async function pauseBroken(crawlId: string, error: unknown): Promise<void> {
    // Whatever happens below, it is not taken up again at once.
    notBeforeMs.set(crawlId, clock.nowMs() + STORE_PAUSE_MS);
    if (error instanceof Fault && error.code === 'store-unavailable') {
      log.warn({ err: error, crawl: crawlId }, 'a crawl waits for the store');
      return;
    }
    let pauseSecs: number | null = null;
    await store.update(crawlId, (record) => {
      if (!isActive(record)) return record;
      const broken = breakOff(record, nowSecs(clock));
      pauseSecs = broken.pauseSecs;
      return broken.record;
    });
    if (pauseSecs !== null) notBeforeMs.set(crawlId, clock.nowMs() + pauseSecs * 1_000);
    const told =
      pauseSecs === null ? 'a crawl broke off and has failed' : 'a crawl broke off; it is taken up again';
    log.error({ err: error, crawl: crawlId, pauseSecs }, told);
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
