import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CrawlStore } from '../../../server/crawl/core/ports.ts';
import { TEST_ADMIN_KEY } from '../../test-app.ts';
import { cookieOf, createMemoryEndedSessions, createTestConsole } from '../../test-console.ts';
import { createTestTimer } from '../../test-timer.ts';

const API = [
  ['GET', '/console/api/session'],
  ['GET', '/console/api/gate'],
  ['GET', '/console/api/system'],
  ['GET', '/console/api/live'],
  ['GET', '/console/api/keys'],
  ['POST', '/console/api/keys'],
  ['DELETE', '/console/api/keys/0123456789ab'],
  ['GET', '/console/api/sites'],
  ['POST', '/console/api/sites'],
  ['DELETE', '/console/api/sites/x'],
  ['GET', '/console/api/sites/x/profile'],
  ['PUT', '/console/api/sites/x/profile'],
  ['GET', '/console/api/sites/x/search?query=a'],
  ['GET', '/console/api/sites/x/queries'],
  ['GET', '/console/api/ip?address=192.0.2.1'],
  ['GET', '/console/api/crawls'],
  ['GET', '/console/api/sites/x/crawls'],
  ['POST', '/console/api/sites/x/crawls'],
  ['GET', '/console/api/sites/x/crawls/y'],
  ['DELETE', '/console/api/sites/x/crawls/y'],
  ['GET', '/console/api/sites/x/crawls/y/events'],
] as const;

describe('without a session', () => {
  for (const [method, url] of API) {
    test(`${method} ${url} is refused before anything is read of it`, async () => {
      const crawlStore = { store: {} as CrawlStore, timer: createTestTimer() };
      const { request, access } = createTestConsole({ crawlStore });
      for (const path of [
        url,
        url.replace('/console/api', '/CONSOLE/api'),
        url.replace('/console', '//console'),
      ]) {
        const answer = await request({
          method,
          url: path,
          headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
          payload: '{"tier":"enterprise","tenant":"Mallory"}',
        });
        assert.equal(answer.statusCode, 401, path);
        assert.equal(answer.json().code, 'sign-in-required');
        assert.equal(answer.headers['cache-control'], 'no-store');
      }
      assert.deepEqual(await access.list(), []);
    });
  }

  test('the page itself comes, framed by nobody and kept by no cache', async () => {
    const { request } = createTestConsole();
    const page = await request('/console');
    assert.equal(page.statusCode, 200);
    assert.match(String(page.headers['content-security-policy']), /frame-ancestors 'none'/);
    assert.match(String(page.headers['content-security-policy']), /form-action 'none'/);
    assert.equal(page.headers['cache-control'], 'no-store');
    assert.equal(page.headers['set-cookie'], undefined);
  });

  test('whether there is one is told without a refusal', async () => {
    const { request, openPage } = createTestConsole();
    assert.deepEqual((await request('/console/session')).json(), { session: null });
    const { call } = await openPage();
    assert.equal((await call('GET', '/console/session')).json().session.version, '0.0.0-test');
  });
});

describe('signing in', () => {
  test('takes the admin key, and no other', async () => {
    const { signIn, lines } = createTestConsole();
    for (const key of [
      'wrong',
      `${TEST_ADMIN_KEY} `,
      TEST_ADMIN_KEY.slice(1),
      TEST_ADMIN_KEY.toUpperCase(),
    ]) {
      const answer = await signIn({}, key);
      assert.equal(answer.statusCode, 401);
      assert.equal(answer.json().code, 'sign-in-required');
      assert.equal(answer.headers['set-cookie'], undefined);
    }
    const answer = await signIn();
    assert.equal(answer.statusCode, 204);
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.ok(!JSON.stringify(lines).includes(TEST_ADMIN_KEY));
  });

  test('is throttled before the key is looked at, so the right one does not pass then either', async () => {
    const { signIn } = createTestConsole({ signIns: { calls: 3, secs: 60 } });
    // Right ones do not count.
    for (let i = 0; i < 9; i++) assert.equal((await signIn()).statusCode, 204);
    for (let i = 0; i < 3; i++) assert.equal((await signIn({}, 'guess')).statusCode, 401);
    const answer = await signIn();
    assert.equal(answer.statusCode, 429);
    assert.ok(Number(answer.headers['retry-after']) > 0);
    assert.equal(answer.headers['set-cookie'], undefined);
  });

  for (const [title, body, type, status] of [
    ['a form', 'key=x', 'application/x-www-form-urlencoded', 415],
    ['plain text, which needs no preflight', '{"key":"x"}', 'text/plain', 415],
    ['no object', '[]', 'application/json', 400],
    ['no key', '{}', 'application/json', 400],
    ['a key that is no text', '{"key":{"$gt":""}}', 'application/json', 400],
    ['too much', JSON.stringify({ key: 'x'.repeat(3_000) }), 'application/json', 413],
  ] as const) {
    test(`refuses ${title}`, async () => {
      const { request } = createTestConsole();
      const answer = await request({
        method: 'POST',
        url: '/console/session',
        headers: { 'content-type': type, 'sec-fetch-site': 'same-origin' },
        payload: body,
      });
      assert.equal(answer.statusCode, status);
    });
  }

  test('gives a cookie that no script reads and no other site sends, Secure but on the loopback', async () => {
    const { signIn } = createTestConsole();
    const cookie = async (host: string) => String((await signIn({ host })).headers['set-cookie']);
    const far = await cookie('gate.example.org');
    for (const attribute of ['HttpOnly', 'SameSite=Strict', 'Path=/console', 'Secure', 'Max-Age=1800']) {
      assert.ok(far.split('; ').includes(attribute), `${attribute} in ${far}`);
    }
    for (const host of ['localhost:8080', '127.0.0.1', '[::1]:80'])
      assert.ok(!(await cookie(host)).includes('Secure'));
    for (const host of ['localhost.example.org', '127.0.0.1.example.org', 'xlocalhost']) {
      assert.ok((await cookie(host)).includes('Secure'), host);
    }
  });

  test('never takes over a session that the browser brought (fixation)', async () => {
    const { signIn } = createTestConsole();
    const planted = cookieOf(await signIn());
    const own = cookieOf(await signIn({ cookie: planted }));
    assert.notEqual(own, planted);
  });
});

