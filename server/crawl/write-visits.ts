import { Fault } from '../base/fault.ts';
import type { CrawlConfig, CrawlRecord, Settlement } from './core/ports.ts';
import { isHolding } from './core/ports.ts';
import { sleep } from './pace.ts';
import type { CrawlerDeps } from './run-crawl.ts';
import { NOTHING, type Visit } from './visit-page.ts';

const STORE_PAUSE_MS = 5_000;
// Our choice: a transaction of so many pages costs a fraction of as many transactions; at two pages a second it is one.
const MOST_TOGETHER = 64;
const FLUSH = 100;

/** A visit that waits to be written down: of which address, and how fast its host was asked. */
export type DoneVisit = { at: number; url: string; visit: Visit; perSecond: number };

export type WriteVisitsDeps = Pick<CrawlerDeps, 'store' | 'sink' | 'timer' | 'log'> & {
  crawlId: string;
  siteId: string;
  mostPages: number;
  signal: AbortSignal;
  /** The site is gone. */
  cancel(): Promise<void>;
};

/**
 * Writes visits down, in the order of coming: pages into the index, then what follows of them into the store. What comes
 * while it writes is written together afterwards.
 */
export function createVisitWriter({
  store,
  sink,
  timer,
  log,
  crawlId,
  siteId,
  mostPages,
  signal,
  cancel,
}: WriteVisitsDeps) {
  let waiting: DoneVisit[] = [];
  let pending = 0;
  let writing: Promise<void> | null = null;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0 && !signal.aborted) {
      const together = waiting.slice(0, MOST_TOGETHER);
      waiting = waiting.slice(MOST_TOGETHER);
      await write(together);
      await flush();
    }
  }

  async function write(visits: readonly DoneVisit[]): Promise<void> {
    while (!signal.aborted) {
      try {
        await settle(await writePages(visits));
        return;
      } catch (error) {
        if (error instanceof Fault && error.code === 'unknown-site') return cancel();
        if (error instanceof Fault && error.code === 'store-unavailable') {
          log.warn({ err: error, crawl: crawlId }, 'a crawl waits for the store');
          await sleep(timer, STORE_PAUSE_MS, signal);
        } else if (visits.length > 1) {
          // One of them is to blame.
          for (const one of visits) await write([one]);
          return;
        } else {
          const [one] = visits;
          log.error({ err: error, crawl: crawlId, url: one.url }, 'a page could not be written');
          await settle([{ ...one, visit: unreadable(one.url), isHeld: false }]);
          return;
        }
      }
    }
  }

  /** Writes the pages into the index, unless what changes is held back. */
  async function writePages(visits: readonly DoneVisit[]): Promise<Written[]> {
    const record = store.get(crawlId);
    if (!record || isHolding(record)) {
      return visits.map((one) => ({ ...one, isHeld: one.visit.page !== null }));
    }
    const pages = visits.flatMap(({ visit }) => visit.page ?? []);
    const isTaken = await takes(pages);
    if (isTaken === true) return visits.map((one) => ({ ...one, isHeld: false }));
    const written: Written[] = [];
    for (const one of visits) {
      const { page } = one.visit;
      const taken = page === null || (visits.length > 1 ? await takes([page]) : isTaken);
      written.push({ ...one, visit: taken === true ? one.visit : refused(one.visit, taken), isHeld: false });
    }
    return written;
  }

  /** Whether the index takes the pages; where it has no room for them, what it says. */
  async function takes(pages: readonly NonNullable<Visit['page']>[]): Promise<true | string> {
    if (pages.length === 0) return true;
    try {
      await sink.write(siteId, pages);
      return true;
    } catch (error) {
      if (!(error instanceof Fault) || !['pilot-limit', 'site-limit'].includes(error.code)) throw error;
      return error.message;
    }
  }

  async function settle(visits: readonly Written[]): Promise<void> {
    await store.settleAll(crawlId, visits.map(settlementOf), mostPages);
  }

  /** Writes what was held back, once enough was found. */
  async function flush(): Promise<void> {
    const record = store.get(crawlId);
    if (!record || record.knownBefore === 0 || isHolding(record)) return;
    try {
      for (let pages = store.held(crawlId, FLUSH); pages.length > 0; pages = store.held(crawlId, FLUSH)) {
        await sink.write(siteId, pages).catch((error) => {
          if (!(error instanceof Fault) || error.code === 'store-unavailable') throw error;
          log.warn({ err: error, crawl: crawlId }, 'pages that a crawl held back were refused');
        });
        await store.release(crawlId, pages.length);
      }
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'store-unavailable') throw error;
      log.warn({ err: error, crawl: crawlId }, 'pages that a crawl held back wait for the store');
    }
  }

  return {
    /** Resolves once the visit is written down; rejects where nothing can be. */
    async add(done: DoneVisit): Promise<void> {
      waiting.push(done);
      pending++;
      try {
        while (writing) {
          await writing;
          if (!waiting.includes(done)) return;
        }
        writing = writeAll().finally(() => {
          writing = null;
        });
        await writing;
      } finally {
        pending--;
      }
    },
    /** How many visits are not written down yet: they ask nobody any more. */
    pending: () => pending,
    flush,
  };
}

type Written = DoneVisit & { isHeld: boolean };

export const unreadable = (url: string): Visit => ({
  ...NOTHING,
  skipped: [{ url, reason: 'unreachable', detail: 'it could not be read' }],
});

const refused = (visit: Visit, detail: string): Visit => ({
  ...visit,
  page: null,
  known: null,
  skipped: [...visit.skipped, { url: visit.page?.url ?? '', reason: 'limit', detail }],
});

function settlementOf({ at, visit, perSecond, isHeld }: Written): Settlement {
  const { page, known, movedConfig } = visit;
  return {
    at,
    add: visit.add,
    retry: visit.retry,
    skipped: visit.skipped,
    claim: visit.claim,
    // What waits may never be written: the next crawl must not take it for known.
    known:
      known === null ? [] : [isHeld ? { ...known, pageHash: null, etag: null, lastModified: null } : known],
    held: page !== null && isHeld ? [page] : [],
    change: (kept: CrawlRecord) => ({
      ...kept,
      configs: movedConfig ? moveConfigs(kept.configs, movedConfig) : kept.configs,
      pagesPerSecond: perSecond,
      fetched: kept.fetched + (visit.isFetched ? 1 : 0),
      indexed: kept.indexed + (page === null ? 0 : 1),
      unchanged: kept.unchanged + (visit.isUnchanged ? 1 : 0),
    }),
  };
}

/** The folder stays, the host is the one that the beginning redirects to. */
function moveConfigs(
  configs: readonly CrawlConfig[],
  { from, to }: { from: string; to: string },
): CrawlConfig[] {
  return configs.map((config) => {
    if (new URL(config.url).host !== new URL(from).host) return config;
    const { pathname, search } = new URL(config.url);
    return { ...config, url: new URL(to).origin + pathname + search };
  });
}
