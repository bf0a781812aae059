import type { Timer } from './base/ports.ts';
import type { ConsoleCrawls } from './console/ports.ts';
import type { CrawlConfig } from './crawl/core/ports.ts';
import { SKIP_REASONS } from './crawl/core/reasons.ts';
import { showCrawl } from './crawl/crawl-body.ts';
import { streamCrawl } from './crawl/crawl-events.ts';
import type { Crawls } from './crawl/service.ts';
import { isSelector } from './search/html-selector.ts';
import { fault } from './wire/problem.ts';

export type CrawlsForDeps = {
  crawls: Crawls;
  /** @throws Fault `unknown-site` */
  admitSite(siteId: string): unknown;
  timer: Timer;
  isStopping(): boolean;
};

const MOST_ACTIVE = 100;
const MEANINGS = Object.fromEntries(
  // The marks of the docs say nothing on a page.
  Object.entries(SKIP_REASONS).map(([reason, { meaning }]) => [reason, meaning.replaceAll('`', '')]),
);

/** Crawls as the console asks for them. */
export function crawlsFor({ crawls, admitSite, timer, isStopping }: CrawlsForDeps): ConsoleCrawls {
  return {
    active: () => ({
      crawls: crawls
        .active()
        .slice(0, MOST_ACTIVE)
        .map((record) => ({ siteId: record.siteId, ...showCrawl(record) })),
      reasons: MEANINGS,
    }),
    list(siteId) {
      admitSite(siteId);
      return { crawls: crawls.list(siteId).map(showCrawl) };
    },
    async start(siteId, asked) {
      const configs = asked === undefined || !('configs' in asked) ? asked && [asked] : asked.configs;
      if (configs) refuseSelectors(configs);
      const { crawlId } = await crawls.start(siteId, configs ?? null);
      return { crawlId };
    },
    read(siteId, crawlId, after, limit) {
      admitSite(siteId);
      const record = crawls.read(siteId, crawlId);
      const skipped = crawls.skipped(record.crawlId, after, limit);
      return {
        ...showCrawl(record),
        skipped: skipped.map(({ url, reason, detail }) => ({ url, reason, detail })),
        next: skipped.length < limit ? null : skipped[skipped.length - 1].at,
      };
    },
    watch(siteId, crawlId, after, isOver) {
      admitSite(siteId);
      const { crawlId: id } = crawls.read(siteId, crawlId);
      return streamCrawl({ crawls, timer, isStopping: () => isStopping() || isOver() }, siteId, id, after);
    },
    cancel(siteId, crawlId) {
      admitSite(siteId);
      return crawls.cancel(siteId, crawlId);
    },
  };
}

/** @throws Fault `malformed-request` where a selector of these cannot be read */
export function refuseSelectors(configs: readonly Pick<CrawlConfig, 'pageBodyCssSelector'>[]): void {
  const wrong = configs.findIndex(
    ({ pageBodyCssSelector: selector }) => selector !== null && !isSelector(selector),
  );
  if (wrong < 0) return;
  throw fault(
    'malformed-request',
    `body.configs.${wrong}.pageBodyCssSelector: expected a CSS selector without pseudo-elements`,
  );
}
