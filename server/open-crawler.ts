import { Fault } from './base/fault.ts';
import type { Outbound } from './base/outbound.ts';
import type { Clock, Log, Timer } from './base/ports.ts';
import { nodeDigest, systemClock, systemRandom, systemTimer } from './base/system.ts';
import type { Config } from './config.ts';
import type { CrawlStore, PageSink } from './crawl/core/ports.ts';
import { createGate } from './crawl/gate.ts';
import { createHostPaces } from './crawl/pace.ts';
import { createReadPdf, type ReadPdf } from './crawl/pdf-text.ts';
import { createRequest } from './crawl/request.ts';
import type { CrawlLimits } from './crawl/run-crawl.ts';
import { type RunCrawlsDeps, runCrawls } from './crawl/run-crawls.ts';
import { createCrawls } from './crawl/service.ts';
import { readCrawlAgent } from './crawl-agent.ts';
import { PILOT } from './search/core/retention.ts';
import type { SiteRecord } from './search/core/site.ts';
import { createExtractPage } from './search/extract-page.ts';
import { isSelector } from './search/html-selector.ts';
import type { Search } from './search/service.ts';

// Requests under way at once, over all crawls. Our choice: each may hold 10 MB.
const MOST_AT_ONCE = 32;

export type OpenCrawlerDeps = {
  search: Search;
  store: CrawlStore;
  /** What a site's crawl asks by: the guarded one for all but the demo's. */
  outboundOf(siteId: string): Outbound;
  config: Pick<Config, 'CRAWL_RATE' | 'CRAWL_MAX_RATE' | 'CRAWL_MAX_PAGES' | 'CRAWL_USER_AGENT'>;
  version: string;
  log: Log;
  clock?: Clock;
  timer?: Timer;
  readPdf?: ReadPdf;
};

/** Wires the crawler over search: what it finds goes there. */
export function openCrawler({
  search,
  store,
  outboundOf,
  config,
  version,
  log,
  clock = systemClock,
  timer = systemTimer,
  readPdf = createReadPdf(timer),
}: OpenCrawlerDeps) {
  const { token, userAgent } = readCrawlAgent(config, version);
  const sink = createPageSink(search);
  const limits: CrawlLimits = {
    rate: config.CRAWL_RATE,
    mostRate: config.CRAWL_MAX_RATE,
    pilotPages: PILOT.pages,
    mostPages: config.CRAWL_MAX_PAGES,
  };
  const crawls = createCrawls({ store, sink, rate: limits.rate, clock, random: systemRandom });
  const deps: RunCrawlsDeps = {
    store,
    sink,
    requestOf: (siteId) => createRequest(outboundOf(siteId), userAgent),
    paces: createHostPaces(clock, timer),
    gate: createGate(MOST_AT_ONCE),
    extractPage: createExtractPage(token),
    readPdf,
    token,
    digest: nodeDigest,
    limits,
    clock,
    timer,
    log,
    queueScheduled: crawls.queueScheduled,
  };
  return {
    crawls,
    deps,
    /** What the endpoints need besides. */
    routes: { crawls, isSelector, timer },
    /** Runs the crawls until the function that it gives is called; for one process of a server. */
    startCrawling: () => runCrawls(deps),
  };
}

/** Search as the crawler sees it. */
export function createPageSink(search: Search): PageSink {
  const findSite = (siteId: string): SiteRecord | null => {
    try {
      return search.find(siteId);
    } catch (error) {
      if (error instanceof Fault && error.code === 'unknown-site') return null;
      throw error;
    }
  };
  return {
    site(siteId) {
      const site = findSite(siteId);
      return (
        site && {
          siteId,
          isPilot: site.tenant === null,
          host: site.host,
          configs: site.profile.configs,
          recrawlHours: site.profile.recrawlHours,
        }
      );
    },
    async write(siteId, pages) {
      await search.write(search.find(siteId), pages, 'crawl');
    },
    async remove(siteId, urls) {
      const site = search.find(siteId);
      let removed = 0;
      for (const url of urls) {
        const id = search.pageIdOf(site, url);
        if ((await search.readIfThere(site, id))?.source === 'crawl')
          removed += await search.removePageIfThere(site, id);
      }
      return removed;
    },
    async ownerOf(siteId, url) {
      const site = findSite(siteId);
      const page = site && (await search.readIfThere(site, search.pageIdOf(site, url)));
      return !page ? 'none' : page.source === 'crawl' ? 'crawler' : 'other';
    },
  };
}
