import assert from 'node:assert/strict';
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { open } from 'lmdb';
import { isCommitFailure, openEnvironment } from '../../../server/store/environment.ts';
import { makeFolder } from '../../temporary-folder.ts';
import { createTestClock } from '../../test-gate.ts';

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

test('a file that is no LMDB file, or only its beginning, is refused by name', async () => {
  const { folder, remove } = makeFolder();
  const path = join(folder, 'gatehouse.lmdb');
  for (const bytes of [Buffer.from('junk'), Buffer.alloc(8_192, 7), Buffer.alloc(65_536)]) {
    writeFileSync(path, bytes);
    await assert.rejects(openEnvironment(folder), /is no LMDB file, or only the beginning of one/);
  }
  remove();
});

test('a real file that was cut off is refused too', async () => {
  const { folder, remove } = makeFolder();
  await (await openEnvironment(folder)).close();
  truncateSync(join(folder, 'gatehouse.lmdb'), 4_096);
  await assert.rejects(openEnvironment(folder), /only the beginning of one/);
  remove();
});

test('after a failed commit LMDB is left alone until the disk takes something again', async () => {
  const { folder, remove } = makeFolder();
  const clock = createTestClock();
  const environment = await openEnvironment(folder, clock);
  await environment.probe();
  const full = () => Promise.reject(new Error('MDB_MAP_FULL'));
  await assert.rejects(environment.write(full), {
    code: 'store-unavailable',
    headers: { 'Retry-After': '5' },
  });
  // A folder in the place of the test file: the disk takes nothing, for root neither.
  const blocked = join(folder, `room-check.${process.pid}`, 'x');
  mkdirSync(blocked, { recursive: true });
  let asked = 0;
  const count = async () => ++asked;
  await assert.rejects(environment.write(count), { code: 'store-unavailable' });
  await assert.rejects(environment.probe(), { code: 'store-unavailable' });
  assert.equal(asked, 0);
  rmSync(join(folder, `room-check.${process.pid}`), { recursive: true, force: true });
  await assert.rejects(environment.write(count), { code: 'store-unavailable' });
  clock.advanceSecs(2);
  await environment.probe();
  assert.equal(await environment.write(count), 1);
  await environment.close();
  remove();
});

test('what LMDB rejects of a failed commit is told from a bug', () => {
  assert.equal(isCommitFailure(new Error('Commit failed (see commitError for details)')), true);
  assert.equal(isCommitFailure(new Error('MDB_MAP_FULL: Environment mapsize limit reached')), true);
  assert.equal(isCommitFailure(Object.assign(new Error('File too large'), { code: 27 })), true);
  assert.equal(isCommitFailure(Object.assign(new Error('x'), { code: 'ERR_X' })), false);
  assert.equal(isCommitFailure(new TypeError('x is not a function')), false);
  for (const reason of [null, undefined, 'text', 7]) assert.equal(isCommitFailure(reason), false);
});
