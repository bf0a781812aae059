import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Counters } from '../../server/access/core/ports.ts';

/** What every implementation of counters keeps to. `open` gives one or several clients of empty ones. */
export function testCounters(
  name: string,
  open: () => Promise<{ clients: [Counters, ...Counters[]]; close(): Promise<void> }>,
): void {
  describe(`${name} keeps the contract of counters`, () => {
    const check = (title: string, body: (counters: Counters, clients: Counters[]) => Promise<void>) =>
      test(title, async () => {
        const { clients, close } = await open();
        try {
          await body(clients[0], clients);
        } finally {
          await close();
        }
      });

    check('a counter begins at nothing and counts up', async (counters) => {
      assert.equal(await counters.read('a'), 0);
      assert.deepEqual(await counters.add('a', null), { count: 1, isAdded: true });
      assert.deepEqual(await counters.add('a', null), { count: 2, isAdded: true });
      assert.equal(await counters.read('a'), 2);
      assert.equal(await counters.read('b'), 0);
    });

    check('it stops at the most, and a refusal counts nothing', async (counters) => {
      assert.equal((await counters.add('a', 1)).isAdded, true);
      assert.deepEqual(await counters.add('a', 1), { count: 1, isAdded: false });
      assert.equal(await counters.read('a'), 1);
      assert.equal((await counters.add('b', 0)).isAdded, false);
    });

    check(
      'of 64 at once, from every client, exactly as many are added as there is room for',
      async (counters, clients) => {
        const results = await Promise.all(
          Array.from({ length: 64 }, (_, i) => clients[i % clients.length].add('a', 10)),
        );
        assert.equal(results.filter(({ isAdded }) => isAdded).length, 10);
        assert.equal(await counters.read('a'), 10);
      },
    );
  });
}
