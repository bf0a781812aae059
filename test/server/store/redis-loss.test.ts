import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nowSecs } from '../../../server/base/ports.ts';
import { systemClock } from '../../../server/base/system.ts';
import { PURGE_MARGIN_SECS, type SpentChallenge, type SpentRecord } from '../../../server/pow/core/spent.ts';
import type { RedisConnection } from '../../../server/store/redis-connection.ts';
import { EPOCH_KEY, LEAD_SECS, probeRedis } from '../../../server/store/redis-epoch.ts';
import { createRedisSpent } from '../../../server/store/redis-spent.ts';
import { type RedisProcess, startRedis } from '../../redis-process.ts';

const now = () => nowSecs(systemClock);
const startedSecs = now();
const record: SpentRecord = {
  use: 'passport',
  answer: '1',
  network: '192.0.2.0/24',
  atSecs: now(),
  kid: 1,
};
let made = 0;
/** A challenge of a minute, issued so many seconds from now. */
const challengeOf = (issuedInSecs = 0): SpentChallenge => ({
  nonce: new Uint8Array(32).fill(++made),
  issuedAtSecs: now() + issuedInSecs,
  expiresAtSecs: now() + issuedInSecs + 60,
});
// The record of nobody knows whom: whoever comes again with the same is no honest repeat.
const byUnknown = { ...record, use: 'request' };

/** A Redis that has been remembering for long, and a connection to it. */
async function openRedis(...args: string[]) {
  const redis = await startRedis(...args);
  await redis.reset();
  return { redis, connection: await redis.connect() };
}

/** Asserts that Redis has noticed a loss: nothing is spent for some seconds, and nothing from before it ever. */
async function assertLost(redis: RedisProcess, connection: RedisConnection, before: SpentChallenge[]) {
  const spent = createRedisSpent(connection);
  // The next spending notices at the latest.
  await spent.spend(challengeOf(), record).catch(() => {});
  const since = Number(await redis.command(['HGET', EPOCH_KEY, 'since']));
  assert.ok(since >= startedSecs + LEAD_SECS && since <= now() + LEAD_SECS, `since ${since} at ${now()}`);

  // However slow this machine is, it is now the moment of the loss.
  await redis.command(['HSET', EPOCH_KEY, 'since', String(now() + LEAD_SECS)]);
  await assert.rejects(spent.spend(challengeOf(), record), (error: { code: string; headers: object }) => {
    assert.equal(error.code, 'store-unavailable');
    const { 'Retry-After': retry } = error.headers as { 'Retry-After': string };
    assert.ok(Number(retry) >= 1 && Number(retry) <= LEAD_SECS, retry);
    return true;
  });
  await assert.rejects(probeRedis(connection, systemClock), { code: 'store-unavailable' });

  // The seconds pass: Redis is told that the epoch began that much earlier.
  const passed = now() - 1;
  await redis.command(['HSET', EPOCH_KEY, 'since', String(passed)]);
  for (const challenge of before) {
    const old = { ...challenge, issuedAtSecs: passed };
    assert.deepEqual(await spent.spend(old, record), byUnknown);
    assert.deepEqual(await spent.spend(old, record), byUnknown);
  }
  const fresh = challengeOf();
  assert.equal(await spent.spend(fresh, record), null);
  assert.deepEqual(await spent.spend(fresh, record), record);
  await probeRedis(connection, systemClock);
}

/** Waits until the connection has come back, by asking: each refusal takes a turn of the event loop. */
async function untilBack(connection: RedisConnection): Promise<void> {
  for (;;) {
    try {
      await connection.run((client) => client.ping());
      return;
    } catch {
      await new Promise(setImmediate);
    }
  }
}

