import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createTestApp, type TestAppOptions } from '../../test-app.ts';
import { solve } from '../../test-gate.ts';

const DOCUMENT = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', accept: 'text/html,*/*' };
const PER_REQUEST = {
  defaults: { difficulty_bits: 4 },
  routes: [{ id: 'page', paths: ['/demo/*'], passport_ttl_secs: 0 }],
};

/** An app whose visitor has just won a passport, as a cookie header. */
async function withCookie(options?: TestAppOptions) {
  const world = createTestApp(options);
  const { challenge } = (await world.request('/pow/challenge?route=page')).json();
  const minted = await world.post('/pow/passport', { challenge, answer: solve(challenge) });
  assert.equal(minted.statusCode, 200, minted.body);
  return { ...world, minted, cookie: String(minted.headers['set-cookie']).split(';')[0] };
}

describe('the passport endpoint', () => {
  test('gives the passport as JSON and as a cookie that scripts cannot read', async () => {
    const { minted } = await withCookie();
    const { passport, ttl_secs: ttlSecs } = minted.json();
    assert.equal(passport.length, 95);
    assert.equal(ttlSecs, 1_800);
    assert.equal(
      minted.headers['set-cookie'],
      `pow_passport=${passport}; Max-Age=1800; Secure; HttpOnly; SameSite=Lax; Path=/`,
    );
    assert.equal(minted.headers['cache-control'], 'no-store');
  });

  test('never puts a passport or a challenge in the log', async () => {
    const { lines, cookie, request } = await withCookie();
    await request({ url: '/demo/', headers: { cookie } });
    assert.doesNotMatch(JSON.stringify(lines), new RegExp(cookie.split('=')[1].slice(0, 20)));
  });
});

describe('the challenge endpoint', () => {
  for (const [query, status, code] of [
    ['', 200, undefined],
    ['?route=page', 200, undefined],
    ['?route=nowhere', 400, 'unknown-route'],
    ['?route=page&route=call', 400, 'malformed-request'],
    ['?route=', 400, 'malformed-request'],
    ['?difficulty=1', 200, undefined],
    ['?difficulty=one', 400, 'malformed-request'],
    ['?difficulty=1.5', 400, 'malformed-request'],
    ['?ttl=', 400, 'malformed-request'],
    ['?passport_ttl=1e9', 400, 'malformed-request'],
    ['?route[$ne]=page', 200, undefined],
  ] as const) {
    test(`${query || 'without a query'}: ${status}`, async () => {
      const answer = await createTestApp().request(`/pow/challenge${query}`);
      assert.equal(answer.statusCode, status, answer.body);
      assert.equal(answer.json().code, code);
      assert.equal(answer.headers['cache-control'], 'no-store');
    });
  }

  test('without a key, asking for less work or more time changes nothing', async () => {
    const answer = await createTestApp().request('/pow/challenge?difficulty=1&ttl=600&passport_ttl=9999');
    const { difficulty_bits: bits, expires_in_secs: secs, tier } = answer.json();
    assert.deepEqual({ bits, secs, tier }, { bits: 4, secs: 60, tier: 'public' });
  });

  test('a key of a paying tier counts, within the bounds of its tier', async () => {
    const { request, access } = createTestApp();
    for (const [tier, asked, expected] of [
      ['free', '?difficulty=1&ttl=600', { tier: 'public', bits: 4, secs: 60 }],
      ['pro', '?difficulty=1&ttl=9999', { tier: 'pro', bits: 1, secs: 600 }],
      ['enterprise', '?difficulty=99&ttl=9999', { tier: 'enterprise', bits: 32, secs: 3_600 }],
      ['enterprise', '', { tier: 'enterprise', bits: 4, secs: 60 }],
    ] as const) {
      const { key } = await access.issue({ tier, tenant: 'x', routes: [] });
      const answer = await request({ url: `/pow/challenge${asked}`, headers: { 'x-api-key': key } });
      const { difficulty_bits: bits, expires_in_secs: secs, tier: told } = answer.json();
      assert.deepEqual({ tier: told, bits, secs }, expected);
    }
  });

  test('less work bought with a key does not open a route that takes more', async () => {
    const { request, post, access } = createTestApp();
    const { key } = await access.issue({ tier: 'pro', tenant: 'x', routes: [] });
    const cheap = await request({ url: '/pow/challenge?difficulty=1', headers: { 'x-api-key': key } });
    const { challenge } = cheap.json();
    const minted = await post('/pow/passport', { challenge, answer: solve(challenge) });
    const cookie = String(minted.headers['set-cookie']).split(';')[0];
    assert.equal((await request({ url: '/demo/', headers: { cookie } })).json().code, 'passport-too-weak');
  });

  test('a Pro key is for five routes', async () => {
    const routes = Array.from({ length: 6 }, (_, i) => ({ id: `r${i}`, paths: [`/r${i}`] }));
    const { request, access } = createTestApp({ policy: { routes } });
    const { key } = await access.issue({ tier: 'pro', tenant: 'x', routes: [] });
    const statuses = [];
    for (const { id } of routes) {
      const answer = await request({ url: `/pow/challenge?route=${id}`, headers: { 'x-api-key': key } });
      statuses.push(answer.statusCode);
    }
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 403]);
  });

  test('a key that was not issued here is refused', async () => {
    for (const key of ['gh_abc_def', 'anything']) {
      const answer = await createTestApp().request({ url: '/pow/challenge', headers: { 'x-api-key': key } });
      assert.equal(answer.statusCode, 401);
      assert.equal(answer.json().code, 'unknown-key');
    }
  });
});

