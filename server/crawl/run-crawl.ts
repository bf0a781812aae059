import { type Clock, type Log, nowSecs, type Timer } from '../base/ports.ts';
import {
  type CrawlConfig,
  type CrawlRecord,
  type CrawlStore,
  isActive,
  type PageSink,
} from './core/ports.ts';
import { pagesPerSecond } from './core/speed.ts';
import { endCrawl } from './end-crawl.ts';
import type { RobotsAnswer } from './fetch-robots.ts';
import type { Gate } from './gate.ts';
import type { HostPaces } from './pace.ts';
import type { Request } from './request.ts';
import { createRobotsCache } from './robots-cache.ts';
import { seedCrawl } from './seed-crawl.ts';
import { createTextClaims } from './text-claims.ts';
import { type CrawlContext, type VisitDeps, visitPage } from './visit-page.ts';
import { visitSitemap } from './visit-sitemap.ts';
import { createVisitWriter, unreadable } from './write-visits.ts';

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

/** Runs a crawl until it ends or `signal` stops it; what was done by then is kept, and the next run goes on from there. */
export async function runCrawl(deps: CrawlerDeps, crawlId: string, stopped: AbortSignal): Promise<void> {
  const { store, sink, limits, clock, log } = deps;
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
  const claims = createTextClaims(store, crawlId);
  const writer = createVisitWriter({ ...deps, crawlId, siteId: begun.siteId, mostPages, signal, cancel });

  if (!begun.isSeeded) await seedCrawl(store, begun, robotsOf, mostPages);

  // Addresses in work, and those that were read from the queue ahead.
  const flying = new Map<number, Promise<void>>();
  let ahead: Queued[] = [];
  // Resolved where there may be room again. (Racing all in work anew at each end costs the square of their number.)
  let advance = Promise.withResolvers<void>();
  let failure: { error: unknown } | null = null;
  const fail = (error: unknown) => {
    failure ??= { error };
    advance.resolve();
  };
  try {
    while (!signal.aborted) {
      const record = store.get(crawlId);
      if (record?.state !== 'running') break;
      const width = atOnce(record.pagesPerSecond);
      // What waits to be written asks nobody, and is bounded in its turn: it may be large.
      let room = width + Math.min(2 * width, writer.pending()) - flying.size;
      if (room > 0 && ahead.length === 0) ahead = store.next(crawlId, new Set(flying.keys()), 2 * width);
      for (; room > 0 && ahead.length > 0; room--) {
        const queued = ahead.shift() as Queued;
        const visiting = visitOne(record, queued).finally(() => flying.delete(queued.at));
        flying.set(queued.at, visiting);
        visiting.then(() => advance.resolve(), fail);
      }
      if (flying.size === 0) break;
      await advance.promise;
      advance = Promise.withResolvers<void>();
      rethrow();
    }
    await Promise.all(flying.values());
    rethrow();
  } catch (error) {
    broken.abort();
    await Promise.allSettled(flying.values());
    throw error;
  }
  if (signal.aborted) return;
  await writer.flush();
  const last = store.get(crawlId);
  if (last?.state === 'running') await endCrawl(deps, last);

  function rethrow(): void {
    if (failure !== null) throw failure.error;
  }

  async function visitOne(record: CrawlRecord, { at, item }: Queued): Promise<void> {
    let perSecond = record.pagesPerSecond;
    const context: CrawlContext = {
      record,
      site: site as NonNullable<typeof site>,
      robotsOf,
      claimText: claims.claim,
      async ask(url, config, mostBytes, headers = {}) {
        const { host, origin } = new URL(url);
        const { robots } = await robotsOf(origin);
        const allowed = speedFor(record, config, robots);
        perSecond = allowed * deps.paces.factorOf(host);
        if (!(await deps.paces.wait(host, allowed, signal))) throw signal.reason;
        const answer = await deps.gate.enter(crawlId, () => request(url, { mostBytes, headers, signal }));
        if (answer.kind === 'busy') deps.paces.slowDown(host, answer.retryAfter);
        else if (answer.kind !== 'refused') deps.paces.speedUp(host);
        return answer;
      },
    };
    const visit = await (item.kind === 'sitemap'
      ? visitSitemap(context, item)
      : visitPage(deps, context, item)
    ).catch((error) => {
      if (!signal.aborted)
        log.error({ err: error, crawl: crawlId, url: item.url }, 'a page could not be crawled');
      return unreadable(item.url);
    });
    if (signal.aborted) return;
    const written = writer.add({ at, url: item.url, visit, perSecond });
    // From here on it asks nobody: there is room for another.
    advance.resolve();
    await written;
    if (visit.claim) claims.forget(visit.claim.textHash);
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
}

type Queued = ReturnType<CrawlStore['next']>[number];

const atOnce = (perSecond: number): number =>
  Math.min(MOST_AT_ONCE, Math.max(LEAST_AT_ONCE, Math.ceil(perSecond * AT_ONCE_A_SPEED)));
