import { hash } from 'node:crypto';
import {
  type CrawlRecord,
  type CrawlStore,
  isActive,
  type KnownPage,
  type Settlement,
} from '../crawl/core/ports.ts';
import type { Environment } from './environment.ts';
import { createLmdbCrawlWork } from './lmdb-crawl-work.ts';

/**
 * Crawls in LMDB: records by their id, beside them the ids by site and those that have not ended; the work of a crawl
 * in a table of its own, and what is known of a site's addresses in another.
 */
export function createLmdbCrawls(environment: Environment): CrawlStore {
  const records = environment.table<CrawlRecord>('crawls');
  const bySite = environment.table<string>('crawls-by-site');
  const actives = environment.table<string>('crawls-active');
  const knowns = environment.table<KnownPage>('crawl-known');
  const work = createLmdbCrawlWork(environment);

  const atomically = <Result>(run: () => Result): Promise<Result> =>
    environment.write(() => records.transaction(run));
  const read = (crawlId: string) => records.get(keyOf(crawlId)) ?? null;

  function put(record: CrawlRecord): void {
    records.put(keyOf(record.crawlId), record);
    const active = orderKey(record);
    if (isActive(record)) actives.put(active, record.crawlId);
    else actives.remove(active);
  }

  const ofSite = (siteId: string): CrawlRecord[] =>
    [...bySite.getRange({ start: keyOf(siteId), end: endOf(siteId) })]
      .flatMap(({ value }) => read(value) ?? [])
      .sort((a, b) => b.number - a.number);

  function update(crawlId: string, change: (record: CrawlRecord) => CrawlRecord) {
    return atomically(() => {
      const record = read(crawlId);
      if (!record) return null;
      const changed = change(record);
      if (changed !== record) put(changed);
      return changed;
    });
  }

  async function remove(crawlId: string): Promise<void> {
    await work.removeAll(crawlId);
    await atomically(() => {
      const record = read(crawlId);
      if (!record) return;
      actives.remove(orderKey(record));
      bySite.remove(keyOf(record.siteId, crawlId));
      records.remove(keyOf(crawlId));
    });
  }

  function settleAll(crawlId: string, steps: readonly Settlement[], mostPages: number) {
    return atomically(() => {
      const record = read(crawlId);
      if (record?.state !== 'running') return null;
      const worked = work.apply(record, steps, mostPages);
      const changed = steps.reduce((kept, step) => step.change(kept), worked);
      put(changed);
      for (const page of steps.flatMap(({ known }) => known))
        knowns.put(knownKey(changed.siteId, page.url), page);
      return changed;
    });
  }

  return {
    add: (record) =>
      atomically(() => {
        const [last] = ofSite(record.siteId);
        if (last && isActive(last)) return last;
        const added = { ...record, number: (last?.number ?? 0) + 1 };
        put(added);
        bySite.put(keyOf(record.siteId, record.crawlId), record.crawlId);
        return added;
      }),
    get: read,
    ofSite,
    active: () => [...actives.getRange()].flatMap(({ value }) => read(value) ?? []),
    sites() {
      const found: string[] = [];
      for (let start = Buffer.alloc(0); ; ) {
        const [key] = [...bySite.getKeys({ start, limit: 1 })];
        if (!key) return found;
        const siteId = key.toString('latin1').split(' ')[0];
        found.push(siteId);
        start = endOf(siteId);
      }
    },
    update,
    next: work.next,
    settle: (crawlId, step, mostPages) => settleAll(crawlId, [step], mostPages),
    settleAll,
    skipped: work.skipped,
    known: (siteId, url) => knowns.get(knownKey(siteId, url)) ?? null,
    knownPages(siteId, after, limit) {
      const start = after === null ? keyOf(siteId) : Buffer.from(`${after}\0`, 'latin1');
      const rows = [...knowns.getRange({ start, end: endOf(siteId), limit })];
      const last = rows[rows.length - 1];
      return {
        pages: rows.map(({ value }) => value),
        next: rows.length < limit ? null : last.key.toString('latin1'),
      };
    },
    async putKnown(siteId, pages) {
      await atomically(() => {
        for (const page of pages) knowns.put(knownKey(siteId, page.url), page);
      });
    },
    async forget(siteId, urls) {
      await atomically(() => {
        for (const url of urls) knowns.remove(knownKey(siteId, url));
      });
    },
    textOwner: work.textOwner,
    held: work.held,
    release: work.release,
    clear: work.clear,
    remove,
    async drop(siteId) {
      for (const { crawlId } of ofSite(siteId)) await remove(crawlId);
      for (let isDone = false; !isDone; ) {
        isDone = await atomically(() => {
          const keys = [...knowns.getKeys({ start: keyOf(siteId), end: endOf(siteId), limit: 1_000 })];
          for (const key of keys) knowns.remove(key);
          return keys.length < 1_000;
        });
      }
    },
  };
}

const keyOf = (...parts: string[]) => Buffer.from(parts.join(' '), 'latin1');
// Behind all keys that begin with the text.
const endOf = (text: string) => Buffer.from(`${text}\xff`, 'latin1');
// By the time they were asked for, in milliseconds' place the id.
const orderKey = ({ queuedAtSecs, crawlId }: CrawlRecord) =>
  keyOf(String(queuedAtSecs).padStart(12, '0'), crawlId);
// A URL may be longer than a key of LMDB.
const knownKey = (siteId: string, url: string) => keyOf(siteId, hash('sha256', url, 'hex').slice(0, 40));