describe('what was spent is never spent again', () => {
  test('after a restart without persistence', async () => {
    const { redis, connection } = await openRedis();
    const challenge = challengeOf();
    assert.equal(await createRedisSpent(connection).spend(challenge, record), null);
    await redis.kill();
    await redis.start();
    await untilBack(connection);
    await assertLost(redis, connection, [challenge]);
    connection.close();
    await redis.end();
  });

  test('after a restart from a snapshot that lacks the last of it; what it has is still known', async () => {
    const { redis, connection } = await openRedis();
    const spent = createRedisSpent(connection);
    const [saved, lost] = [challengeOf(), challengeOf()];
    await spent.spend(saved, record);
    await redis.command(['SAVE']);
    await spent.spend(lost, record);
    await redis.kill();
    await redis.start();
    await untilBack(connection);
    assert.equal(await redis.command(['EXISTS', EPOCH_KEY]), 1);
    assert.deepEqual(await spent.spend(saved, record), record);
    await assertLost(redis, connection, [lost]);
    connection.close();
    await redis.end();
  });

  test('after a restart with an append-only file', async () => {
    const { redis, connection } = await openRedis('--appendonly', 'yes', '--appendfsync', 'always');
    const spent = createRedisSpent(connection);
    const challenge = challengeOf();
    await spent.spend(challenge, record);
    await redis.kill();
    await redis.start();
    await untilBack(connection);
    // The record is there, so an honest repeat is still one.
    assert.deepEqual(await spent.spend(challenge, record), record);
    await assertLost(redis, connection, []);
    connection.close();
    await redis.end();
  });

  test('after FLUSHALL, on the same connection', async () => {
    const { redis, connection } = await openRedis();
    const challenge = challengeOf();
    await createRedisSpent(connection).spend(challenge, record);
    await redis.command(['FLUSHALL']);
    await assertLost(redis, connection, [challenge]);
    connection.close();
    await redis.end();
  });

  test('after an eviction, on the same connection', async () => {
    const { redis, connection } = await openRedis();
    const challenge = challengeOf();
    await createRedisSpent(connection).spend(challenge, record);
    const fill = Array.from({ length: 60 }, (_, i) => ['SET', `fill:${i}`, 'x'.repeat(100_000), 'EX', '999']);
    await redis.command(
      ['CONFIG', 'SET', 'maxmemory', '3mb'],
      ['CONFIG', 'SET', 'maxmemory-policy', 'volatile-ttl'],
      ...fill,
    );
    // The record ran out first, so it went first: without the epoch it would be spent once more here.
    assert.equal(await redis.command(['EXISTS', keyOf(challenge)]), 0);
    await redis.command(['CONFIG', 'SET', 'maxmemory', '0']);
    await assertLost(redis, connection, [challenge]);
    connection.close();
    await redis.end();
  });
});

const keyOf = ({ nonce }: SpentChallenge) => `gatehouse:spent:${Buffer.from(nonce).toString('base64url')}`;

describe('clocks', () => {
  test('a record is kept for the margin beyond the expiry, by the clock of Redis', async () => {
    const { redis, connection } = await openRedis();
    const challenge = challengeOf();
    await createRedisSpent(connection).spend(challenge, record);
    const endsAtSecs = Number(await redis.command(['EXPIRETIME', keyOf(challenge)]));
    assert.ok(Math.abs(endsAtSecs - challenge.expiresAtSecs - PURGE_MARGIN_SECS) <= 1, String(endsAtSecs));
    connection.close();
    await redis.end();
  });

  test('a server whose clock is far behind cannot spend what Redis has forgotten by then', async () => {
    const { redis, connection } = await openRedis();
    // To a clock an hour behind this one is still good.
    const old = challengeOf(-60 - PURGE_MARGIN_SECS);
    assert.deepEqual(await createRedisSpent(connection).spend(old, record), byUnknown);
    const justKept = challengeOf(-60 - PURGE_MARGIN_SECS + 40);
    assert.equal(await createRedisSpent(connection).spend(justKept, record), null);
    connection.close();
    await redis.end();
  });

  test('a challenge from a clock that is too far ahead is not taken, by 503 and not for good', async () => {
    const { redis, connection } = await openRedis();
    const spent = createRedisSpent(connection);
    assert.equal(await spent.spend(challengeOf(LEAD_SECS), record), null);
    await assert.rejects(spent.spend(challengeOf(LEAD_SECS + 30), record), { code: 'store-unavailable' });
    connection.close();
    await redis.end();
  });

  test('a server learns that its clock differs before its visitors do', async () => {
    const { redis, connection } = await openRedis();
    const skewed = (secs: number) => ({ nowMs: () => systemClock.nowMs() + secs * 1000 });
    await probeRedis(connection, skewed(LEAD_SECS - 1));
    for (const secs of [LEAD_SECS + 30, -LEAD_SECS - 30]) {
      await assert.rejects(probeRedis(connection, skewed(secs)), { code: 'store-unavailable' });
    }
    connection.close();
    await redis.end();
  });
});

test('a Redis that may evict is not ready, one without a bound on its memory is', async () => {
  const { redis, connection } = await openRedis();
  await redis.command(['CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru']);
  await probeRedis(connection, systemClock);
  await redis.command(['CONFIG', 'SET', 'maxmemory', '50mb']);
  await assert.rejects(probeRedis(connection, systemClock), (error: Error) => {
    assert.match(
      (error.cause as Error).message,
      /maxmemory-policy of Redis is allkeys-lru, expected noeviction/,
    );
    return true;
  });
  await redis.command(['CONFIG', 'SET', 'maxmemory-policy', 'noeviction']);
  await probeRedis(connection, systemClock);
  connection.close();
  await redis.end();
});

test('a full Redis that may not evict refuses with 503, and knows what it knew', async () => {
  const { redis, connection } = await openRedis();
  const spent = createRedisSpent(connection);
  const challenge = challengeOf();
  await spent.spend(challenge, record);
  await redis.command(['CONFIG', 'SET', 'maxmemory', '1']);
  await assert.rejects(spent.spend(challengeOf(), record), { code: 'store-unavailable' });
  await redis.command(['CONFIG', 'SET', 'maxmemory', '0']);
  assert.deepEqual(await spent.spend(challenge, record), record);
  assert.equal(await spent.spend(challengeOf(), record), null);
  connection.close();
  await redis.end();
});
