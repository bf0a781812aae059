import { hash } from 'node:crypto';
import type { FeedRecord, FeedStore } from '../crawl/core/feed-ports.ts';
import type { Environment } from './environment.ts';

/** Feeds in LMDB, by their site and a hash of their URL. */
export function createLmdbFeeds(environment: Environment): FeedStore {
  const table = environment.table<FeedRecord>('feeds');
  const records = (start: Buffer, end: Buffer | undefined, limit: number) => [
    ...table.getRange({ start, ...(end && { end }), limit }).map(({ value }) => value),
  ];
  return {
    async put(record) {
      await environment.write(() => table.put(keyOf(record.siteId, record.url), record));
    },
    list: (siteId, limit) =>
      // An id ends where the hash begins: `0` is the byte behind `/`.
      records(Buffer.from(`${siteId}/`), Buffer.from(`${siteId}0`), limit),
    remove: (siteId, url) =>
      environment.write(() =>
        table.transaction(() => {
          const key = keyOf(siteId, url);
          if (table.get(key) === undefined) return false;
          table.remove(key);
          return true;
        }),
      ),
    batch(after, limit) {
      const start = after ? Buffer.concat([keyOf(after.siteId, after.url), Buffer.of(0)]) : Buffer.of(0);
      return records(start, undefined, limit);
    },
  };
}

const keyOf = (siteId: string, url: string) =>
  Buffer.concat([Buffer.from(`${siteId}/`), hash('sha256', url, 'buffer')]);
