import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { open } from 'lmdb';
import { openEnvironment } from '../../../server/store/environment.ts';
import { makeFolder } from '../../temporary-folder.ts';

test('an environment opens again with what was written', async () => {
  const { folder, remove } = makeFolder();
  const before = await openEnvironment(folder);
  await before.table<string>('things').put(Buffer.from('key'), 'value');
  await before.close();
  const after = await openEnvironment(folder);
  assert.equal(after.table<string>('things').get(Buffer.from('key')), 'value');
  await after.close();
  remove();
});

test('data of a newer format is refused by name and left alone', async () => {
  const { folder, remove } = makeFolder();
  const newer = open({ path: join(folder, 'gatehouse.lmdb') });
  await newer.put('format', 2);
  await newer.close();
  await assert.rejects(openEnvironment(folder), /has format 2, this server reads up to 1/);
  remove();
});
