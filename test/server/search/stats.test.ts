import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  countedText,
  countText,
  MOST_COUNTED,
  mergeCounts,
  noCounts,
  pack,
} from '../../../server/search/core/query-counts.ts';
import { createQueryLog } from '../../../server/search/query-log.ts';
import { createMemoryQueryCounts } from '../../memory-sites.ts';
import { createTestClock } from '../../test-gate.ts';
import { createTestSearch, page } from '../../test-search.ts';

const DAY_SECS = 86_400;

describe('the stats of a site', () => {
  test('tell what was looked for, and what was not found', async () => {
    const world = createTestSearch();
    const site = await world.makeSite();
    await world.putPages(site, page('a'));
    for (const query of ['text', ' TEXT ', 'text', 'bees', 'bees', 'title', '', ' ', '-text', ' -a -b'])
      await world.find(site, query);
    await world.find(site, 'text', { page: '2' });
    const stats = (await world.request(world.pathOf(site, '/stats'))).json();
    assert.deepEqual(stats, {
      pages: 1,
      bytes: page('a').body.length,
      since: '2025-12-03',
      queries: 6,
      queriesWithoutResult: 2,
      topQueries: [
        { query: 'text', count: 3 },
        { query: 'bees', count: 2 },
        { query: 'title', count: 1 },
      ],
      topQueriesWithoutResult: [{ query: 'bees', count: 2 }],
    });
  });

  test('count no words that look like somebody’s own', async () => {
    const world = createTestSearch();
    const site = await world.makeSite();
    for (const query of [
      'ada@example.org',
      '+43 660 123 45 67',
      '4111 1111 1111 1111',
      'x'.repeat(129),
      'area 51',
    ]) {
      await world.find(site, query);
    }
    const { queries, topQueries } = (await world.request(world.pathOf(site, '/stats'))).json();
    assert.equal(queries, 5);
    assert.deepEqual(topQueries, [{ query: 'area 51', count: 1 }]);
  });

  test('go back 30 days', async () => {
    const world = createTestSearch();
    const { key } = await world.access.issue({ tier: 'free', tenant: 'acme', routes: [] });
    const site = await world.makeSite(key);
    await world.find(site, 'old');
    world.clock.advanceSecs(29 * DAY_SECS);
    await world.find(site, 'new');
    const read = async () => (await world.request(world.pathOf(site, '/stats'))).json().queries;
    assert.equal(await read(), 2);
    world.clock.advanceSecs(DAY_SECS);
    assert.equal(await read(), 1);
  });

  test('may be of __proto__', async () => {
    const world = createTestSearch();
    const site = await world.makeSite();
    await world.find(site, '__proto__');
    await world.find(site, 'constructor');
    const { topQueries } = (await world.request(world.pathOf(site, '/stats'))).json();
    assert.deepEqual(topQueries.map(({ query }: { query: string }) => query).sort(), [
      '__proto__',
      'constructor',
    ]);
  });
});

describe('counting', () => {
  test('never takes more room, and keeps what is frequent', () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 20_000; i++) {
      countText(counts, `rare ${i}`);
      if (i % 10 === 0) countText(counts, 'frequent');
    }
    assert.equal(counts.size, MOST_COUNTED);
    const count = counts.get('frequent') ?? 0;
    // Never too low; too high by at most the total over the room.
    assert.ok(count >= 2_000 && count <= 2_000 + 22_000 / MOST_COUNTED, String(count));
  });

  test('is exact as long as there is room, in whatever parts it is merged', () =>
    fc.assert(
      fc.property(fc.array(fc.array(fc.constantFrom('a', 'b', 'c', '__proto__'))), (parts) => {
        const sum = parts
          .map((texts) => {
            const counts = new Map<string, number>();
            for (const text of texts) countText(counts, text);
            return { ...noCounts(), queries: texts.length, top: pack(counts) };
          })
          .reduce(mergeCounts, noCounts());
        const all = parts.flat();
        assert.equal(sum.queries, all.length);
        for (const text of new Set(all)) {
          assert.equal(new Map(sum.top).get(text), all.filter((other) => other === text).length);
        }
      }),
    ));

  test('keeps a merged record as small as one', () => {
    const full = (name: string) => ({
      ...noCounts(),
      top: pack(new Map(Array.from({ length: MOST_COUNTED }, (_, i) => [`${name}${i}`, i + 1]))),
    });
    const merged = mergeCounts(full('a'), full('b'));
    assert.equal(merged.top.length, MOST_COUNTED);
    assert.equal(merged.top[0][1], MOST_COUNTED);
  });

  for (const [query, text] of [
    ['  Bees \n and\tHONEY ', 'bees and honey'],
    ['a@b', null],
    ['12345', '12345'],
    ['123456', null],
    ['tel ١٢٣٤٥٦', null],
    ['x'.repeat(128), 'x'.repeat(128)],
    ['x'.repeat(129), null],
  ] as const) {
    test(`${JSON.stringify(query).slice(0, 30)} counts as ${text?.slice(0, 20)}`, () =>
      assert.equal(countedText(query), text));
  }
});

