import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { configTable, readConfig, VARIABLES } from '../../server/config.ts';

const noFile = (path: string): string => {
  throw new Error(`no file ${path}`);
};
const key = `1:${Buffer.alloc(32, 1).toString('base64')}`;

test('an empty environment gives the defaults', () => {
  const config = readConfig({ PORT: '' }, noFile);
  assert.equal(config.HOST, '127.0.0.1');
  assert.equal(config.PORT, 8080);
  assert.equal(config.DATA_DIR, './data');
  assert.equal(config.POW_KEYS, null);
  assert.equal(config.GATE_POLICY, null);
  assert.deepEqual(config.ALLOWED_ORIGINS, []);
  assert.equal(config.DEMO, false);
  assert.equal(config.LOG_LEVEL, 'info');
});

test('every fault is told at once, and no secret with it', () => {
  const env = {
    PORT: '65536',
    WORKERS: '0',
    REDIS_URL: 'http://user:hidden@redis.example/',
    POW_KEYS: '1:c2hvcnQ=',
    ADMIN_KEY: 'hidden-but-short',
    ALLOWED_ORIGINS: 'https://a.example/path',
    TRUSTED_PROXIES: '10.0.0.0/8, proxy.local',
    OUTBOUND_ALLOW: 'intranet, http://a.example/',
    VERDICT_URL: 'http://user:hidden@judge.example/',
    DEMO: 'yes',
    LOG_LEVEL: 'loud',
  };
  assert.throws(
    () => readConfig(env, noFile),
    (error: Error) => {
      for (const name of Object.keys(env))
        assert.match(error.message, new RegExp(`^  ${name}: expected|^  ${name}: key`, 'm'));
      assert.doesNotMatch(error.message, /c2hvcnQ|hidden/);
      return true;
    },
  );
});

test('a secret may come from a file, but not from both', () => {
  const files = { '/run/keys': `${key}\n` };
  const readFile = (path: string) => files[path as keyof typeof files] ?? noFile(path);
  assert.equal(readConfig({ POW_KEYS_FILE: '/run/keys' }, readFile).POW_KEYS?.[0].kid, 1);
  assert.throws(
    () => readConfig({ POW_KEYS_FILE: '/run/keys', POW_KEYS: key }, readFile),
    /POW_KEYS: expected POW_KEYS or POW_KEYS_FILE, got both/,
  );
  assert.throws(
    () => readConfig({ POW_KEYS_FILE: '/run/none' }, readFile),
    /POW_KEYS_FILE \/run\/none: no file/,
  );
});

test('the verdict URL is one of http or https', () => {
  assert.equal(
    readConfig({ VERDICT_URL: 'http://10.0.0.5:9000' }, noFile).VERDICT_URL,
    'http://10.0.0.5:9000/',
  );
  for (const url of ['judge', 'file:///etc/passwd', 'ftp://judge.example/', 'data:,{}']) {
    assert.throws(() => readConfig({ VERDICT_URL: url }, noFile), /VERDICT_URL: expected an http/);
  }
});

test('a Redis URL names a host and at most a database, and may come from a file', () => {
  const urlOf = (url: string) => readConfig({ REDIS_URL: url }, noFile).REDIS_URL;
  for (const url of [
    'redis://10.0.0.5',
    'redis://10.0.0.5:6380/2',
    'rediss://user:p%40ss@redis.example:6380/0',
    'redis://:pass@[::1]:6379/',
  ]) {
    assert.equal(urlOf(url), url);
  }
  for (const url of [
    '10.0.0.5:6379',
    'redis://',
    'redis:///2',
    'redis://a/b',
    'http://a',
    'unix:/tmp/x',
    'x',
  ]) {
    assert.throws(() => urlOf(url), /REDIS_URL: expected redis:/, url);
  }
  const readFile = () => 'redis://:hidden@a\n';
  assert.equal(readConfig({ REDIS_URL_FILE: '/run/url' }, readFile).REDIS_URL, 'redis://:hidden@a');
});

test('the number of workers is one that a machine can have', () => {
  assert.equal(readConfig({}, noFile).WORKERS, 1);
  assert.equal(readConfig({ WORKERS: '256' }, noFile).WORKERS, 256);
  for (const text of ['0', '257', '-1', '1.5', '1e2', 'all', ' 2']) {
    assert.throws(() => readConfig({ WORKERS: text }, noFile), /WORKERS: expected 1 to 256/, text);
  }
});

test('what is no secret has no file twin', () => {
  assert.equal(readConfig({ HOST_FILE: '/run/host' }, noFile).HOST, '127.0.0.1');
});

test('the table of the README is the table of the code', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  assert.ok(readme.includes(configTable()), `README.md should hold:\n${configTable()}`);
  for (const name of Object.keys(VARIABLES)) assert.ok(configTable().includes(`\`${name}\``), name);
});