describe('an unproven request to a gated route', () => {
  test('gets 401, how to prove, and a challenge that works', async () => {
    const { request, post } = createTestApp();
    const answer = await request('/demo/');
    assert.equal(answer.statusCode, 401);
    assert.equal(answer.headers['www-authenticate'], 'PoW realm="page", difficulty=4, mode="passport"');
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal(answer.headers.vary, 'Origin, Cookie, Authorization, PoW, Accept');
    const { code, challenge } = answer.json();
    assert.equal(code, 'proof-required');
    const minted = await post('/pow/passport', {
      challenge: challenge.challenge,
      answer: solve(challenge.challenge),
    });
    assert.equal(minted.statusCode, 200);
  });

  test('never has a cookie cleared, whatever it carried', async () => {
    const { request } = createTestApp();
    for (const headers of [{}, { cookie: 'pow_passport=junk' }, DOCUMENT]) {
      assert.equal((await request({ url: '/demo/', headers })).headers['set-cookie'], undefined);
    }
  });

  test('of a browser for a page gets the verifying page, also 401', async () => {
    const { request } = createTestApp();
    const answer = await request({ url: '/demo/?a=1', headers: DOCUMENT });
    assert.equal(answer.statusCode, 401);
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
    const data = /data-gate="([^"]*)"/.exec(answer.body)?.[1].replaceAll('&quot;', '"') as string;
    const { route, mode, method, difficulty_bits: bits, challenge } = JSON.parse(data);
    assert.deepEqual(
      { route, mode, method, bits },
      { route: 'page', mode: 'passport', method: 'GET', bits: 4 },
    );
    assert.equal(challenge.challenge.length, 115);
  });

  for (const [title, headers] of [
    ['a style sheet', { 'sec-fetch-dest': 'style', accept: 'text/css,*/*;q=0.1' }],
    ['a fetch', { 'sec-fetch-dest': 'empty', accept: 'text/html' }],
    ['an image', { 'sec-fetch-dest': 'image', accept: 'image/*,*/*' }],
    ['curl', { accept: '*/*' }],
    ['a program without headers', {}],
  ] as const) {
    test(`of ${title} gets the problem, not the page`, async () => {
      const answer = await createTestApp().request({ url: '/demo/', headers });
      assert.equal(answer.statusCode, 401);
      assert.equal(answer.headers['content-type'], 'application/problem+json');
    });
  }

  test('without Sec-Fetch (plain HTTP) is a page where it accepts HTML', async () => {
    const answer = await createTestApp().request({
      url: '/demo/',
      headers: { accept: 'text/html,application/xml' },
    });
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
  });

  test('with a body tells the page its method, so that nothing is lost in silence', async () => {
    const answer = await createTestApp().request({
      url: '/demo/',
      method: 'POST',
      headers: DOCUMENT,
      payload: 'a=1',
    });
    assert.equal(answer.statusCode, 401);
    assert.match(answer.body, /&quot;method&quot;:&quot;POST&quot;/);
  });

  test('in per-request mode tells the page so: a navigation cannot carry a header', async () => {
    const answer = await createTestApp({ policy: PER_REQUEST }).request({ url: '/demo/', headers: DOCUMENT });
    assert.match(answer.body, /&quot;mode&quot;:&quot;request&quot;/);
    assert.match(String(answer.headers['www-authenticate']), /mode="request"/);
  });
});

