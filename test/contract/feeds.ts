import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FeedRecord, FeedStore } from '../../server/crawl/core/feed-ports.ts';

const SITES = ['0a000000-0000-4000-8000-000000000001', '0a000000-0000-4000-8000-000000000002'];
const feed = (siteId: string, path: string, more: Partial<FeedRecord> = {}): FeedRecord => ({
  siteId,
  url: `https://example.org/${path}`,
  fullPages: false,
  etag: null,
  lastModified: null,
  fetchedAtSecs: 1_700_000_000,
  failures: 0,
  ...more,
});
const urls = (feeds: readonly FeedRecord[]) => feeds.map(({ url }) => url).sort();

/** What every store of feeds does. */
export function testFeeds(
  name: string,
  open: () => Promise<{ store: FeedStore; close(): Promise<void> }>,
): void {
  const withStore = (run: (store: FeedStore) => Promise<void>) => async () => {
    const { store, close } = await open();
    try {
      await run(store);
    } finally {
      await close();
    }
  };

  describe(`feeds in ${name}`, () => {
    test(
      'a site has its own, each once',
      withStore(async (store) => {
        const [one, other] = SITES;
        await store.put(feed(one, 'a'));
        await store.put(feed(one, 'b'));
        await store.put(feed(other, 'a'));
        await store.put(feed(one, 'a', { etag: '"new"', failures: 2, fullPages: true }));
        assert.deepEqual(urls(store.list(one, 10)), urls([feed(one, 'a'), feed(one, 'b')]));
        assert.deepEqual(
          store.list(one, 10).find(({ url }) => url.endsWith('a')),
          feed(one, 'a', { etag: '"new"', failures: 2, fullPages: true }),
        );
        assert.equal(store.list(one, 1).length, 1);
        assert.deepEqual(store.list('0a000000-0000-4000-8000-000000000003', 10), []);
      }),
    );

    test(
      'one is forgotten without the others',
      withStore(async (store) => {
        const [one, other] = SITES;
        for (const siteId of SITES) await store.put(feed(siteId, 'a'));
        assert.equal(await store.remove(one, feed(one, 'a').url), true);
        assert.equal(await store.remove(one, feed(one, 'a').url), false);
        assert.deepEqual(store.list(one, 10), []);
        assert.equal(store.list(other, 10).length, 1);
      }),
    );

    test(
      'all are walked in batches, none twice, also while one goes',
      withStore(async (store) => {
        for (const siteId of SITES) for (let i = 0; i < 5; i++) await store.put(feed(siteId, String(i)));
        const seen: string[] = [];
        for (let after: FeedRecord | null = null; ; ) {
          const batch = store.batch(after, 3);
          seen.push(...batch.map(({ siteId, url }) => siteId + url));
          if (batch.length < 3) break;
          after = batch[2];
          await store.remove(after.siteId, after.url);
        }
        assert.equal(seen.length, 10);
        assert.equal(new Set(seen).size, 10);
      }),
    );
  });
}
