import { type Clock, type Log, nowSecs } from '../base/ports.ts';
import { type CrawlRecord, type CrawlStore, isHolding, type PageSink } from './core/ports.ts';
import { findConfig } from './scope.ts';

const BATCH = 500;
/** Crawls of a site that can still be read. Our choice. */
export const KEPT_CRAWLS = 10;

/** Ends a crawl that has nothing left to ask for: what is gone goes, unless too little was found, and the state says why. */
export async function endCrawl(
  { store, sink, clock, log }: { store: CrawlStore; sink: PageSink; clock: Clock; log: Log },
  record: CrawlRecord,
): Promise<void> {
  const { crawlId, siteId } = record;
  const keptOldIndex = isHolding(record);
  const removed = keptOldIndex ? 0 : await removeGone(store, sink, record);
  const found = record.indexed + record.unchanged;
  const ended = await store.update(crawlId, (kept) => {
    if (kept.state !== 'running') return kept;
    const problem = found === 0 ? whyNothing(store, kept) : null;
    const told = `found ${found} of the ${record.knownBefore} pages of before: the index stays as it was`;
    return {
      ...kept,
      state: problem === null ? 'done' : 'failed',
      problem,
      endedAtSecs: nowSecs(clock),
      removed,
      keptOldIndex,
      notices: keptOldIndex ? [...kept.notices, told] : kept.notices,
    };
  });
  if (!ended) return;
  const { state, fetched, indexed, unchanged } = ended;
  log.info(
    { crawl: crawlId, site: siteId, state, fetched, indexed, unchanged, removed, keptOldIndex },
    'a crawl ended',
  );
}

async function removeGone(
  store: CrawlStore,
  sink: PageSink,
  { crawlId, siteId, configs }: CrawlRecord,
): Promise<number> {
  let removed = 0;
  for (let after: string | null = null; ; ) {
    const { pages, next }: ReturnType<CrawlStore['knownPages']> = store.knownPages(siteId, after, BATCH);
    const gone = pages
      .filter((page) => page.isGone && page.crawlId === crawlId && findConfig(configs, page.url))
      .map(({ url }) => url);
    if (gone.length > 0) {
      removed += await sink.remove(siteId, gone);
      await store.forget(siteId, gone);
    }
    if (next === null) return removed;
    after = next;
  }
}

/** A crawl that found nothing says why: the reasons, the most frequent first, with an example of each. */
function whyNothing(store: CrawlStore, { crawlId, skippedCount }: CrawlRecord): string {
  const skips = store.skipped(crawlId, -1, 1_000);
  const reasons = Object.entries(skippedCount).sort(([, a], [, b]) => b - a);
  if (reasons.length === 0) return 'no page was found: no sitemap names one, and no link leads to one';
  const told = reasons.slice(0, 5).map(([reason, count]) => {
    const example = skips.find((skip) => skip.reason === reason);
    return `${count} × ${reason}${example ? ` (${example.url}: ${example.detail})` : ''}`;
  });
  return `no page was taken: ${told.join('; ')}`;
}
