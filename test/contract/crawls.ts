import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type {
  CrawlRecord,
  CrawlStore,
  KnownPage,
  Settlement,
  Waiting,
} from '../../server/crawl/core/ports.ts';

const record = (crawlId: string, siteId: string, more: Partial<CrawlRecord> = {}): CrawlRecord => ({
  crawlId: crawlId.padEnd(36, '-'),
  siteId: siteId.padEnd(36, '-'),
  number: 0,
  state: 'running',
  configs: [],
  isScheduled: false,
  queuedAtSecs: 10,
  startedAtSecs: null,
  endedAtSecs: null,
  isSeeded: false,
  pagesPerSecond: 2,
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
  ...more,
});
const page = (url: string, kind: Waiting['kind'] = 'page'): Waiting => ({
  kind,
  url,
  depth: 0,
  via: [],
  tries: 0,
});
const step = (more: Partial<Settlement>): Settlement => ({
  at: null,
  add: [],
  retry: null,
  skipped: [],
  known: [],
  claim: null,
  held: [],
  change: (kept) => kept,
  ...more,
});
const known = (url: string): KnownPage => ({
  url,
  depth: 1,
  etag: null,
  lastModified: null,
  textHash: 'ab',
  pageHash: 'cd',
  settings: '',
  failures: 0,
  crawlId: 'x',
  isGone: false,
});
const urlsOf = (items: readonly { item: Waiting }[]) => items.map(({ item }) => item.url);
const none: ReadonlySet<number> = new Set();

