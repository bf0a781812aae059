import { type Clock, nowSecs, type Random } from '../base/ports.ts';
import { fault } from '../wire/problem.ts';
import { writeCrawlId } from './core/crawl-id.ts';
import type {
  CrawlConfig,
  CrawledSite,
  CrawlRecord,
  CrawlStore,
  ListedSkip,
  PageSink,
} from './core/ports.ts';
import { isActive } from './core/ports.ts';

export type CrawlsDeps = {
  store: CrawlStore;
  sink: Pick<PageSink, 'site'>;
  /** What is asked of a host where nothing else is said. */
  rate: number;
  clock: Clock;
  random: Random;
};
export type Crawls = ReturnType<typeof createCrawls>;

/** The crawls of a site as its owner sees them. What is queued here runs in the process that leads. */
export function createCrawls({ store, sink, rate, clock, random }: CrawlsDeps) {
  function siteOf(siteId: string): CrawledSite {
    const site = sink.site(siteId);
    if (!site) throw fault('unknown-site', 'expected the id of a site that was made here and not deleted');
    return site;
  }

  const newRecord = (siteId: string, configs: readonly CrawlConfig[], isScheduled: boolean): CrawlRecord => ({
    crawlId: writeCrawlId(random.bytes(16)),
    siteId,
    number: 0,
    state: 'queued',
    configs: [...configs],
    isScheduled,
    queuedAtSecs: nowSecs(clock),
    startedAtSecs: null,
    endedAtSecs: null,
    isSeeded: false,
    pagesPerSecond: rate,
    fetched: 0,
    indexed: 0,
    unchanged: 0,
    removed: 0,
    queued: 0,
    listed: 0,
    sitemaps: 0,
    seen: 0,
    knownBefore: 0,
    skippedCount: {},
    keptOldIndex: false,
    notices: [],
    problem: null,
    brokeOff: null,
  });

  /**
   * Queues a crawl by these settings, or those of the profile.
   * @throws Fault `malformed-request` where nothing says where to begin, `pilot-limit`, `crawl-running`
   */
  async function start(siteId: string, asked: readonly CrawlConfig[] | null): Promise<CrawlRecord> {
    const site = siteOf(siteId);
    const configs = asked ?? site.configs;
    if (configs.length === 0) {
      throw fault(
        'malformed-request',
        'expected a url, configs, or a profile with configs: nothing says where to begin',
      );
    }
    if (site.isPilot) refuseOtherHosts(site, configs);
    const record = newRecord(siteId, configs, false);
    const active = await store.add(record);
    if (active.crawlId !== record.crawlId) {
      throw fault(
        'crawl-running',
        `expected the crawl before to have ended, got ${active.state}: ${active.crawlId}`,
        {
          members: { crawlId: active.crawlId },
        },
      );
    }
    return record;
  }

  function refuseOtherHosts(site: CrawledSite, configs: readonly CrawlConfig[]): void {
    const hosts = configs.map(({ url }) => hostnameOf(url));
    const only = site.host ?? hosts[0];
    const other = hosts.find((host) => host !== only);
    if (other !== undefined) {
      throw fault('pilot-limit', `a pilot site is for one host: expected ${only}, got ${other}`);
    }
  }

  /** The crawl of an id. @throws Fault `unknown-crawl` */
  function read(siteId: string, crawlId: string): CrawlRecord {
    const record = store.get(crawlId.toLowerCase());
    if (record?.siteId !== siteId) throw fault('unknown-crawl', 'expected the id of a crawl of this site');
    return record;
  }

  return {
    start,
    read,
    list: (siteId: string): CrawlRecord[] => store.ofSite(siteId),
    /** Those of all sites that have not ended, the oldest first. */
    active: (): CrawlRecord[] => store.active(),
    /** What was left out, behind `after`. */
    skipped: (crawlId: string, after: number, limit: number): ListedSkip[] =>
      store.skipped(crawlId, after, limit),
    /** Ends a crawl; one that has ended stays as it is. @throws Fault `unknown-crawl` */
    async cancel(siteId: string, crawlId: string): Promise<void> {
      const { crawlId: id } = read(siteId, crawlId);
      await store.update(id, (record) =>
        isActive(record) ? { ...record, state: 'cancelled', endedAtSecs: nowSecs(clock) } : record,
      );
    },
    /** Queues what `recrawlHours` asks for: by the profile, and where that names no beginning as the last time. */
    async queueScheduled(siteId: string, last: CrawlRecord): Promise<void> {
      const site = sink.site(siteId);
      if (!site) return;
      const configs = site.configs.length > 0 ? site.configs : last.configs;
      await store.add(newRecord(siteId, configs, true));
    },
  };
}

const hostnameOf = (url: string) => new URL(url).hostname;