describe('a passport', () => {
  test('opens the gated page, as HTML and as JSON', async () => {
    const { request, cookie } = await withCookie();
    const page = await request({ url: '/demo/', headers: { ...DOCUMENT, cookie } });
    assert.equal(page.statusCode, 200);
    assert.match(page.body, /&quot;how&quot;:&quot;passport&quot;/);
    const json = await request({ url: '/demo/', headers: { accept: 'application/json', cookie } });
    assert.deepEqual(json.json().network, '127.0.0.0/24');
    assert.equal(json.headers['cache-control'], 'no-store');
  });

  test('is found behind seven others, not behind eight', async () => {
    const { request, cookie } = await withCookie();
    const behind = (count: number) => `${'pow_passport=junk; '.repeat(count)}${cookie}`;
    assert.equal((await request({ url: '/demo/', headers: { cookie: behind(7) } })).statusCode, 200);
    assert.equal((await request({ url: '/demo/', headers: { cookie: behind(8) } })).statusCode, 401);
  });

  test('does not travel to another network', async () => {
    const { request, cookie } = await withCookie();
    const answer = await request({ url: '/demo/', headers: { cookie }, remoteAddress: '198.51.100.7' });
    assert.equal(answer.statusCode, 401);
    assert.equal(answer.json().code, 'passport-network-mismatch');
    assert.equal(answer.json().challenge.challenge.length, 115);
  });

  test('is bound to the client behind a trusted proxy, not to the proxy', async () => {
    const options = { trustedProxies: ['127.0.0.1'] };
    const { request, post } = createTestApp(options);
    const { challenge } = (await request('/pow/challenge')).json();
    const forwarded = { 'x-forwarded-for': '192.0.2.1' };
    const minted = await post('/pow/passport', { challenge, answer: solve(challenge) }, forwarded);
    const cookie = String(minted.headers['set-cookie']).split(';')[0];
    const status = async (from: string) =>
      (await request({ url: '/demo/', headers: { cookie, 'x-forwarded-for': from } })).statusCode;
    assert.equal(await status('192.0.2.200'), 200);
    assert.equal(await status('198.51.100.1'), 401);
  });

  test('does not open a route in per-request mode', async () => {
    const { request, cookie, usePolicy } = await withCookie();
    usePolicy(PER_REQUEST);
    assert.equal((await request({ url: '/demo/', headers: { cookie } })).json().code, 'proof-required');
  });
});

describe('a proof in a header', () => {
  for (const [title, policy] of [
    ['passport', undefined],
    ['per-request', PER_REQUEST],
  ] as const) {
    test(`admits one request to a route in ${title} mode`, async () => {
      const { request } = createTestApp(policy && { policy });
      const { challenge } = (await request('/demo/')).json().challenge;
      const authorization = `PoW ${challenge}:${solve(challenge)}`;
      const first = await request({ url: '/demo/', headers: { authorization, accept: 'application/json' } });
      assert.equal(first.statusCode, 200);
      assert.equal(first.json().how, 'request');
      const second = await request({ url: '/demo/', headers: { authorization } });
      assert.equal(second.statusCode, 409);
      assert.equal(second.json().code, 'challenge-already-used');
    });
  }

  test('may stand in PoW where Authorization is taken', async () => {
    const { request } = createTestApp();
    const { challenge } = (await request('/demo/')).json().challenge;
    const headers = { authorization: 'Bearer of-the-provider', pow: `${challenge}:${solve(challenge)}` };
    assert.equal((await request({ url: '/demo/', headers })).statusCode, 200);
  });

  test('is spent whatever the route then answers', async () => {
    const { request } = createTestApp();
    const { challenge } = (await request('/demo/')).json().challenge;
    const headers = { authorization: `pow ${challenge}:${solve(challenge)}` };
    assert.equal((await request({ url: '/demo/nothing-here', headers })).statusCode, 404);
    assert.equal((await request({ url: '/demo/', headers })).statusCode, 409);
  });

  for (const [authorization, status, code] of [
    ['PoW', 401, 'proof-required'],
    ['PoW junk', 400, 'malformed-request'],
    ['PoW junk:1', 400, 'malformed-challenge'],
    ['PoW :', 400, 'malformed-challenge'],
    [`PoW ${'A'.repeat(115)}:1`, 403, 'seal-invalid'],
    ['Basic abc', 401, 'proof-required'],
    ['PoW a b', 401, 'proof-required'],
  ] as const) {
    test(`${JSON.stringify(authorization.slice(0, 16))}: ${code}`, async () => {
      const answer = await createTestApp().request({ url: '/demo/', headers: { authorization } });
      assert.equal(answer.json().code, code);
      assert.equal(answer.statusCode, status);
    });
  }
});

