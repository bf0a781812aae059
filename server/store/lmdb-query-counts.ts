import { type DayCounts, mergeCounts, noCounts } from '../search/core/query-counts.ts';
import type { QueryCountStore } from '../search/core/query-log.ts';
import type { Environment } from './environment.ts';

/** Counts of queries in LMDB: one small record for each site and day, at `<siteId> <day>`. */
export function createLmdbQueryCounts(environment: Environment): QueryCountStore {
  const table = environment.table<DayCounts>('query-counts');
  const keyOf = (siteId: string, day: string) => Buffer.from(`${siteId} ${day}`);
  const daysOf = (siteId: string, sinceDay: string) =>
    table.getRange({ start: keyOf(siteId, sinceDay), end: keyOf(siteId, '\x7f') });

  const removeAll = (keys: readonly Buffer[]) =>
    environment.write(() =>
      table.transaction(() => {
        for (const key of keys) table.remove(key);
        return keys.length;
      }),
    );

  return {
    async add(counted) {
      await environment.write(() =>
        table.transaction(() => {
          for (const { siteId, day, counts } of counted) {
            const key = keyOf(siteId, day);
            table.put(key, mergeCounts(table.get(key) ?? noCounts(), counts));
          }
        }),
      );
    },
    read: (siteId, sinceDay) =>
      [...daysOf(siteId, sinceDay)].reduce((sum, { value }) => mergeCounts(sum, value), noCounts()),
    days: (siteId, sinceDay) =>
      [...daysOf(siteId, sinceDay)].map(({ key, value: { queries, withoutResult } }) => ({
        day: key.toString().split(' ')[1],
        queries,
        withoutResult,
      })),
    async drop(siteId) {
      await removeAll([...daysOf(siteId, '')].map(({ key }) => key));
    },
    async purge(day) {
      const over = [...table.getKeys()].filter((key) => key.toString().split(' ')[1] < day);
      return over.length === 0 ? 0 : removeAll(over);
    },
  };
}