describe('a session', () => {
  const read = (world: ReturnType<typeof createTestConsole>, cookie: string) =>
    world.request({ url: '/console/api/session', headers: { cookie, 'sec-fetch-site': 'same-origin' } });

  test('is none with any character of its text changed, cut or added', async () => {
    const world = createTestConsole();
    const cookie = cookieOf(await world.signIn());
    assert.equal((await read(world, cookie)).statusCode, 200);
    const [name, text] = cookie.split('=');
    for (let i = 0; i < text.length; i++) {
      const forged = `${text.slice(0, i)}${text[i] === 'A' ? 'B' : 'A'}${text.slice(i + 1)}`;
      assert.equal((await read(world, `${name}=${forged}`)).statusCode, 401, `character ${i}`);
    }
    for (const forged of ['', 'x', `${text}A`, text.slice(0, -1), `${text}=`, '__proto__']) {
      assert.equal((await read(world, `${name}=${forged}`)).statusCode, 401, forged);
    }
  });

  test('is found behind stale cookies of the same name', async () => {
    const world = createTestConsole();
    const cookie = cookieOf(await world.signIn());
    assert.equal((await read(world, `gatehouse_console=planted; ${cookie}`)).statusCode, 200);
  });

  test('ends after half an hour without use, slides with use, and ends after twelve hours all the same', async () => {
    const world = createTestConsole();
    let cookie = cookieOf(await world.signIn());
    world.clock.advanceSecs(1_799);
    const renewed = await read(world, cookie);
    assert.equal(renewed.statusCode, 200);
    const old = cookie;
    cookie = cookieOf(renewed);
    world.clock.advanceSecs(1);
    assert.equal((await read(world, old)).statusCode, 401);
    for (let secs = 1_800; secs < 43_200; secs += 900) {
      const answer = await read(world, cookie);
      assert.equal(answer.statusCode, 200, `after ${secs} s`);
      cookie = cookieOf(answer) || cookie;
      world.clock.advanceSecs(900);
    }
    assert.equal((await read(world, cookie)).statusCode, 401);
  });

  test('is not renewed at every request', async () => {
    const world = createTestConsole();
    const cookie = cookieOf(await world.signIn());
    assert.equal((await read(world, cookie)).headers['set-cookie'], undefined);
  });

  test('goes on in another process with the same key, and in none with another', async () => {
    const cookie = cookieOf(await createTestConsole().signIn());
    assert.equal((await read(createTestConsole(), cookie)).statusCode, 200);
    const other = createTestConsole({ adminKey: 'another-admin-key-of-the-tests' });
    assert.equal((await read(other, cookie)).statusCode, 401);
  });

  test('is over for every copy and renewal of it once signed out, in other processes too', async () => {
    const ended = createMemoryEndedSessions();
    const [one, other] = [createTestConsole({ ended }), createTestConsole({ ended })];
    const { headers, call } = await one.openPage();
    one.clock.advanceSecs(600);
    const renewal = cookieOf(await call('GET', '/console/api/session'));
    const out = await call('DELETE', '/console/session');
    assert.equal(out.statusCode, 204);
    assert.match(String(out.headers['set-cookie']), /^gatehouse_console=; Max-Age=0; Path=\/console/);
    for (const world of [one, other]) {
      assert.equal((await read(world, headers.cookie)).statusCode, 401);
      assert.equal((await read(world, renewal)).statusCode, 401);
    }
  });
});

