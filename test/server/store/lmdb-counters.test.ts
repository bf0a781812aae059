import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEnvironment } from '../../../server/store/environment.ts';
import { createLmdbCounters } from '../../../server/store/lmdb-counters.ts';
import { testCounters } from '../../contract/counters.ts';
import { makeFolder } from '../../temporary-folder.ts';
import { createMemoryCounters } from '../../test-access.ts';

testCounters('LMDB', async () => {
  const { folder, remove } = makeFolder();
  const environment = await openEnvironment(folder);
  const close = async () => {
    await environment.close();
    remove();
  };
  return { clients: [createLmdbCounters(environment), createLmdbCounters(environment)], close };
});

// The one that the other tests use keeps the same word.
testCounters('memory', async () => ({ clients: [createMemoryCounters()], close: async () => {} }));

test('what was counted is still counted after a restart', async () => {
  const { folder, remove } = makeFolder();
  const before = await openEnvironment(folder);
  await createLmdbCounters(before).add('a', 5);
  await before.close();
  const after = await openEnvironment(folder);
  assert.equal(await createLmdbCounters(after).read('a'), 1);
  await after.close();
  remove();
});
