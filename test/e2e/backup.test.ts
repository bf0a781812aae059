import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeFolder } from '../temporary-folder.ts';
import { solve } from '../test-gate.ts';
import { entry, startServer } from './server-process.ts';

const { folder, remove } = makeFolder();
after(remove);
const at = (name: string) => join(folder, name);

const POLICY = {
  defaults: { difficulty_bits: 12 },
  routes: [{ id: 'call', paths: ['/call'], passport_ttl_secs: 0 }],
};
writeFileSync(at('policy.json'), JSON.stringify(POLICY));
const ENV = { GATE_POLICY: at('policy.json'), THROTTLE_CHALLENGE: '1000/60' };

const run = (dataDir: string, args: string[], env = {}) =>
  new Promise<{ status: number; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [entry, ...args], { env: { DATA_DIR: dataDir, ...env } }, (error, out, err) =>
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });
const json = async (url: string, init?: RequestInit) => (await fetch(url, init)).json();

test('a backup is made while the server runs, and a restored one lets nothing in twice', async () => {
  const first = await startServer(ENV, at('data'));
  const { siteId, siteSecret } = await json(`${first.url}/sites`, { method: 'POST' });
  const put = await fetch(`${first.url}/sites/${siteId}/pages?siteSecret=${siteSecret}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Hours', body: 'Open from nine', url: 'https://example.org/' }),
  });
  assert.equal(put.status, 201);
  const { challenge } = await json(`${first.url}/pow/challenge?route=call`);

  const made = await run(at('data'), ['backup', at('backup')]);
  assert.deepEqual([made.status, made.err], [0, '']);
  assert.deepEqual(readdirSync(at('backup')).sort(), ['admin-key', 'demo-site', 'gatehouse.lmdb']);
  for (const name of readdirSync(at('backup')))
    assert.equal(statSync(join(at('backup'), name)).mode & 0o77, 0);

  // Spent after the backup, which therefore knows nothing of it.
  const headers = { pow: `${challenge}:${solve(challenge)}` };
  const call = async (url: string) => (await fetch(`${url}/call`, { headers })).status;
  assert.deepEqual([await call(first.url), await call(first.url)], [404, 409]);
  await first.end('SIGTERM');

  assert.match((await run(at('data'), ['restore', at('backup')])).err, /there is a store already: stop the/);
  const restored = await run(at('new'), ['restore', at('backup')]);
  assert.deepEqual([restored.status, restored.err], [0, '']);
  assert.match(restored.out, /makes new sealing keys/);
  const second = await startServer(ENV, at('new'));
  assert.equal(await call(second.url), 403);
  assert.equal((await json(`${second.url}/sites/${siteId}/search?query=open`)).total, 1);
  assert.equal(
    readFileSync(join(at('new'), 'admin-key'), 'utf8'),
    readFileSync(join(at('data'), 'admin-key'), 'utf8'),
  );
  await second.end('SIGTERM');
});

test('keys that are kept in the data folder are put aside, and those of the environment are spoken of', async () => {
  mkdirSync(at('again'));
  writeFileSync(join(at('again'), 'pow-keys'), 'x');
  const POW_KEYS = `1:${Buffer.alloc(32, 1).toString('base64')}`;
  assert.match(
    (await run(at('again'), ['restore', at('backup')], { POW_KEYS })).out,
    /give POW_KEYS a new first key/,
  );
  assert.ok(!existsSync(join(at('again'), 'pow-keys')));
  assert.equal(readFileSync(join(at('again'), 'pow-keys.before-restore'), 'utf8'), 'x');
});

test('where the old keys cannot be put aside, the store that has forgotten what they were spent on is not put there', async () => {
  mkdirSync(join(at('stuck'), 'pow-keys.before-restore'), { recursive: true });
  writeFileSync(join(at('stuck'), 'pow-keys'), 'x');
  assert.equal((await run(at('stuck'), ['restore', at('backup')])).status, 1);
  assert.deepEqual(
    readdirSync(at('stuck')).filter((name) => name.startsWith('gatehouse.lmdb')),
    [],
  );
});

test('what is no backup, and a folder that is in use, are told', async () => {
  mkdirSync(at('junk'));
  writeFileSync(join(at('junk'), 'gatehouse.lmdb'), 'junk');
  for (const [data, args, reason] of [
    ['none', ['backup', at('x')], /there is no store to back up/],
    ['data', ['backup', at('backup')], /expected a new or empty folder/],
    ['empty-1', ['restore', at('nowhere')], /expected a backup, found no gatehouse\.lmdb/],
    ['empty-2', ['restore', at('junk')], /is no LMDB file/],
  ] as const) {
    const { status, err } = await run(at(data), [...args]);
    assert.equal(status, 1);
    assert.match(err, reason);
    assert.doesNotMatch(err, / at .*\.ts:/);
  }
  assert.ok(!existsSync(join(at('empty-2'), 'gatehouse.lmdb')));
});
