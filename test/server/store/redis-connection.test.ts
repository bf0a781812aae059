import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { KeyRecord } from '../../../server/access/core/ports.ts';
import { nowSecs } from '../../../server/base/ports.ts';
import { systemClock } from '../../../server/base/system.ts';
import { createRedisCallCounts } from '../../../server/store/redis-call-counts.ts';
import {
  LIMIT_MS,
  openRedisConnection,
  RETRY_MS,
  type RedisConnection,
} from '../../../server/store/redis-connection.ts';
import { openRedisState } from '../../../server/store/shared-state.ts';
import { findPort } from '../../e2e/proxies.ts';
import { silentLog, startRedis } from '../../redis-process.ts';

const ping = (connection: RedisConnection) => connection.run((client) => client.ping());
const refused = { code: 'store-unavailable', headers: { 'Retry-After': '5' } };

/** A timer whose time passes by hand, and for each length of waiting apart. */
function createHandTimer() {
  const waits = new Set<{ ms: number; run: () => void }>();
  return {
    after(ms: number, run: () => void) {
      const wait = { ms, run };
      waits.add(wait);
      return () => void waits.delete(wait);
    },
    count: (ms: number) => [...waits].filter((wait) => wait.ms === ms).length,
    /** Ends the waits of this length that are under way. */
    fire(ms: number) {
      for (const wait of [...waits].filter((one) => one.ms === ms)) {
        waits.delete(wait);
        wait.run();
      }
    },
  };
}

/** A connection whose time passes by hand, and what it told the operator. */
async function openByHand(url: string) {
  const timer = createHandTimer();
  const told: string[] = [];
  const log = { ...silentLog, error: (_: object, message: string) => void told.push(message) };
  const connection = await openRedisConnection({ url, greet: async () => {}, timer, log });
  const isThere = () =>
    ping(connection).then(
      () => true,
      () => false,
    );
  /** Tries to connect until the try has failed or come through. */
  async function tryOnce() {
    timer.fire(RETRY_MS);
    while (timer.count(RETRY_MS) === 0 && !(await isThere())) await turn();
  }
  return { connection, timer, told, isThere, tryOnce };
}

const turn = () => new Promise(setImmediate);

test('without Redis calls fail at once; one outage is told of once; once Redis is there calls go through', async () => {
  const redis = await startRedis();
  await redis.kill();
  const { connection, told, isThere, tryOnce } = await openByHand(redis.url);
  for (let i = 0; i < 100; i++) await assert.rejects(ping(connection), refused);
  for (let tries = 0; tries < 3; tries++) await tryOnce();
  assert.deepEqual(told, ['no connection to Redis']);
  await redis.start();
  await tryOnce();
  assert.equal(await isThere(), true);
  connection.close();
  await redis.end();
});

test('a Redis that goes away in the middle of calls fails all of them, and none is sent later', async () => {
  const redis = await startRedis();
  const connection = await redis.connect();
  redis.signal('SIGSTOP');
  const calls = Array.from({ length: 64 }, () => connection.run((client) => client.incr('calls')));
  const settled = Promise.allSettled(calls);
  await redis.kill();
  for (const { status, ...rest } of await settled) {
    assert.equal(status, 'rejected');
    assert.equal((rest as { reason: { code: string } }).reason.code, 'store-unavailable');
  }
  await redis.start();
  for (let isBack = false; !isBack; await turn())
    isBack = await ping(connection).then(
      () => true,
      () => false,
    );
  assert.equal(await connection.run((client) => client.get('calls')), null);
  connection.close();
  await redis.end();
});

test('a Redis that hangs fails calls at the time limit, then at once, and is found again when it goes on', async () => {
  const redis = await startRedis();
  const { connection, timer, isThere, tryOnce } = await openByHand(redis.url);
  assert.equal(await isThere(), true);
  redis.signal('SIGSTOP');
  const hanging = ping(connection);
  assert.equal(timer.count(LIMIT_MS), 1);
  timer.fire(LIMIT_MS);
  await assert.rejects(hanging, refused);
  // No timer is set for these: they do not wait at all.
  const atOnce = [ping(connection), ping(connection)];
  assert.equal(timer.count(LIMIT_MS), 0);
  for (const call of atOnce) await assert.rejects(call, refused);
  // The kernel takes the new connection, but nobody greets: that ends at the limit, too.
  timer.fire(RETRY_MS);
  assert.equal(timer.count(LIMIT_MS), 1);
  timer.fire(LIMIT_MS);
  while (timer.count(RETRY_MS) === 0) await turn();
  redis.signal('SIGCONT');
  await tryOnce();
  assert.equal(await isThere(), true);
  connection.close();
  await redis.end();
});

