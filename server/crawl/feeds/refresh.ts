import { type Clock, type Log, nowSecs, type Timer } from '../../base/ports.ts';
import type { FeedRecord, FeedSites, FeedStore } from '../core/feed-ports.ts';
import type { FeedReader } from './feed-reader.ts';

const BATCH = 100;
// A feed that fails is asked half as often each time, down to an eighth: our choice.
const MOST_PATIENCE = 8;

export type RefreshDeps = {
  reader: Pick<FeedReader, 'refresh'>;
  sites: Pick<FeedSites, 'find'>;
  store: FeedStore;
  clock: Clock;
  log: Log;
};

/** Reads again, one after the other, the feeds whose site asks for it and whose time has come. Gives how many it read. */
export async function refreshFeeds(deps: RefreshDeps, isStopped: () => boolean): Promise<number> {
  const { store } = deps;
  let read = 0;
  for (let after: FeedRecord | null = null; ; ) {
    const batch = store.batch(after, BATCH);
    for (const feed of batch) {
      if (isStopped()) return read;
      if (await refreshIfDue(feed, deps)) read++;
    }
    if (batch.length < BATCH) return read;
    after = batch[batch.length - 1];
  }
}

async function refreshIfDue(feed: FeedRecord, deps: RefreshDeps): Promise<boolean> {
  const { reader, sites, store, clock, log } = deps;
  const site = sites.find(feed.siteId);
  if (site === null) {
    await store.remove(feed.siteId, feed.url);
    return false;
  }
  if (site.recrawlHours === null) return false;
  const patience = Math.min(2 ** feed.failures, MOST_PATIENCE);
  if (nowSecs(clock) < feed.fetchedAtSecs + site.recrawlHours * 3_600 * patience) return false;
  try {
    const outcome = await reader.refresh(site, feed);
    if (outcome)
      log.info({ site: feed.siteId, documents: outcome.documents.length }, 'a feed was read again');
  } catch (err) {
    log.warn({ err, site: feed.siteId }, 'a feed could not be read again');
  }
  return true;
}

/** Looks every `everyMs` for feeds whose time has come, one round after the other, until what it gives is called. */
export function startRefreshing(deps: RefreshDeps & { timer: Timer }, everyMs: number): () => void {
  const { timer, log } = deps;
  let isStopped = false;
  let cancel = timer.after(everyMs, round);

  async function round(): Promise<void> {
    try {
      await refreshFeeds(deps, () => isStopped);
    } catch (err) {
      log.error({ err }, 'feeds could not be read again');
    }
    if (!isStopped) cancel = timer.after(everyMs, round);
  }
  return () => {
    isStopped = true;
    cancel();
  };
}
