import { Fault } from '../base/fault.ts';
import { type Clock, type Log, nowSecs, type Timer } from '../base/ports.ts';
import {
  type CrawlConfig,
  type CrawlRecord,
  type CrawlStore,
  isActive,
  isHolding,
  type PageSink,
  type Waiting,
} from './core/ports.ts';
import { pagesPerSecond } from './core/speed.ts';
import { endCrawl } from './end-crawl.ts';
import type { RobotsAnswer } from './fetch-robots.ts';
import type { Gate } from './gate.ts';
import { type HostPaces, sleep } from './pace.ts';
import type { Request } from './request.ts';
import { createRobotsCache } from './robots-cache.ts';
import { seedCrawl } from './seed-crawl.ts';
import { type CrawlContext, NOTHING, type Visit, type VisitDeps, visitPage } from './visit-page.ts';
import { visitSitemap } from './visit-sitemap.ts';

export type CrawlLimits = {
  /** `CRAWL_RATE`, `CRAWL_MAX_RATE`: pages a second of one host. */
  rate: number;
  mostRate: number;
  /** Addresses that a crawl asks for; of a pilot and of others. */
  pilotPages: number;
  mostPages: number;
};

export type CrawlerDeps = Omit<VisitDeps, 'store' | 'sink'> & {
  store: CrawlStore;
  sink: PageSink;
  /** What the crawls of a site ask by. */
  requestOf(siteId: string): Request;
  paces: HostPaces;
  /** Lets a bounded number of requests through at once, over all crawls. */
  gate: Gate;
  limits: CrawlLimits;
  clock: Clock;
  timer: Timer;
  log: Log;
};

// Addresses of one crawl in work: at two pages a second one is mostly enough, a slow server wants more; at a hundred a
// second as many as answers of a third of a second need.
const LEAST_AT_ONCE = 8;
const MOST_AT_ONCE = 32;
const AT_ONCE_A_SPEED = 1 / 3;
const STORE_PAUSE_MS = 5_000;
const FLUSH = 100;