describe('a request of another page, though the browser sends the cookie', () => {
  const foreign = {
    'another site': { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    'a sibling subdomain, which SameSite lets through': { 'sec-fetch-site': 'same-site' },
    'another site, by a browser without Fetch Metadata': { origin: 'https://evil.example' },
    'a page without an origin': { origin: 'null' },
    'a host that only begins as ours': { origin: 'http://gate.example.evil.org' },
    'our host with a user part': { origin: 'http://gate.example@evil.org' },
    'another port of our host': { origin: 'http://gate.example:8443' },
    nobody: {},
  };
  for (const [title, headers] of Object.entries(foreign)) {
    test(`changes nothing: ${title}`, async () => {
      const world = createTestConsole({ allowedOrigins: ['https://evil.example'] });
      const cookie = cookieOf(await world.signIn());
      const own = { host: 'gate.example', cookie };
      for (const [method, url] of [
        ['POST', '/console/api/keys'],
        ['DELETE', '/console/session'],
        ['POST', '/console/session'],
      ] as const) {
        const answer = await world.request({
          method,
          url,
          headers: { ...own, ...headers, 'content-type': 'application/json' },
          payload: JSON.stringify({ tier: 'free', tenant: 'Mallory', key: TEST_ADMIN_KEY }),
        });
        assert.equal(answer.statusCode, 403, `${method} ${url}`);
        assert.equal(answer.json().code, 'foreign-page');
        assert.equal(answer.headers['set-cookie'], undefined);
        assert.equal(answer.headers['access-control-allow-origin'], undefined);
      }
      assert.deepEqual(await world.access.list(), []);
    });
  }

  test('reads nothing either, whatever ALLOWED_ORIGINS says', async () => {
    const world = createTestConsole({ allowedOrigins: ['https://www.example.org'] });
    const cookie = cookieOf(await world.signIn());
    const headers = { cookie, origin: 'https://www.example.org', 'sec-fetch-site': 'same-site' };
    const answer = await world.request({ url: '/console/api/keys', headers });
    assert.equal(answer.statusCode, 403);
    assert.equal(answer.headers['access-control-allow-origin'], undefined);
    const preflight = await world.request({
      method: 'OPTIONS',
      url: '/console/api/keys',
      headers: { ...headers, 'access-control-request-method': 'POST' },
    });
    assert.equal(preflight.headers['access-control-allow-origin'], undefined);
    // The same origin may call the rest: the list is in force.
    const open = await world.request({ url: '/pow/challenge', headers: { origin: headers.origin } });
    assert.equal(open.headers['access-control-allow-origin'], headers.origin);
  });

  test('while our own page may, over plain HTTP and behind a proxy that rewrites Host', async () => {
    const world = createTestConsole();
    const cookie = cookieOf(await world.signIn());
    for (const headers of [
      { host: 'gate.example:8080', origin: 'http://gate.example:8080' },
      { host: '127.0.0.1:8080', origin: 'https://gate.example', 'sec-fetch-site': 'same-origin' },
    ]) {
      const answer = await world.post(
        '/console/api/keys',
        { tier: 'free', tenant: 'Reader' },
        { cookie, ...headers },
      );
      assert.equal(answer.statusCode, 201);
    }
  });
});

describe('a program', () => {
  const get = (world: ReturnType<typeof createTestConsole>, authorization: string) =>
    world.request({ url: '/console/api/keys', headers: { authorization } });

  test('shows the admin key as a Bearer, and needs no origin', async () => {
    const world = createTestConsole();
    assert.equal((await get(world, `Bearer ${TEST_ADMIN_KEY}`)).statusCode, 200);
    for (const wrong of ['Bearer wrong', `Basic ${TEST_ADMIN_KEY}`, TEST_ADMIN_KEY, 'Bearer']) {
      assert.equal((await get(world, wrong)).statusCode, 401, wrong);
    }
    const answer = await world.post(
      '/console/api/keys',
      { tier: 'free', tenant: 'Reader' },
      { authorization: `Bearer ${TEST_ADMIN_KEY}` },
    );
    assert.equal(answer.statusCode, 201);
    assert.equal(answer.headers['set-cookie'], undefined);
  });

  test('has only so many calls, so that nobody tries many keys', async () => {
    const world = createTestConsole({ bearers: { calls: 2, secs: 60 } });
    for (let i = 0; i < 2; i++) assert.equal((await get(world, 'Bearer guess')).statusCode, 401);
    assert.equal((await get(world, `Bearer ${TEST_ADMIN_KEY}`)).statusCode, 429);
  });
});
