import { readLink } from '../base/page-url.ts';
import type { RobotsOf } from './admit-address.ts';
import type { CrawlRecord, CrawlStore, Settlement, Waiting } from './core/ports.ts';
import { isWorthAnotherTry } from './core/reasons.ts';
import { findConfig } from './scope.ts';
import { GUESSED_PATH, sitemapAt } from './visit-sitemap.ts';

const BATCH = 500;
const SITEMAP_NAME = /\.xml(\.gz)?$|sitemap[^/]*\.txt$/i;

/**
 * Puts the first addresses into the queue: sitemaps, the beginnings, and what earlier crawls found or could not reach. A
 * seeding that was cut off begins anew, and loses nothing: an address is taken once.
 */
export async function seedCrawl(
  store: CrawlStore,
  record: CrawlRecord,
  robotsOf: RobotsOf,
  mostPages: number,
): Promise<void> {
  const { crawlId, siteId, configs } = record;
  const settle = (add: readonly Waiting[], change: Settlement['change'] = (kept) => kept) =>
    store.settle(
      crawlId,
      { at: null, add, retry: null, skipped: [], known: [], claim: null, held: [], change },
      mostPages,
    );
  const page = (url: string, depth = 0): Waiting => ({ kind: 'page', url, depth, via: [], tries: 0 });

  const notices = new Set<string>();
  const first: Waiting[] = [];
  for (const { url, sitemapsOnly } of configs) {
    const { origin, pathname } = new URL(url);
    if (SITEMAP_NAME.test(pathname)) first.push(sitemapAt(url));
    else if (!sitemapsOnly) first.push(page(url));
    const { robots } = await robotsOf(origin);
    for (const fault of robots.faults) notices.add(fault);
    const named = robots.sitemaps.flatMap((text) => readLink(text, `${origin}/robots.txt`) ?? []);
    const sitemaps = named.length > 0 ? named : [origin + GUESSED_PATH];
    first.push(...sitemaps.slice(0, BATCH).map((sitemap) => sitemapAt(sitemap)));
  }
  await settle(first);

  let knownBefore = 0;
  for (let after: string | null = null; ; ) {
    const { pages, next }: ReturnType<CrawlStore['knownPages']> = store.knownPages(siteId, after, BATCH);
    const covered = pages.filter(({ url }) => findConfig(configs, url));
    knownBefore += covered.filter(({ textHash }) => textHash !== null).length;
    await settle(covered.map(({ url, depth }) => page(url, depth)));
    if (next === null) break;
    after = next;
  }
  const [, last] = store.ofSite(siteId);
  for (let after = -1; last; ) {
    const skips = store.skipped(last.crawlId, after, BATCH);
    const again = skips.filter(({ reason, url }) => isWorthAnotherTry(reason) && findConfig(configs, url));
    await settle(again.map(({ url }) => page(url)));
    if (skips.length < BATCH) break;
    after = skips[skips.length - 1].at;
  }
  await settle([], (kept) => ({ ...kept, isSeeded: true, knownBefore, notices: [...notices] }));
}
