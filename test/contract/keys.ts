import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KeyRecord, KeyStore } from '../../server/access/core/ports.ts';

const recordOf = (keyId: string): KeyRecord => ({
  keyId,
  secretHash: 'ab'.repeat(32),
  tier: 'pro',
  tenant: 'Exämple "x"',
  routes: ['a'],
  hasFixedRoutes: true,
  issuedAtSecs: 1_000,
  revokedAtSecs: null,
});

/** What every implementation of the key store keeps to. `open` gives one or several clients of an empty one. */
export function testKeys(
  name: string,
  open: () => Promise<{ clients: [KeyStore, ...KeyStore[]]; close(): Promise<void> }>,
): void {
  describe(`${name} keeps the contract of keys`, () => {
    const check = (title: string, body: (clients: [KeyStore, ...KeyStore[]]) => Promise<void>) =>
      test(title, async () => {
        const { clients, close } = await open();
        try {
          await body(clients);
        } finally {
          await close();
        }
      });

    check('what was put is got and listed, from every client', async (clients) => {
      const [one, two] = [recordOf('000000000001'), recordOf('000000000002')];
      await clients[0].put(one);
      await clients[0].put(two);
      for (const keys of clients) {
        assert.deepEqual(await keys.get(one.keyId), one);
        assert.deepEqual(
          (await keys.list()).toSorted((a, b) => a.keyId.localeCompare(b.keyId)),
          [one, two],
        );
      }
    });

    check('an id that nobody has is null, and no name of the language', async ([keys]) => {
      for (const keyId of ['ffffffffffff', '__proto__', 'constructor', '']) {
        if (keyId !== '') assert.equal(await keys.get(keyId), null);
        assert.equal(await keys.update(keyId || 'x', (kept) => kept), null);
      }
      assert.deepEqual(await keys.list(), []);
    });

    check('a change is given and kept', async ([keys]) => {
      const record = recordOf('000000000001');
      await keys.put(record);
      const revoked = { ...record, revokedAtSecs: 2_000 };
      assert.deepEqual(
        await keys.update(record.keyId, (kept) => ({ ...kept, revokedAtSecs: 2_000 })),
        revoked,
      );
      assert.deepEqual(await keys.get(record.keyId), revoked);
    });

    check('of 64 changes at once, from every client, none is lost', async (clients) => {
      const record = recordOf('000000000001');
      await clients[0].put(record);
      await Promise.all(
        Array.from({ length: 64 }, (_, i) =>
          clients[i % clients.length].update(record.keyId, (kept) => ({
            ...kept,
            routes: [...kept.routes, String(i)],
          })),
        ),
      );
      assert.equal(new Set((await clients[0].get(record.keyId))?.routes).size, 65);
    });
  });
}
