import { hash } from 'node:crypto';
import type { CrawledPage, CrawlRecord, CrawlStore, Settlement, Waiting } from '../crawl/core/ports.ts';
import type { Skip } from '../crawl/core/reasons.ts';
import type { Environment } from './environment.ts';

// What a key of the work table leads to, behind the id of the crawl.
const KIND = { waiting: 1, seen: 2, text: 3, held: 4, skipped: 5 } as const;
type Kind = (typeof KIND)[keyof typeof KIND];

// Our choice: what is left out may be much more than what is taken, and nobody reads more.
const MOST_SKIPPED = 10_000;
// Addresses that a crawl remembers beyond those that it asks for, so that each is told once.
const MOST_SEEN_A_PAGE = 10;
const ROWS_A_TURN = 2_000;
// Pages stand behind all sitemaps.
const PAGES_FROM = 2 ** 32;

export type LmdbCrawlWork = Pick<
  CrawlStore,
  'next' | 'skipped' | 'textOwner' | 'held' | 'release' | 'clear'
> & {
  /** Does what steps say, inside of a transaction; gives the record with the figures that follow from it. */
  apply(record: CrawlRecord, steps: readonly Settlement[], mostPages: number): CrawlRecord;
  removeAll(crawlId: string): Promise<void>;
};

