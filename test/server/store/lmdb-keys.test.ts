import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeyRecord } from '../../../server/access/core/ports.ts';
import { openEnvironment } from '../../../server/store/environment.ts';
import { createLmdbKeys } from '../../../server/store/lmdb-keys.ts';
import { testKeys } from '../../contract/keys.ts';
import { makeFolder } from '../../temporary-folder.ts';
import { createMemoryKeys } from '../../test-access.ts';

testKeys('LMDB', async () => {
  const { folder, remove } = makeFolder();
  const environment = await openEnvironment(folder);
  const close = async () => {
    await environment.close();
    remove();
  };
  return { clients: [createLmdbKeys(environment), createLmdbKeys(environment)], close };
});

// The one that the other tests use keeps the same word.
testKeys('memory', async () => ({ clients: [createMemoryKeys()], close: async () => {} }));

test('keys survive a restart', async () => {
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
  const { folder, remove } = makeFolder();
  const before = await openEnvironment(folder);
  await createLmdbKeys(before).put(record);
  await before.close();
  const after = await openEnvironment(folder);
  assert.deepEqual(await createLmdbKeys(after).list(), [record]);
  await after.close();
  remove();
});
