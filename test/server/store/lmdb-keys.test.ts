import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeyRecord } from '../../../server/access/core/ports.ts';
import { openEnvironment } from '../../../server/store/environment.ts';
import { createLmdbKeys } from '../../../server/store/lmdb-keys.ts';
import { makeFolder } from '../../temporary-folder.ts';

const record: KeyRecord = {
  keyId: '00112233aabb',
  secretHash: 'ab'.repeat(32),
  tier: 'pro',
  tenant: 'Example',
  routes: ['a'],
  hasFixedRoutes: true,
  issuedAtSecs: 1_000,
  revokedAtSecs: null,
};

test('keys survive a restart, and changes at once do not lose each other', async () => {
  const { folder, remove } = makeFolder();
  const before = await openEnvironment(folder);
  const keys = createLmdbKeys(before);
  await keys.put(record);
  await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      keys.update(record.keyId, (kept) => ({ ...kept, routes: [...kept.routes, String(i)] })),
    ),
  );
  assert.equal(await keys.update('ffffffffffff', (kept) => kept), null);
  await before.close();
  const after = await openEnvironment(folder);
  const kept = createLmdbKeys(after);
  assert.equal((await kept.get(record.keyId))?.routes.length, 21);
  assert.equal(await kept.get('ffffffffffff'), null);
  assert.equal((await kept.list()).length, 1);
  await after.close();
  remove();
});