/** What running crawls work on: the queue, what was seen, what was left out, what is held back. */
export function createLmdbCrawlWork(environment: Environment): LmdbCrawlWork {
  const table = environment.table<unknown>('crawl-work');

  const lastNumber = (crawlId: string, kind: Kind, end: number): number => {
    const range = {
      start: numberKey(crawlId, kind, end),
      end: kindKey(crawlId, kind),
      reverse: true,
      limit: 1,
    };
    const [key] = [...table.getKeys(range)];
    return key ? numberOf(key) : -1;
  };

  function apply(record: CrawlRecord, steps: readonly Settlement[], mostPages: number): CrawlRecord {
    const { crawlId } = record;
    const counts = { ...record.skippedCount };
    let { queued, listed, sitemaps } = record;
    let nextSkip = lastNumber(crawlId, KIND.skipped, 2 ** 48) + 1;
    const ends = {
      sitemap: Math.max(-1, lastNumber(crawlId, KIND.waiting, PAGES_FROM - 1)),
      page: Math.max(PAGES_FROM - 1, lastNumber(crawlId, KIND.waiting, 2 ** 48)),
    };
    // Where an address is being worked on its number must not be given to another.
    for (const { at } of steps) {
      if (at === null) continue;
      const kind = at < PAGES_FROM ? 'sitemap' : 'page';
      ends[kind] = Math.max(ends[kind], at);
      table.remove(numberKey(crawlId, KIND.waiting, at));
      queued--;
    }
    const push = (item: Waiting) => {
      table.put(numberKey(crawlId, KIND.waiting, ++ends[item.kind]), item);
      queued++;
    };
    const note = (skip: Skip) => {
      counts[skip.reason] = (counts[skip.reason] ?? 0) + 1;
      if (nextSkip < MOST_SKIPPED) table.put(numberKey(crawlId, KIND.skipped, nextSkip++), skip);
    };
    const see = (url: string): boolean => {
      const key = seenKey(crawlId, url);
      if (table.get(key) !== undefined) return false;
      table.put(key, 1);
      return true;
    };

    let seen = record.seen;
    const isHolding = steps.some(({ held }) => held.length > 0);
    let nextHeld = isHolding ? lastNumber(crawlId, KIND.held, 2 ** 48) + 1 : 0;
    for (const step of steps) {
      for (const item of step.add) {
        if (seen >= mostPages * MOST_SEEN_A_PAGE || !see(item.url)) continue;
        seen++;
        if (item.kind === 'sitemap') sitemaps++;
        else if (listed >= mostPages) {
          note({ url: item.url, reason: 'limit', detail: `a crawl asks for at most ${mostPages} addresses` });
          continue;
        } else listed++;
        push(item);
      }
      if (step.retry) push(step.retry);
      for (const { isNew, ...skip } of step.skipped) {
        // What was asked for was seen before; what is left out unasked is told the first time.
        if (isNew) {
          if (seen >= mostPages * MOST_SEEN_A_PAGE || !see(skip.url)) continue;
          seen++;
        }
        note(skip);
      }
      for (const page of step.held) table.put(numberKey(crawlId, KIND.held, nextHeld++), page);
      if (step.claim) table.put(textKey(crawlId, step.claim.textHash), step.claim.url);
    }
    return { ...record, queued, listed, sitemaps, seen, skippedCount: counts };
  }

  async function removeKind(crawlId: string, kind: Kind): Promise<void> {
    const range = {
      start: kindKey(crawlId, kind),
      end: Buffer.concat([kindKey(crawlId, kind), Buffer.alloc(40, 0xff)]),
      limit: ROWS_A_TURN,
    };
    for (let isDone = false; !isDone; ) {
      isDone = await environment.write(() =>
        table.transaction(() => {
          const keys = [...table.getKeys(range)];
          for (const key of keys) table.remove(key);
          return keys.length < ROWS_A_TURN;
        }),
      );
    }
  }

  const clear = async (crawlId: string) => {
    for (const kind of [KIND.waiting, KIND.seen, KIND.text, KIND.held]) await removeKind(crawlId, kind);
  };

  return {
    apply,
    next(crawlId, besides, limit) {
      const range = {
        start: kindKey(crawlId, KIND.waiting),
        end: numberKey(crawlId, KIND.waiting, 2 ** 48),
        limit: besides.size + limit,
      };
      return [...table.getRange(range)]
        .map(({ key, value }) => ({ at: numberOf(key), item: value as Waiting }))
        .filter(({ at }) => !besides.has(at))
        .slice(0, limit);
    },
    skipped(crawlId, after, limit) {
      const range = {
        start: numberKey(crawlId, KIND.skipped, after + 1),
        end: numberKey(crawlId, KIND.skipped, 2 ** 48),
        limit,
      };
      return [...table.getRange(range)].map(({ key, value }) => ({ at: numberOf(key), ...(value as Skip) }));
    },
    textOwner: (crawlId, textHash) => (table.get(textKey(crawlId, textHash)) as string | undefined) ?? null,
    held(crawlId, limit) {
      const range = {
        start: kindKey(crawlId, KIND.held),
        end: numberKey(crawlId, KIND.held, 2 ** 48),
        limit,
      };
      return [...table.getRange(range)].map(({ value }) => value as CrawledPage);
    },
    async release(crawlId, count) {
      const range = {
        start: kindKey(crawlId, KIND.held),
        end: numberKey(crawlId, KIND.held, 2 ** 48),
        limit: count,
      };
      await environment.write(() =>
        table.transaction(() => {
          for (const key of [...table.getKeys(range)]) table.remove(key);
        }),
      );
    },
    clear,
    async removeAll(crawlId) {
      await clear(crawlId);
      await removeKind(crawlId, KIND.skipped);
    },
  };
}

const kindKey = (crawlId: string, kind: Kind) =>
  Buffer.concat([Buffer.from(crawlId, 'latin1'), Buffer.from([kind])]);

/** u48, big-endian: the order of the keys is that of the numbers. */
function numberKey(crawlId: string, kind: Kind, number: number): Buffer {
  const tail = Buffer.alloc(6);
  tail.writeUIntBE(Math.min(number, 2 ** 48 - 1), 0, 6);
  return Buffer.concat([kindKey(crawlId, kind), tail]);
}

const textKey = (crawlId: string, textHash: string) =>
  Buffer.concat([kindKey(crawlId, KIND.text), Buffer.from(textHash.slice(0, 40), 'hex')]);

const numberOf = (key: Buffer) => key.readUIntBE(key.length - 6, 6);

const seenKey = (crawlId: string, url: string) =>
  Buffer.concat([kindKey(crawlId, KIND.seen), hash('sha256', url, 'buffer').subarray(0, 16)]);
