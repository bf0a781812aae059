import type { Clock, Log } from '../base/ports.ts';
import { countedText, countText, type DayCounts, dayOf, KEPT_DAYS, pack } from './core/query-counts.ts';
import type { QueryCountStore, QueryLog } from './core/query-log.ts';

// What a crash may lose, and what memory may take: with more sites than this under way the counts are written early.
const MOST_SITES = 256;
const DAY_MS = 86_400_000;

export type QueryLogDeps = { store: QueryCountStore; clock: Clock; log: Log };

type Counting = {
  queries: number;
  withoutResult: number;
  top: Map<string, number>;
  topWithoutResult: Map<string, number>;
};

/**
 * Counts queries in bounded memory. `flush` writes them down: call it now and then, and before the end; what a failed
 * one held is lost, since counting on would have no bound.
 */
export function createQueryLog({ store, clock, log }: QueryLogDeps): QueryLog & { flush(): Promise<void> } {
  let day = dayOf(clock.nowMs());
  let bySite = new Map<string, Counting>();
  let written: Promise<unknown> = Promise.resolve();

  // Who finds nothing left to write still waits for what another has taken and not yet written.
  async function flush(): Promise<void> {
    const counted = [...bySite].map(([siteId, counting]) => ({ siteId, day, counts: packed(counting) }));
    bySite = new Map();
    day = dayOf(clock.nowMs());
    if (counted.length === 0) return void (await written);
    const writing = store.add(counted);
    // A failure is told to whoever brought these counts, and to nobody else.
    written = Promise.allSettled([written, writing]);
    await writing;
  }

  function flushSoon(): void {
    flush().catch((err) => log.error({ err }, 'counts of queries were lost'));
  }

  return {
    count(siteId, query, hasResult) {
      if (dayOf(clock.nowMs()) !== day || (bySite.size >= MOST_SITES && !bySite.has(siteId))) flushSoon();
      const counting = bySite.get(siteId) ?? {
        queries: 0,
        withoutResult: 0,
        top: new Map(),
        topWithoutResult: new Map(),
      };
      bySite.set(siteId, counting);
      counting.queries++;
      if (!hasResult) counting.withoutResult++;
      const text = countedText(query);
      if (text === null) return;
      countText(counting.top, text);
      if (!hasResult) countText(counting.topWithoutResult, text);
    },
    async read(siteId) {
      await flush();
      const since = dayOf(clock.nowMs() - (KEPT_DAYS - 1) * DAY_MS);
      return { since, counts: store.read(siteId, since) };
    },
    async days(siteId) {
      await flush();
      const nowMs = clock.nowMs();
      const since = dayOf(nowMs - (KEPT_DAYS - 1) * DAY_MS);
      const counted = new Map(store.days(siteId, since).map((totals) => [totals.day, totals]));
      return Array.from({ length: KEPT_DAYS }, (_, i) => {
        const day = dayOf(nowMs - (KEPT_DAYS - 1 - i) * DAY_MS);
        return counted.get(day) ?? { day, queries: 0, withoutResult: 0 };
      });
    },
    async drop(siteId) {
      bySite.delete(siteId);
      await written;
      await store.drop(siteId);
    },
    flush,
  };
}

const packed = (counting: Counting): DayCounts => ({
  ...counting,
  top: pack(counting.top),
  topWithoutResult: pack(counting.topWithoutResult),
});
