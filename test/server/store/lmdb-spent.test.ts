import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Environment, openEnvironment } from '../../../server/store/environment.ts';
import { createLmdbSpent } from '../../../server/store/lmdb-spent.ts';
import { testSpent } from '../../contract/spent.ts';
import { makeFolder } from '../../temporary-folder.ts';

testSpent('LMDB', async () => {
  const { folder, remove } = makeFolder();
  const environment = await openEnvironment(folder);
  const close = async () => {
    await environment.close();
    remove();
  };
  // Two sets of handles on one environment, as two processes have them.
  return { clients: [createLmdbSpent(environment), createLmdbSpent(environment)], close };
});

const record = { use: 'request', answer: '1', network: '192.0.2.0/24', atSecs: 1_000, kid: 1 } as const;
const challenge = { nonce: new Uint8Array(32).fill(1), issuedAtSecs: 1_000, expiresAtSecs: 2_000 };

test('what was spent is still spent after a restart', async () => {
  const { folder, remove } = makeFolder();
  const before = await openEnvironment(folder);
  await createLmdbSpent(before).spend(challenge, record);
  await before.close();
  const after = await openEnvironment(folder);
  assert.deepEqual(await createLmdbSpent(after).spend(challenge, record), record);
  await after.close();
  remove();
});

test('a store that cannot write refuses with 503 and never says "not spent"', async () => {
  const { folder, remove } = makeFolder();
  const environment = await openEnvironment(folder);
  const full = {
    ...environment,
    table: () => ({ ifNoExists: () => Promise.reject(new Error('MDB_MAP_FULL')) }),
  };
  const spent = createLmdbSpent(full as unknown as Environment);
  await assert.rejects(spent.spend(challenge, record), {
    code: 'store-unavailable',
    headers: { 'Retry-After': '5' },
  });
  await environment.close();
  remove();
});
