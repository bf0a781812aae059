import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createTestAccess } from '../../test-access.ts';

const issuePro = async (routes: string[] = []) => {
  const world = createTestAccess();
  const issued = await world.access.issue({ tier: 'pro', tenant: 'Example', routes });
  return { ...world, ...issued, caller: await world.access.callerOf(issued.key) };
};

describe('a key', () => {
  test('is told once and kept as a hash only', async () => {
    const { key, keyId, keys, caller } = await issuePro();
    assert.match(key, /^gh_[0-9a-f]{12}_[A-Za-z0-9_-]{43}$/);
    assert.deepEqual(caller, { keyId, tier: 'pro', tenant: 'Example' });
    assert.ok(!JSON.stringify(await keys.list()).includes(key.slice(16)));
  });

  test('with any character changed, missing or added is unknown', async () => {
    const { key, access } = await issuePro();
    for (let i = 0; i < key.length; i++) {
      const changed = key.slice(0, i) + (key[i] === 'a' ? 'b' : 'a') + key.slice(i + 1);
      await assert.rejects(access.callerOf(changed), { code: 'unknown-key' }, `character ${i}`);
    }
    for (const text of [
      '',
      key.slice(1),
      key.slice(0, -1),
      `${key}x`,
      ` ${key}`,
      key.toUpperCase(),
      'gh__',
      'null',
    ]) {
      await assert.rejects(access.callerOf(text), { code: 'unknown-key' }, text);
    }
  });

  test('is unknown from the moment that it is revoked', async () => {
    const { key, keyId, access, clock } = await issuePro();
    assert.equal(await access.revoke(keyId), true);
    await assert.rejects(access.callerOf(key), { code: 'unknown-key' });
    const [{ revokedAtSecs }] = await access.list();
    clock.advanceSecs(60);
    assert.equal(await access.revoke(keyId), true);
    assert.equal((await access.list())[0].revokedAtSecs, revokedAtSecs);
    assert.equal(await access.revoke('ffffffffffff'), false);
  });
});

describe('routes of a key', () => {
  test('a Pro key takes up five and no sixth', async () => {
    const { access, caller } = await issuePro();
    for (const route of ['a', 'b', 'c', 'd', 'e', 'a']) await access.claimRoute(caller, route);
    await assert.rejects(access.claimRoute(caller, 'f'), { code: 'route-mismatch' });
  });

  test('a Pro key whose routes were named is for these alone', async () => {
    const { access, caller } = await issuePro(['a', 'b']);
    await access.claimRoute(caller, 'b');
    await assert.rejects(access.claimRoute(caller, 'c'), { code: 'route-mismatch' });
    const six = { tier: 'pro', tenant: 'x', routes: ['a', 'b', 'c', 'd', 'e', 'f'] } as const;
    await assert.rejects(access.issue(six), /at most 5 routes, got 6/);
  });

  test('an Enterprise key is for all, or for those that were named', async () => {
    const { access } = createTestAccess();
    const open = await access.callerOf(
      (await access.issue({ tier: 'enterprise', tenant: 'x', routes: [] })).key,
    );
    for (let i = 0; i < 20; i++) await access.claimRoute(open, `route-${i}`);
    const named = await access.callerOf(
      (await access.issue({ tier: 'enterprise', tenant: 'x', routes: ['a'] })).key,
    );
    await assert.rejects(access.claimRoute(named, 'b'), { code: 'route-mismatch' });
  });
});

describe('a quota', () => {
  test('ends with the last use, says when it begins anew, and does', async () => {
    const { access, counters, clock } = createTestAccess();
    const { key, keyId } = await access.issue({ tier: 'free', tenant: 'x', routes: [] });
    const caller = await access.callerOf(key);
    for (let i = 0; i < 99_999; i++) await counters.add(`${keyId}:ip-lookups:2026-01`, null);
    await access.charge(caller, 'ip-lookups');
    await assert.rejects(access.charge(caller, 'ip-lookups'), {
      code: 'quota-exceeded',
      headers: {
        'Retry-After': String(31 * 86_400),
        'RateLimit-Policy': '"ip-lookups";q=100000',
        RateLimit: `"ip-lookups";r=0;t=${31 * 86_400}`,
      },
    });
    assert.equal(await access.usedThisMonth(keyId, 'ip-lookups'), 100_000);
    clock.advanceSecs(31 * 86_400);
    await access.charge(caller, 'ip-lookups');
    assert.equal(await access.usedThisMonth(keyId, 'ip-lookups'), 1);
  });

  test('without a bound is counted all the same', async () => {
    const { access } = createTestAccess();
    const { key, keyId } = await access.issue({ tier: 'enterprise', tenant: 'x', routes: [] });
    await access.charge(await access.callerOf(key), 'verifications');
    assert.equal(await access.usedThisMonth(keyId, 'verifications'), 1);
  });
});

test('subscribers are the tenants with a key of a paying tier, until the last one was revoked', async () => {
  const { access, clock } = createTestAccess();
  const issue = async (tier: 'free' | 'pro' | 'enterprise', tenant: string) =>
    (await access.issue({ tier, tenant, routes: [] })).keyId;
  await issue('free', 'free');
  const [first, second] = [await issue('pro', 'both'), await issue('enterprise', 'both')];
  const gone = await issue('pro', 'gone');
  const now = Math.floor(clock.nowMs() / 1000);
  await access.revoke(gone);
  await access.revoke(first);
  const good = Number.POSITIVE_INFINITY;
  assert.deepEqual([...(await access.subscribers())].sort(), [
    ['both', good],
    ['gone', now],
  ]);
  clock.advanceSecs(60);
  await access.revoke(second);
  assert.equal((await access.subscribers()).get('both'), now + 60);
});
