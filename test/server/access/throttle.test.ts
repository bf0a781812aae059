import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestApp } from '../../test-app.ts';

const ask = (from: string) => ({ url: '/pow/challenge', remoteAddress: from });

test('a network has so many calls in so many seconds, then 429 until they are over', async (t) => {
  t.mock.timers.enable({ apis: ['Date', 'setTimeout'] });
  const { request } = createTestApp({ throttle: { calls: 2, secs: 60 } });
  const first = await request(ask('192.0.2.1'));
  assert.equal(first.statusCode, 200);
  assert.equal(first.headers['ratelimit-policy'], '"challenge";q=2;w=60');
  assert.equal(first.headers.ratelimit, '"challenge";r=1;t=60');
  assert.equal((await request(ask('192.0.2.200'))).statusCode, 200);
  t.mock.timers.tick(20_000);
  const refused = await request(ask('192.0.2.1'));
  assert.equal(refused.statusCode, 429);
  assert.equal(refused.json().code, 'throttled');
  assert.equal(refused.headers['retry-after'], '40');
  assert.equal(refused.headers.ratelimit, '"challenge";r=0;t=40');
  assert.equal((await request(ask('198.51.100.1'))).statusCode, 200);
  t.mock.timers.tick(40_000);
  assert.equal((await request(ask('192.0.2.1'))).statusCode, 200);
});

test('all of an IPv6 /48 is one network', async () => {
  const { request } = createTestApp({ throttle: { calls: 1, secs: 60 } });
  assert.equal((await request(ask('2001:db8:1::1'))).statusCode, 200);
  assert.equal((await request(ask('2001:db8:1:ffff::1'))).statusCode, 429);
  assert.equal((await request(ask('2001:db8:2::1'))).statusCode, 200);
});

test('a key is not throttled by its network', async () => {
  const { request, access } = createTestApp({ throttle: { calls: 1, secs: 60 } });
  const { key } = await access.issue({ tier: 'free', tenant: 'x', routes: [] });
  for (let i = 0; i < 3; i++) {
    assert.equal((await request({ ...ask('192.0.2.1'), headers: { 'x-api-key': key } })).statusCode, 200);
  }
});