test('a URL where somebody else listens, or nobody, is refused and never thrown out of the blue', async () => {
  const { connection } = await openByHand(`redis://user:hidden@127.0.0.1:${await findPort()}`);
  await assert.rejects(ping(connection), (error: Error) => {
    assert.doesNotMatch(`${error.message} ${(error.cause as Error).message}`, /hidden/);
    return true;
  });
  connection.close();
});

test('a greeting that fails keeps the connection out of use', async () => {
  const redis = await startRedis();
  const timer = createHandTimer();
  const greet = () => Promise.reject(new Error('NOPERM no INFO for you'));
  const connection = await openRedisConnection({ url: redis.url, greet, timer, log: silentLog });
  await assert.rejects(ping(connection), refused);
  connection.close();
  await redis.end();
});

test('while Redis does not answer a throttle counts in its own memory: not open', async () => {
  const redis = await startRedis();
  const { connection } = await openByHand(redis.url);
  const count = createRedisCallCounts(connection)('challenge', { calls: 2, secs: 60 });
  assert.equal((await count('192.0.2.0/24')).calls, 1);
  await redis.kill();
  const calls = [];
  for (let i = 0; i < 4; i++) calls.push((await count('192.0.2.0/24')).calls);
  assert.deepEqual(calls, [1, 2, 3, 4]);
  connection.close();
  await redis.end();
});

test('the documented rights are enough, and a password with signs in it is understood', async () => {
  const page = readFileSync(new URL('../../../docs/deployment.md', import.meta.url), 'utf8');
  const rights = /at least `([^`]+)`/.exec(page)?.[1].split(/\s+/) ?? [];
  assert.ok(rights.length > 10, rights.join(' '));
  const redis = await startRedis();
  await redis.reset();
  await redis.command([
    'ACL',
    'SETUSER',
    'gate',
    'on',
    '>p@ss:w/rd',
    'resetchannels',
    '~gatehouse:*',
    '-@all',
    ...rights,
  ]);
  const url = redis.url.replace('//', '//gate:p%40ss%3Aw%2Frd@').concat('/0');
  const told: unknown[] = [];
  const log = { ...silentLog, error: (fields: object) => void told.push(fields) };
  const state = await openRedisState(url, { clock: systemClock, timer: createHandTimer(), log });
  assert.deepEqual(told, []);
  await state.probe();
  const now = nowSecs(systemClock);
  const record = { use: 'request', answer: '1', network: '', atSecs: now, kid: 1 } as const;
  const challenge = { nonce: new Uint8Array(32), issuedAtSecs: now, expiresAtSecs: now + 60 };
  assert.equal(await state.spent.spend(challenge, record), null);
  await state.replies.keep(challenge.nonce, { success: true, 'error-codes': [] }, now + 60);
  assert.deepEqual(await state.replies.get(challenge.nonce, now), { success: true, 'error-codes': [] });
  assert.equal((await state.counters.add('a', 1)).isAdded, true);
  assert.equal(await state.counters.read('a'), 1);
  const key: KeyRecord = {
    keyId: '00112233aabb',
    secretHash: '',
    tier: 'pro',
    tenant: '',
    routes: [],
    hasFixedRoutes: false,
    issuedAtSecs: now,
    revokedAtSecs: null,
  };
  await state.keys.put(key);
  assert.deepEqual(await state.keys.update(key.keyId, (kept) => kept), key);
  assert.deepEqual(await state.keys.list(), [key]);
  await state.openCallCounts('a', { calls: 1, secs: 60 })('x');
  assert.equal(await redis.command(['EXISTS', 'gatehouse:calls:a:x']), 1);
  state.close();
  await redis.end();
});
