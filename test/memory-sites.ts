import { mergeCounts, noCounts } from '../server/search/core/query-counts.ts';
import type { QueryCountStore } from '../server/search/core/query-log.ts';
import type { SiteRecord, SiteStore } from '../server/search/core/site.ts';

/** Sites in a Map: the smallest store that keeps the port's word. Counts the writes. */
export function createMemorySites(): SiteStore & { writes(): number } {
  const records = new Map<string, SiteRecord>();
  let writes = 0;
  return {
    writes: () => writes,
    get: (siteId) => records.get(siteId) ?? null,
    list: (tenant, after, limit) =>
      [...records.values()]
        .filter((record) => record.siteId > after && (tenant === null || record.tenant === tenant))
        .sort((a, b) => (a.siteId < b.siteId ? -1 : 1))
        .slice(0, limit),
    async add(record) {
      writes++;
      records.set(record.siteId, record);
    },
    async update(siteId, change) {
      writes++;
      const record = records.get(siteId);
      if (!record) return null;
      const changed = change(record);
      records.set(siteId, changed);
      return changed;
    },
    async remove(siteId) {
      records.delete(siteId);
    },
  };
}

/** Counts of queries in a Map, by `<siteId> <day>`. */
export function createMemoryQueryCounts(): QueryCountStore {
  const days = new Map<string, ReturnType<typeof noCounts>>();
  const dayIn = (key: string) => key.split(' ')[1];
  const removeWhere = (isOver: (key: string) => boolean) => {
    const over = [...days.keys()].filter(isOver);
    for (const key of over) days.delete(key);
    return over.length;
  };
  return {
    async add(counted) {
      for (const { siteId, day, counts } of counted) {
        const key = `${siteId} ${day}`;
        days.set(key, mergeCounts(days.get(key) ?? noCounts(), counts));
      }
    },
    read: (siteId, sinceDay) =>
      [...days]
        .filter(([key]) => key.startsWith(`${siteId} `) && dayIn(key) >= sinceDay)
        .reduce((sum, [, counts]) => mergeCounts(sum, counts), noCounts()),
    days: (siteId, sinceDay) =>
      [...days]
        .filter(([key]) => key.startsWith(`${siteId} `) && dayIn(key) >= sinceDay)
        .map(([key, { queries, withoutResult }]) => ({ day: dayIn(key), queries, withoutResult }))
        .sort((a, b) => (a.day < b.day ? -1 : 1)),
    async drop(siteId) {
      removeWhere((key) => key.startsWith(`${siteId} `));
    },
    purge: async (day) => removeWhere((key) => dayIn(key) < day),
  };
}