/** Runs a crawl until it ends or `signal` stops it; what was done by then is kept, and the next run goes on from there. */
export async function runCrawl(deps: CrawlerDeps, crawlId: string, stopped: AbortSignal): Promise<void> {
  const { store, sink, limits, clock, timer, log } = deps;
  // Where one address fails beyond help the others in work are let go as well, and all begin anew with the next run.
  const broken = new AbortController();
  const signal = AbortSignal.any([stopped, broken.signal]);
  const begun = await store.update(crawlId, (record) =>
    isActive(record)
      ? { ...record, state: 'running', startedAtSecs: record.startedAtSecs ?? nowSecs(clock), problem: null }
      : record,
  );
  if (begun?.state !== 'running') return;
  const site = sink.site(begun.siteId);
  if (!site) return void (await store.drop(begun.siteId));
  const mostPages = site.isPilot ? Math.min(limits.pilotPages, limits.mostPages) : limits.mostPages;
  const request = deps.requestOf(begun.siteId);
  const robotsOf = createRobotsCache({ ...deps, request }, signal);
  let flushing: Promise<void> = Promise.resolve();

  if (!begun.isSeeded) await seedCrawl(store, begun, robotsOf, mostPages);

  const flying = new Map<number, Promise<void>>();
  try {
    for (let isIdle = false; !isIdle && !signal.aborted; ) {
      const record = store.get(crawlId);
      if (record?.state !== 'running') break;
      const room = atOnce(record.pagesPerSecond) - flying.size;
      const items = room > 0 ? store.next(crawlId, new Set(flying.keys()), room) : [];
      for (const { at, item } of items) {
        const visiting = visitOne(record, at, item).finally(() => flying.delete(at));
        flying.set(at, visiting);
      }
      isIdle = flying.size === 0;
      if (!isIdle) await Promise.race(flying.values());
    }
    await Promise.all(flying.values());
  } catch (error) {
    broken.abort();
    await Promise.allSettled(flying.values());
    throw error;
  }
  if (signal.aborted) return;
  const last = store.get(crawlId);
  if (last?.state !== 'running') return;
  if (!isHolding(last)) await flush(last.siteId);
  await endCrawl(deps, last);

  async function visitOne(record: CrawlRecord, at: number, item: Waiting): Promise<void> {
    try {
      let speed = record.pagesPerSecond;
      const context: CrawlContext = {
        record,
        site: site as NonNullable<typeof site>,
        robotsOf,
        async ask(url, config, mostBytes, headers = {}) {
          const { host, origin } = new URL(url);
          const { robots } = await robotsOf(origin);
          speed = speedFor(record, config, robots) * deps.paces.factorOf(host);
          if (!(await deps.paces.wait(host, speedFor(record, config, robots), signal))) throw signal.reason;
          const answer = await deps.gate.enter(crawlId, () => request(url, { mostBytes, headers, signal }));
          if (answer.kind === 'busy') deps.paces.slowDown(host, answer.retryAfter);
          else if (answer.kind !== 'refused') deps.paces.speedUp(host);
          return answer;
        },
      };
      const visit = await (item.kind === 'sitemap'
        ? visitSitemap(context, item)
        : visitPage(deps, context, item));
      if (signal.aborted) return;
      await settle(record, at, await writePage(record, visit), speed);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Fault && error.code === 'unknown-site') return cancel();
      if (error instanceof Fault && error.code === 'store-unavailable') {
        log.warn({ err: error, crawl: crawlId }, 'a crawl waits for the store');
        return sleep(timer, STORE_PAUSE_MS, signal);
      }
      log.error({ err: error, crawl: crawlId, url: item.url }, 'a page could not be crawled');
      await settle(
        record,
        at,
        {
          ...NOTHING,
          skipped: [{ url: item.url, reason: 'unreachable', detail: 'it could not be read' }],
        },
        record.pagesPerSecond,
      );
    }
  }

  async function cancel(): Promise<void> {
    await store.update(crawlId, (record) => ({
      ...record,
      state: 'cancelled',
      endedAtSecs: nowSecs(clock),
    }));
  }

  function speedFor(
    record: CrawlRecord,
    config: CrawlConfig,
    { crawlDelaySecs }: RobotsAnswer['robots'],
  ): number {
    return pagesPerSecond({
      known: record.listed,
      isPilot: site?.isPilot === true,
      asked: config.pagesPerSecond,
      base: limits.rate,
      most: limits.mostRate,
      crawlDelaySecs,
    });
  }

  /** Writes the page into the index, unless what changes is held back. */
  async function writePage(record: CrawlRecord, visit: Visit): Promise<Visit & { isHeld: boolean }> {
    const now = store.get(crawlId) ?? record;
    if (!visit.page || isHolding(now)) return { ...visit, isHeld: visit.page !== null };
    try {
      await sink.write(record.siteId, [visit.page]);
      return { ...visit, isHeld: false };
    } catch (error) {
      if (!(error instanceof Fault) || !['pilot-limit', 'site-limit'].includes(error.code)) throw error;
      const skip = { url: visit.page.url, reason: 'limit' as const, detail: error.message };
      return { ...visit, page: null, known: null, skipped: [...visit.skipped, skip], isHeld: false };
    }
  }

  async function settle(
    record: CrawlRecord,
    at: number,
    visit: Visit & { isHeld?: boolean },
    speed: number,
  ): Promise<void> {
    const { page, known, isHeld = false } = visit;
    const after = await store.settle(
      crawlId,
      {
        at,
        add: visit.add,
        retry: visit.retry,
        skipped: visit.skipped,
        // What waits may never be written: the next crawl must not take it for known.
        known:
          known === null
            ? []
            : [isHeld ? { ...known, pageHash: null, etag: null, lastModified: null } : known],
        held: page !== null && isHeld ? [page] : [],
        change: (kept) => ({
          ...kept,
          configs: visit.movedConfig ? moveConfigs(kept.configs, visit.movedConfig) : kept.configs,
          pagesPerSecond: speed,
          fetched: kept.fetched + (visit.isFetched ? 1 : 0),
          indexed: kept.indexed + (page === null ? 0 : 1),
          unchanged: kept.unchanged + (visit.isUnchanged ? 1 : 0),
        }),
      },
      mostPages,
    );
    if (after && !isHolding(after) && after.knownBefore > 0) await flush(record.siteId);
  }

  /** One after the other: two at once would write the same pages, and forget others that were not written. */
  function flush(siteId: string): Promise<void> {
    flushing = flushing.catch(() => {}).then(() => flushHeld(siteId));
    return flushing;
  }

  async function flushHeld(siteId: string): Promise<void> {
    for (let pages = store.held(crawlId, FLUSH); pages.length > 0; pages = store.held(crawlId, FLUSH)) {
      await sink.write(siteId, pages).catch((error) => {
        if (!(error instanceof Fault) || error.code === 'store-unavailable') throw error;
        log.warn({ err: error, crawl: crawlId }, 'pages that a crawl held back were refused');
      });
      await store.release(crawlId, pages.length);
    }
  }
}

const atOnce = (perSecond: number): number =>
  Math.min(MOST_AT_ONCE, Math.max(LEAST_AT_ONCE, Math.ceil(perSecond * AT_ONCE_A_SPEED)));

/** The folder stays, the host is the one that the beginning redirects to. */
function moveConfigs(
  configs: readonly CrawlConfig[],
  { from, to }: { from: string; to: string },
): CrawlConfig[] {
  return configs.map((config) => {
    if (new URL(config.url).host !== new URL(from).host) return config;
    const { pathname, search } = new URL(config.url);
    return { ...config, url: new URL(to).origin + pathname + search };
  });
}