describe('the exempt list', () => {
  const routes = (exempt: object) => ({ routes: [{ id: 'page', paths: ['/demo/*'], exempt }] });

  for (const [title, exempt, visit, status] of [
    ['a path', { paths: ['/demo/feed.xml'] }, { url: '/demo/feed.xml' }, 404],
    ['a path, and not its neighbour', { paths: ['/demo/feed.xml'] }, { url: '/demo/feed' }, 401],
    ['a network', { networks: ['203.0.113.0/24'] }, { url: '/demo/', remoteAddress: '203.0.113.5' }, 200],
    [
      'a network, and not its neighbour',
      { networks: ['203.0.113.0/24'] },
      { url: '/demo/', remoteAddress: '203.0.114.5' },
      401,
    ],
    [
      'a user agent',
      { user_agents: ['FeedReader'] },
      { url: '/demo/', headers: { 'user-agent': 'feedreader/2' } },
      200,
    ],
    [
      'a user agent, and not another',
      { user_agents: ['FeedReader'] },
      { url: '/demo/', headers: { 'user-agent': 'Feed' } },
      401,
    ],
  ] as const) {
    test(`lets in ${title}`, async () => {
      assert.equal(
        (await createTestApp({ policy: routes(exempt) as never }).request(visit)).statusCode,
        status,
      );
    });
  }

  test('of networks does not believe a header of a stranger', async () => {
    const { request } = createTestApp({ policy: routes({ networks: ['10.0.0.0/8'] }) as never });
    const answer = await request({
      url: '/demo/',
      headers: { 'x-forwarded-for': '10.0.0.1', 'x-real-ip': '10.0.0.1' },
    });
    assert.equal(answer.statusCode, 401);
  });
});

describe('a key on the exempt list', () => {
  test('lets in who holds it, and nobody else', async () => {
    const { request, access, usePolicy } = createTestApp();
    const { key, keyId } = await access.issue({ tier: 'free', tenant: 'x', routes: [] });
    const other = await access.issue({ tier: 'enterprise', tenant: 'y', routes: [] });
    usePolicy({ routes: [{ id: 'page', paths: ['/demo/*'], exempt: { keys: [keyId] } }] });
    const show = async (text: string) =>
      (await request({ url: '/demo/', headers: { accept: 'application/json', 'x-api-key': text } })).json();
    assert.equal((await show(key)).how, 'open');
    assert.equal((await show(other.key)).code, 'proof-required');
    assert.equal((await show('sk-of-another-service')).code, 'proof-required');
    assert.equal((await show(`${key.slice(0, -1)}_`)).code, 'unknown-key');
    await access.revoke(keyId);
    assert.equal((await show(key)).code, 'unknown-key');
  });
});

describe('methods', () => {
  const policy = { routes: [{ id: 'page', paths: ['/demo/*'], methods: ['GET'] }] };

  test('a HEAD is gated as the GET that it stands for', async () => {
    const { request } = createTestApp({ policy });
    assert.equal((await request({ url: '/demo/', method: 'HEAD' })).statusCode, 401);
    assert.equal((await request({ url: '/demo/', method: 'POST' })).statusCode, 405);
  });

  test('no header overrides the method', async () => {
    const { request } = createTestApp({ policy });
    const answer = await request({ url: '/demo/', headers: { 'x-http-method-override': 'POST' } });
    assert.equal(answer.statusCode, 401);
  });
});
