import type { DemoSearch } from './base/demo-search.ts';
import { Fault } from './base/fault.ts';
import type { Digest, Log } from './base/ports.ts';
import { isActive } from './crawl/core/ports.ts';
import type { Crawls } from './crawl/service.ts';
import type { Library } from './docs/library.ts';
import type { OwnOrigin } from './own-origin.ts';
import type { SiteRecord } from './search/core/site.ts';
import type { Search } from './search/service.ts';
import type { Environment } from './store/environment.ts';

// Not a pilot's: the demo outlives two weeks. No key is ever issued to this name by itself.
const TENANT = 'Gatehouse demo';
// Our own server may be asked as fast as the operator lets any be asked.
const PAGES_PER_SECOND = 100;
const BATCH = 100;

export type DemoSiteDeps = {
  /** Kept in the data folder, so that all processes and all starts know the same. */
  siteId: string;
  search: Search;
  crawls: Crawls;
  library: Library;
  version: string;
  environment: Pick<Environment, 'table' | 'write'>;
  own: Pick<OwnOrigin, 'open' | 'close'>;
  digest: Digest;
  log: Log;
};

export type DemoSite = {
  /** The site and how far it is, or null while there is none. */
  search(): DemoSearch | null;
  /** Makes the site where there is none, and has the documentation crawled where it is new. For one process of a server. */
  start(url: string): void;
  /** Resolves once nothing is being begun; the crawl itself is the crawler's. */
  stop(): Promise<void>;
};

/** The search site that the demo shows: the documentation of this server, crawled from this server. */
export function openDemoSite(deps: DemoSiteDeps): DemoSite {
  const { siteId, search, crawls, library, version, environment, own, digest, log } = deps;
  const marks = environment.table<{ mark: string; crawlId: string }>('demo-site');
  let starting: Promise<void> = Promise.resolve();

  function find(): SiteRecord | null {
    try {
      return search.find(siteId);
    } catch (error) {
      if (error instanceof Fault && error.code === 'unknown-site') return null;
      throw error;
    }
  }

  const findCrawl = (crawlId: string) => crawls.list(siteId).find((one) => one.crawlId === crawlId);

  async function begin(url: string): Promise<void> {
    const site = find();
    const mark = markOf(digest, [url, version, library]);
    const last = marks.get(KEY);
    const done = site && last?.mark === mark ? findCrawl(last.crawlId) : undefined;
    // What a restart cut off goes on by itself.
    if (done && (isActive(done) || done.state === 'done')) return;

    if (!site) await search.make(TENANT, siteId);
    for (const active of crawls.list(siteId).filter(isActive)) await crawls.cancel(siteId, active.crawlId);
    await removeOthers(search, search.find(siteId), url);
    const config = {
      url: new URL('/docs/', url).href,
      pageBodyCssSelector: null,
      sitemapsOnly: false,
      allowUrlWithQuery: false,
      pagesPerSecond: PAGES_PER_SECOND,
    };
    const { crawlId } = await crawls.start(siteId, [config]);
    await environment.write(() => marks.put(KEY, { mark, crawlId }));
    log.info({ site: siteId, crawl: crawlId }, 'the demo site crawls the documentation');
  }

  return {
    search() {
      if (!find()) return null;
      const [last] = crawls.list(siteId);
      const state = !last || isActive(last) ? 'filling' : last.state === 'done' ? 'ready' : 'failed';
      return { siteId, state, pages: last ? last.indexed + last.unchanged : 0 };
    },
    start(url) {
      const address = reachable(url);
      own.open(address);
      starting = begin(address).catch((err) => log.error({ err }, 'the demo site could not be filled'));
    },
    async stop() {
      await starting;
      await own.close();
    },
  };
}

const KEY = Buffer.from('crawled');

/** What tells one documentation at one address from another. */
function markOf(digest: Digest, parts: unknown): string {
  return Buffer.from(digest.sha256(new TextEncoder().encode(JSON.stringify(parts)))).toString('hex');
}

/** Pages that no crawl of this address would ever touch: those of another address, and those that were not crawled. */
async function removeOthers(search: Search, site: SiteRecord, url: string): Promise<void> {
  for (let after: string | null = null; ; ) {
    const listed = await search.listPages(site, after, BATCH);
    for (const { id } of listed) {
      const page = await search.readIfThere(site, id);
      if (page && (page.source !== 'crawl' || !page.url.startsWith(url)))
        await search.removePageIfThere(site, id);
    }
    if (listed.length < BATCH) return;
    after = listed[listed.length - 1].id;
  }
}

/** Who listens everywhere is reached at the loopback, and no browser opens 0.0.0.0. */
function reachable(url: string): string {
  const address = new URL(url);
  if (['0.0.0.0', '[::]'].includes(address.hostname)) address.hostname = 'localhost';
  return address.href;
}