describe('the log of queries', () => {
  const open = () => {
    const clock = createTestClock();
    const store = createMemoryQueryCounts();
    const adds: number[] = [];
    const lines: string[] = [];
    const write = (_: object, message: string) => void lines.push(message);
    const log = { info: write, warn: write, error: write };
    const queryLog = createQueryLog({
      store: {
        ...store,
        async add(counted) {
          adds.push(counted.length);
          await store.add(counted);
        },
      },
      clock,
      log,
    });
    return { clock, store, adds, lines, queryLog, log };
  };

  /** A log whose store writes when it may. */
  const openSlow = () => {
    const { store, clock, log } = open();
    let write = () => {};
    const mayWrite = new Promise<void>((resolve) => {
      write = resolve;
    });
    const add: typeof store.add = (counted) => mayWrite.then(() => store.add(counted));
    return { store, queryLog: createQueryLog({ store: { ...store, add }, clock, log }), write };
  };

  test('writes nothing before it is told to, and all in one step', async () => {
    const { queryLog, adds, store } = open();
    for (let i = 0; i < 10_000; i++) queryLog.count(`s${i % 5}`, `query ${i}`, true);
    assert.deepEqual(adds, []);
    await queryLog.flush();
    await queryLog.flush();
    assert.deepEqual(adds, [5]);
    assert.equal(store.read('s', '2026').queries, 0);
    assert.equal(store.read('s3', '2026').queries, 2_000);
  });

  test('holds few sites in memory, however many are searched', () => {
    const { queryLog, adds } = open();
    for (let i = 0; i < 1_000; i++) queryLog.count(`s${i}`, 'a', true);
    assert.deepEqual(adds, [256, 256, 256]);
  });

  test('counts each day for itself', async () => {
    const { queryLog, store, clock } = open();
    queryLog.count('s', 'a', true);
    clock.advanceSecs(DAY_SECS);
    queryLog.count('s', 'b', true);
    await queryLog.flush();
    assert.deepEqual(store.read('s', '2026-01-02').top, [['b', 1]]);
    assert.equal(store.read('s', '2026-01-01').queries, 2);
  });

  test('goes on where the store does not take a day', async () => {
    const { clock, log, lines } = open();
    const store = createMemoryQueryCounts();
    const failing = {
      ...store,
      add: async () => {
        throw new Error('planted');
      },
    };
    const queryLog = createQueryLog({ store: failing, clock, log });
    queryLog.count('s', 'a', true);
    clock.advanceSecs(DAY_SECS);
    queryLog.count('s', 'b', true);
    await new Promise(setImmediate);
    assert.deepEqual(lines, ['counts of queries were lost']);
  });

  test('what one reader has taken and not yet written, another waits for', async () => {
    const { queryLog, write } = openSlow();
    queryLog.count('s', 'a', true);
    const both = Promise.all([queryLog.read('s'), queryLog.read('s')]);
    write();
    assert.deepEqual(
      (await both).map(({ counts }) => counts.queries),
      [1, 1],
    );
  });

  test('counts that are being written when a site is dropped go with it', async () => {
    const { store, queryLog, write } = openSlow();
    queryLog.count('s', 'a', true);
    const both = Promise.all([queryLog.flush(), queryLog.drop('s')]);
    write();
    await both;
    assert.equal(store.read('s', '2000').queries, 0);
  });
});
