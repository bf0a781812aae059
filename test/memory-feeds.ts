import type { FeedRecord, FeedStore } from '../server/crawl/core/feed-ports.ts';

/** Feeds in memory, for tests. */
export function createMemoryFeeds(): FeedStore {
  const records = new Map<string, FeedRecord>();
  const keyOf = ({ siteId, url }: Pick<FeedRecord, 'siteId' | 'url'>) => `${siteId} ${url}`;
  const sorted = () => [...records].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    async put(record) {
      records.set(keyOf(record), structuredClone(record));
    },
    list: (siteId, limit) =>
      sorted()
        .map(([, record]) => record)
        .filter((record) => record.siteId === siteId)
        .slice(0, limit),
    remove: async (siteId, url) => records.delete(keyOf({ siteId, url })),
    batch: (after, limit) =>
      sorted()
        .filter(([key]) => after === null || key > keyOf(after))
        .map(([, record]) => record)
        .slice(0, limit),
  };
}