/** What every store of crawls keeps to. `open` gives an empty one. */
export function testCrawls(
  name: string,
  open: () => Promise<{ crawls: CrawlStore; close(): Promise<void> }>,
): void {
  describe(`${name} keeps the contract of crawls`, () => {
    const check = (title: string, body: (crawls: CrawlStore) => Promise<void>) =>
      test(title, async () => {
        const { crawls, close } = await open();
        try {
          await body(crawls);
        } finally {
          await close();
        }
      });

    check('a site has one crawl at a time, of many that begin at once too', async (crawls) => {
      const added = await Promise.all(['1', '2', '3'].map((id) => crawls.add(record(id, 'a'))));
      assert.equal(new Set(added.map(({ crawlId }) => crawlId)).size, 1);
      const other = await crawls.add(record('4', 'b', { queuedAtSecs: 9 }));
      assert.deepEqual(
        crawls.active().map(({ crawlId }) => crawlId),
        [other.crawlId, added[0].crawlId],
      );
      assert.deepEqual(crawls.sites(), [added[0].siteId, other.siteId]);

      await crawls.update(added[0].crawlId, (kept) => ({ ...kept, state: 'done' }));
      assert.deepEqual(
        crawls.active().map(({ crawlId }) => crawlId),
        [other.crawlId],
      );
      const next = await crawls.add(record('5', 'a'));
      assert.deepEqual(
        crawls.ofSite(next.siteId).map(({ number }) => number),
        [2, 1],
      );
      assert.equal(await crawls.update('none', (kept) => kept), null);
    });

    check('the queue gives sitemaps first, then pages as they came, each address once', async (crawls) => {
      const { crawlId } = await crawls.add(record('1', 'a'));
      await crawls.settle(crawlId, step({ add: [page('/a'), page('/b'), page('/a')] }), 100);
      await crawls.settle(crawlId, step({ add: [page('/s', 'sitemap'), page('/c')] }), 100);
      const items = crawls.next(crawlId, none, 10);
      assert.deepEqual(urlsOf(items), ['/s', '/a', '/b', '/c']);
      assert.deepEqual(urlsOf(crawls.next(crawlId, new Set([items[0].at, items[2].at]), 1)), ['/a']);

      const [, first] = items;
      const after = await crawls.settle(crawlId, step({ at: first.at, add: [page('/a'), page('/d')] }), 100);
      assert.deepEqual(urlsOf(crawls.next(crawlId, none, 10)), ['/s', '/b', '/c', '/d']);
      assert.deepEqual([after?.queued, after?.listed, after?.sitemaps], [4, 4, 1]);

      const [, again] = crawls.next(crawlId, none, 2);
      await crawls.settle(crawlId, step({ at: again.at, retry: { ...again.item, tries: 1 } }), 100);
      assert.deepEqual(urlsOf(crawls.next(crawlId, none, 10)), ['/s', '/c', '/d', '/b']);
      assert.equal(crawls.get(crawlId)?.queued, 4);
      assert.deepEqual(crawls.next('2'.padEnd(36, '-'), none, 10), []);
    });

    check('numbers of addresses under way are not given again', async (crawls) => {
      const { crawlId } = await crawls.add(record('1', 'a'));
      await crawls.settle(crawlId, step({ add: [page('/a')] }), 100);
      const [only] = crawls.next(crawlId, none, 1);
      await crawls.settle(crawlId, step({ at: only.at, add: [page('/b')] }), 100);
      assert.notEqual(crawls.next(crawlId, none, 1)[0].at, only.at);
    });

    check('no more pages than a crawl may have', async (crawls) => {
      const { crawlId } = await crawls.add(record('1', 'a'));
      const after = await crawls.settle(
        crawlId,
        step({ add: ['/a', '/b', '/c', '/d'].map((url) => page(url)) }),
        2,
      );
      assert.deepEqual([after?.listed, after?.skippedCount], [2, { limit: 2 }]);
      assert.deepEqual(
        crawls.skipped(crawlId, -1, 10).map(({ url, reason }) => `${url} ${reason}`),
        ['/c limit', '/d limit'],
      );
    });

    check('what is left out is told once, and listed in parts', async (crawls) => {
      const { crawlId } = await crawls.add(record('1', 'a'));
      const skip = (url: string, isNew: boolean) => ({ url, reason: 'robots' as const, detail: 'd', isNew });
      const skipped = [skip('/a', true), skip('/a', true), skip('/b', true), skip('/c', false)];
      const after = await crawls.settle(crawlId, step({ skipped }), 100);
      assert.deepEqual(after?.skippedCount, { robots: 3 });
      const [first, ...rest] = crawls.skipped(crawlId, -1, 2);
      assert.deepEqual(
        [first, ...rest].map(({ url }) => url),
        ['/a', '/b'],
      );
      assert.deepEqual(crawls.skipped(crawlId, rest[0].at, 2), [
        { at: rest[0].at + 1, url: '/c', reason: 'robots', detail: 'd' },
      ]);
    });

    check('a crawl that does not run takes nothing', async (crawls) => {
      const { crawlId, siteId } = await crawls.add(record('1', 'a', { state: 'queued' }));
      const nothing = step({ add: [page('/a')], known: [known('/a')] });
      assert.equal(await crawls.settle(crawlId, nothing, 100), null);
      assert.equal(await crawls.settle('none', nothing, 100), null);
      assert.deepEqual([crawls.next(crawlId, none, 1), crawls.known(siteId, '/a')], [[], null]);
    });

    check('known pages are of their site, and listed in parts', async (crawls) => {
      const { crawlId, siteId } = await crawls.add(record('1', 'a'));
      const urls = Array.from({ length: 7 }, (_, i) => `/${'x'.repeat(2_000)}${i}`);
      await crawls.settle(crawlId, step({ known: urls.map(known) }), 100);
      await crawls.putKnown('b', [known('/other')]);
      const found: string[] = [];
      for (let after: string | null = null; ; ) {
        const { pages, next }: ReturnType<CrawlStore['knownPages']> = crawls.knownPages(siteId, after, 3);
        found.push(...pages.map(({ url }) => url));
        if (next === null) break;
        after = next;
      }
      assert.deepEqual(found.sort(), urls);
      await crawls.forget(siteId, urls.slice(1));
      assert.deepEqual([crawls.known(siteId, urls[0])?.url, crawls.known(siteId, urls[1])], [urls[0], null]);
    });

    check('a text is that of who claimed it, in its own crawl alone', async (crawls) => {
      const { crawlId } = await crawls.add(record('1', 'a'));
      await crawls.settle(crawlId, step({ claim: { textHash: 'abcd', url: '/a' } }), 100);
      assert.equal(crawls.textOwner(crawlId, 'abcd'), '/a');
      assert.equal(crawls.textOwner(crawlId, 'abce'), null);
      assert.equal(crawls.textOwner('2'.padEnd(36, '-'), 'abcd'), null);
    });

    check('several steps count as if they came one after the other', async (crawls) => {
      const one = await crawls.add(record('1', 'a'));
      const many = await crawls.add(record('2', 'b'));
      await Promise.all(
        [one, many].map(({ crawlId }) =>
          crawls.settle(crawlId, step({ add: ['/a', '/b', '/c'].map((url) => page(url)) }), 100),
        ),
      );
      const skip = (url: string) => ({ url, reason: 'robots' as const, detail: '', isNew: true });
      const held = (url: string) => ({
        url,
        title: '',
        headings: [],
        body: '',
        language: null,
        labels: [],
        thumbnail: null,
        publishedAtSecs: null,
      });
      const steps = crawls.next(one.crawlId, none, 3).map(({ at, item }, i) =>
        step({
          at,
          add: [page('/d'), page(`/${i}`), page(`/s${i}`, 'sitemap')],
          retry: i === 1 ? { ...item, tries: 1 } : null,
          skipped: [skip('/skip'), skip(`/skip${i}`)],
          known: [known(item.url)],
          claim: { textHash: `0${i}`, url: item.url },
          held: [held(item.url)],
          change: (kept) => ({ ...kept, fetched: kept.fetched + 1 }),
        }),
      );
      for (const each of steps) await crawls.settle(one.crawlId, each, 6);
      await crawls.settleAll(many.crawlId, steps, 6);
      const shown = ({ crawlId, siteId }: CrawlRecord) => {
        const { queued, listed, sitemaps, seen, fetched, skippedCount } = crawls.get(crawlId) as CrawlRecord;
        return {
          counts: { queued, listed, sitemaps, seen, fetched, skippedCount },
          queue: urlsOf(crawls.next(crawlId, none, 20)).sort(),
          skipped: crawls.skipped(crawlId, -1, 20),
          held: crawls.held(crawlId, 20).map(({ url }) => url),
          known: ['/a', '/b', '/c'].map((url) => crawls.known(siteId, url)?.url),
          owner: crawls.textOwner(crawlId, '02'),
        };
      };
      assert.deepEqual(shown(many), shown(one));
      assert.equal(shown(many).counts.fetched, 3);
    });

    check('what is held back comes in order, until it is released', async (crawls) => {
      const { crawlId } = await crawls.add(record('1', 'a'));
      const held = ['/a', '/b', '/c'].map((url) => ({
        url,
        title: 't',
        headings: [],
        body: '',
        language: null,
        labels: [],
        thumbnail: null,
        publishedAtSecs: null,
      }));
      await crawls.settle(crawlId, step({ held }), 100);
      assert.deepEqual(
        crawls.held(crawlId, 2).map(({ url }) => url),
        ['/a', '/b'],
      );
      await crawls.release(crawlId, 2);
      assert.deepEqual(
        crawls.held(crawlId, 2).map(({ url }) => url),
        ['/c'],
      );
    });

    check('what is cleared, removed and dropped is gone, and nothing else', async (crawls) => {
      const one = await crawls.add(record('1', 'a'));
      const two = await crawls.add(record('2', 'b'));
      for (const { crawlId } of [one, two]) {
        const skipped = [{ url: '/s', reason: 'robots' as const, detail: '' }];
        await crawls.settle(crawlId, step({ add: [page('/a')], skipped, known: [known('/a')] }), 100);
      }
      await crawls.clear(one.crawlId);
      assert.deepEqual(crawls.next(one.crawlId, none, 1), []);
      assert.equal(crawls.skipped(one.crawlId, -1, 10).length, 1);
      await crawls.drop(one.siteId);
      assert.deepEqual(
        [crawls.get(one.crawlId), crawls.ofSite(one.siteId), crawls.skipped(one.crawlId, -1, 10)],
        [null, [], []],
      );
      assert.equal(crawls.known(one.siteId, '/a'), null);
      assert.deepEqual(crawls.sites(), [two.siteId]);
      assert.equal(crawls.active().length, 1);
      assert.deepEqual(urlsOf(crawls.next(two.crawlId, none, 9)), ['/a']);
      assert.ok(crawls.known(two.siteId, '/a'));
    });
  });
}
