import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { describe, test } from 'node:test';
import { createAdminCheck } from '../../../server/access/admin-key.ts';
import { nodeDigest } from '../../../server/base/system.ts';
import { createMetrics, METRICS } from '../../../server/http/metrics.ts';
import { createTestApp, TEST_ADMIN_KEY } from '../../test-app.ts';
import { solve } from '../../test-gate.ts';

type App = ReturnType<typeof createTestApp>;

/** The samples of the metrics page: `name{labels}` to value. */
async function read({ request }: Pick<App, 'request'>): Promise<Map<string, number>> {
  const { body } = await request({ url: '/metrics', headers: { host: 'localhost' } });
  const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe('who may read the metrics', () => {
  const local = { host: 'localhost:8080' };
  for (const [title, asked, status] of [
    ['the machine itself', { headers: local }, 200],
    ['the machine itself by IPv6', { headers: { host: '[::1]:8080' }, remoteAddress: '::1' }, 200],
    ['the machine itself by a mapped address', { headers: local, remoteAddress: '::ffff:127.0.0.1' }, 200],
    ['a stranger', { headers: local, remoteAddress: '203.0.113.9' }, 401],
    ['a private neighbour', { headers: local, remoteAddress: '10.0.0.2' }, 401],
    ['a stranger with the key', { headers: bearer(TEST_ADMIN_KEY), remoteAddress: '203.0.113.9' }, 200],
    [
      'a stranger with another key',
      { headers: bearer(`${TEST_ADMIN_KEY}x`), remoteAddress: '203.0.113.9' },
      401,
    ],
    ['the machine itself with a wrong key', { headers: { ...local, ...bearer('wrong') } }, 401],
    ['an empty key', { headers: { ...local, authorization: 'Bearer ' } }, 200],
    [
      'what a proxy of this machine hands on',
      { headers: { ...local, 'x-forwarded-for': '203.0.113.9' } },
      401,
    ],
    ['what came through a cache', { headers: { ...local, via: '1.1 cache' } }, 401],
    ['what nginx hands on by default: the name of its upstream', { headers: { host: 'gatehouse' } }, 401],
    ['a page of a stranger, led here by DNS', { headers: { host: 'evil.example' } }, 401],
    ['a page of another origin', { headers: { ...local, origin: 'https://evil.example' } }, 401],
  ] as const) {
    test(`${title}: ${status}`, async () => {
      const answer = await createTestApp().request({ url: '/metrics', ...asked });
      assert.equal(answer.statusCode, status, answer.body);
      assert.equal(answer.headers['cache-control'], 'no-store');
      if (status === 200) return;
      assert.equal(answer.json().code, 'unknown-key');
      assert.equal(answer.headers['www-authenticate'], 'Bearer realm="metrics"');
    });
  }

  test('on a machine whose loopback is a proxy, only the key', async () => {
    const app = createTestApp({ trustedProxies: ['127.0.0.1'] });
    assert.equal((await app.request({ url: '/metrics', headers: local })).statusCode, 401);
    assert.equal(
      (await app.request({ url: '/metrics', headers: { ...local, ...bearer(TEST_ADMIN_KEY) } })).statusCode,
      200,
    );
  });

  test('no policy gates them', async () => {
    const app = createTestApp({ policy: { routes: [{ id: 'all', paths: ['/*'] }] } });
    assert.equal((await app.request({ url: '/metrics', headers: local })).statusCode, 200);
  });

  test('an admin key is itself and nothing else', () => {
    const isAdminKey = createAdminCheck('a'.repeat(20), nodeDigest);
    assert.equal(isAdminKey('a'.repeat(20)), true);
    for (const text of ['', 'a', 'a'.repeat(19), 'a'.repeat(21), `${'a'.repeat(19)}b`]) {
      assert.equal(isAdminKey(text), false);
    }
  });
});

test('the metrics are in the text format 0.0.4, each with its help and type', async () => {
  const answer = await createTestApp().request({ url: '/metrics', headers: { host: 'localhost' } });
  assert.equal(answer.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  for (const [name, { kind, help }] of Object.entries(METRICS)) {
    if (kind === 'gauge') continue;
    assert.ok(answer.body.includes(`# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n`), name);
  }
  for (const line of answer.body.trimEnd().split('\n')) {
    assert.match(line, /^$|^# (HELP|TYPE) |^[a-z_]+(\{([a-z]+="[^"\\\n]*",?)+\})? [0-9.e+-]+$/);
  }
});

test('gauges are read when the metrics are', async () => {
  const metrics = createMetrics();
  let bits = 0;
  metrics.watch('gatehouse_load_extra_bits', () => bits);
  for (bits of [0, 3, 1])
    assert.match(await metrics.write(), new RegExp(`^gatehouse_load_extra_bits ${bits}$`, 'm'));
});

test('what waits is told to whoever reads, however much it is', async () => {
  for (const times of [1, 255, 256, 257, 1_000]) {
    const metrics = createMetrics();
    const labels = { method: 'GET', route: '/x', status: '2xx' };
    for (let i = 0; i < times; i++) {
      metrics.count('gatehouse_http_requests_total', labels);
      metrics.observe('gatehouse_http_request_seconds', { route: '/x' }, 0.5);
    }
    const text = await metrics.write();
    assert.match(text, new RegExp(`^gatehouse_http_requests_total\\{[^}]*\\} ${times}$`, 'm'));
    assert.match(text, new RegExp(`^gatehouse_http_request_seconds_count\\{[^}]*\\} ${times}$`, 'm'));
    assert.match(text, new RegExp(`^gatehouse_http_request_seconds_sum\\{[^}]*\\} ${times / 2}$`, 'm'));
  }
});

test('the process tells of itself where it is asked to', async () => {
  const metrics = createMetrics();
  assert.doesNotMatch(await metrics.write(), /nodejs_/);
  metrics.watchProcess();
  const text = await metrics.write();
  for (const name of [
    'nodejs_eventloop_lag_seconds',
    'process_resident_memory_bytes',
    'process_cpu_seconds_total',
  ])
    assert.match(text, new RegExp(`^${name} `, 'm'));
});

describe('what happens at the gate is counted', () => {
  test('issued, solved, refused and let in', async () => {
    const app = createTestApp();
    const { request, post, clock } = app;
    const { challenge } = (await request('/demo/')).json().challenge;
    clock.advanceSecs(7);
    const minted = await post('/pow/passport', { challenge, answer: solve(challenge) });
    // A repeat is no second solve.
    await post('/pow/passport', { challenge, answer: solve(challenge) });
    await post('/pow/passport', { challenge, answer: solve(challenge, { skip: 1 }) });
    const cookie = String(minted.headers['set-cookie']).split(';')[0];
    await request({ url: '/demo/', headers: { cookie } });
    const away = await request({ url: '/demo/', headers: { cookie }, remoteAddress: '203.0.113.1' });
    const cheaper = away.json().challenge.challenge;
    await app.post('/pow/passport', { challenge: cheaper, answer: '0' });
    const { challenge: own } = (await request('/pow/challenge')).json();
    await request({ url: '/demo/', headers: { pow: `${own}:${solve(own)}` } });

    const seen = await read(app);
    for (const [sample, value] of [
      ['gatehouse_challenges_issued_total{route="page",tier="public",rebinding="no"}', 1],
      ['gatehouse_challenges_issued_total{route="page",tier="public",rebinding="yes"}', 1],
      ['gatehouse_challenges_issued_total{route="any",tier="public",rebinding="no"}', 1],
      ['gatehouse_challenges_solved_total{bits="4",rebinding="no"}', 2],
      ['gatehouse_solve_seconds_bucket{le="5",bits="4"}', 1],
      ['gatehouse_solve_seconds_bucket{le="10",bits="4"}', 2],
      ['gatehouse_refused_total{route="page",code="proof-required"}', 1],
      ['gatehouse_refused_total{route="page",code="passport-network-mismatch"}', 1],
      ['gatehouse_refused_total{route="any",code="challenge-already-used"}', 1],
      ['gatehouse_admitted_total{route="page",how="passport"}', 1],
      ['gatehouse_admitted_total{route="page",how="request"}', 1],
      ['gatehouse_http_requests_total{method="POST",route="/pow/passport",status="2xx"}', 2],
    ] as const) {
      assert.equal(seen.get(sample), value, sample);
    }
  });

  for (const [how, options] of [
    ['exempt', { policy: { routes: [{ id: 'page', paths: ['/demo/*'], exempt: { paths: ['/demo/*'] } }] } }],
    ['verdict', { verdictOf: async () => 'human' as const }],
    [
      'verified-bot',
      {
        isVerifiedBot: async () => true,
        policy: { routes: [{ id: 'page', paths: ['/demo/*'], exempt: { verified_bots: ['bingbot'] } }] },
      },
    ],
    ['dry-run', { policy: { dry_run: true, routes: [{ id: 'page', paths: ['/demo/*'] }] } }],
  ] as const) {
    test(`let in as ${how}`, async () => {
      const app = createTestApp(options as never);
      await app.request('/demo/');
      assert.equal((await read(app)).get(`gatehouse_admitted_total{route="page",how="${how}"}`), 1);
    });
  }
});

test('nothing that a client makes up becomes a label', async () => {
  const app = createTestApp();
  const { request, post } = app;
  await request('/demo/');
  await request('/nowhere');
  await post('/pow/passport', {});
  await request('/pow/challenge');
  await request('/pow/challenge?route=nowhere');
  await request({ url: '/', method: 'PROPFIND' as never });
  await request({ url: '/metrics', headers: { host: 'a.example' } });
  const before = new Set((await read(app)).keys());
  for (let i = 0; i < 300; i++) {
    const made = `made-up-${i}`;
    const headers = {
      'user-agent': made,
      'x-request-id': made,
      host: `${made}.example`,
      cookie: `pow_passport=${made}`,
    };
    await request({ url: `/${made}/%41?${made}=1`, headers });
    await request({ url: `/demo/${made}`, headers });
    await request({ url: `/pow/challenge?route=${made}&difficulty=${i}`, headers });
    await request({ url: `/pow/assets/${made}`, headers });
    await request({ url: `/${made}`, method: METHODS[i % METHODS.length] as never, headers }).catch(() => {});
    await post('/pow/passport', { challenge: made, answer: made });
    await post('/pow/siteverify', { secret: made, response: made });
  }
  const samples = await read(app);
  assert.doesNotMatch([...samples.keys()].join('\n'), /made-up|example|%41/);
  const added = [...samples.keys()].filter(
    (sample) => !before.has(sample) && !/_bucket|_sum|_count/.test(sample),
  );
  const methods = new Set(
    [...samples.keys()].flatMap((sample) => /method="([^"]*)"/.exec(sample)?.[1] ?? []),
  );
  assert.ok(methods.has('other') && methods.size <= 10, [...methods].join());
  // The known methods, classes of status and codes that were not met before; never one for each request.
  assert.ok(added.length < 40, added.join('\n'));
});

test('the store is timed, and its failures are told apart', async () => {
  let isDown = false;
  const app = createTestApp({
    spent: {
      spend: async () => {
        if (isDown) throw Object.assign(new Error('down'), { code: 'store-unavailable' });
        return null;
      },
      purge: async () => 0,
    },
  });
  const pay = async () => {
    const { challenge } = app.gate.issue(null);
    return app.post('/pow/passport', { challenge, answer: solve(challenge) });
  };
  await pay();
  isDown = true;
  await pay();
  const seen = await read(app);
  assert.equal(seen.get('gatehouse_spent_seconds_count{result="first"}'), 1);
  assert.equal(seen.get('gatehouse_spent_seconds_count{result="failed"}'), 1);
});

test('a count that is none is refused to whoever counts it, and takes no other with it', async () => {
  const metrics = createMetrics();
  const labels = { method: 'GET', route: '/', status: 200 };
  const countOne = () => metrics.count('gatehouse_http_requests_total', labels);
  for (const value of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
    countOne();
    assert.throws(() => metrics.count('gatehouse_http_requests_total', labels, value), RangeError);
    assert.throws(() => metrics.observe('gatehouse_http_request_seconds', { route: '/' }, value), RangeError);
  }
  for (let i = 0; i < 997; i++) countOne();
  assert.match(await metrics.write(), /^gatehouse_http_requests_total\{.*\} 1000$/m);
});
