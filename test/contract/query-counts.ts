import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type DayCounts, noCounts } from '../../server/search/core/query-counts.ts';
import type { QueryCountStore } from '../../server/search/core/query-log.ts';

const counts = (queries: number, ...top: [string, number][]): DayCounts => ({ ...noCounts(), queries, top });

/** What every store of counted queries keeps to. `open` gives an empty one. */
export function testQueryCounts(
  name: string,
  open: () => Promise<{ store: QueryCountStore; close(): Promise<void> }>,
): void {
  describe(`${name} keeps the contract of counted queries`, () => {
    const check = (title: string, body: (store: QueryCountStore) => Promise<void>) =>
      test(title, async () => {
        const { store, close } = await open();
        try {
          await body(store);
        } finally {
          await close();
        }
      });

    check('adds to a day, and reads days together', async (store) => {
      assert.deepEqual(store.read('a', '2026-01-01'), noCounts());
      await store.add([
        { siteId: 'a', day: '2026-01-01', counts: counts(3, ['__proto__', 2], ['y', 1]) },
        { siteId: 'a', day: '2026-01-02', counts: counts(1, ['y', 1]) },
        { siteId: 'ab', day: '2026-01-02', counts: counts(9) },
      ]);
      await Promise.all(
        [1, 2].map(() => store.add([{ siteId: 'a', day: '2026-01-02', counts: counts(2, ['y', 2]) }])),
      );
      assert.deepEqual(store.read('a', '2026-01-01'), counts(8, ['y', 6], ['__proto__', 2]));
      assert.deepEqual(store.read('a', '2026-01-02'), counts(5, ['y', 5]));
      assert.equal(store.read('a', '2026-01-03').queries, 0);
      assert.deepEqual(store.days('a', '2026-01-01'), [
        { day: '2026-01-01', queries: 3, withoutResult: 0 },
        { day: '2026-01-02', queries: 5, withoutResult: 0 },
      ]);
      assert.deepEqual(
        store.days('a', '2026-01-02').map(({ day }) => day),
        ['2026-01-02'],
      );
    });

    check('forgets a site, and days that are over', async (store) => {
      for (const siteId of ['a', 'b']) {
        for (const day of ['2026-01-01', '2026-01-02']) await store.add([{ siteId, day, counts: counts(1) }]);
      }
      assert.equal(await store.purge('2026-01-02'), 2);
      assert.equal(await store.purge('2026-01-02'), 0);
      assert.equal(store.read('a', '').queries, 1);
      await store.drop('a');
      await store.drop('a');
      assert.equal(store.read('a', '').queries, 0);
      assert.equal(store.read('b', '').queries, 1);
    });
  });
}
