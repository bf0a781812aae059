import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Spent } from '../../../server/pow/core/spent.ts';
import { createMemorySpent } from '../../../server/store/memory-spent.ts';
import type { PolicyFile } from '../../../server/wire/policy.ts';
import { fault } from '../../../server/wire/problem.ts';
import { createTestApp, type TestAppOptions } from '../../test-app.ts';
import { solve } from '../../test-gate.ts';

const POLICY: PolicyFile = {
  defaults: { difficulty_bits: 4 },
  routes: [
    {
      id: 'archive',
      paths: ['/archive/*'],
      exempt: { paths: ['/archive/feed.xml'], networks: ['203.0.113.0/24'], user_agents: ['FeedReader'] },
    },
    { id: 'send', paths: ['/form'], methods: ['POST'] },
    { id: 'call', paths: ['/call'], passport_ttl_secs: 0 },
    { id: 'steep', paths: ['/steep/*'], difficulty_bits: 6 },
    { id: 'long', paths: ['/long'], passport_ttl_secs: 7_200 },
  ],
};
const DOCUMENT = { 'sec-fetch-dest': 'document', accept: 'text/html,*/*' };
const CLIENT = { 'x-forwarded-for': '198.51.100.7' };

type Headers = Record<string, string>;

/** A server that believes its peer, and what a proxy asks it. */
function createProxied(options: TestAppOptions = {}) {
  const world = createTestApp({ policy: POLICY, trustedProxies: ['127.0.0.1'], ...options });
  const ask = (headers: Headers, method: 'GET' | 'HEAD' = 'GET') =>
    world.request({ url: '/pow/auth', method, headers: { ...CLIENT, ...headers } });
  const askFor = (uri: string, headers: Headers = {}) =>
    ask({ 'x-original-uri': uri, 'x-original-method': 'GET', ...headers });
  async function solveFor(route: string) {
    const { challenge } = (await world.request(`/pow/challenge?route=${route}`)).json();
    return { challenge, answer: solve(challenge) };
  }
  async function winCookie(route: string): Promise<Headers> {
    const minted = await world.post('/pow/passport', await solveFor(route), CLIENT);
    assert.equal(minted.statusCode, 200, minted.body);
    return { cookie: String(minted.headers['set-cookie']).split(';')[0] };
  }
  async function proofFor(route: string): Promise<Headers> {
    const { challenge, answer } = await solveFor(route);
    return { authorization: `PoW ${challenge}:${answer}` };
  }
  return { ...world, ask, askFor, winCookie, proofFor };
}

describe('the original request', () => {
  test('is not believed of a peer that is not trusted', async () => {
    const { ask } = createProxied({ trustedProxies: [] });
    for (const headers of [
      { 'x-original-uri': '/open', 'x-original-method': 'GET' },
      { 'x-forwarded-uri': '/open', 'x-forwarded-method': 'GET' },
      { 'x-original-uri': '/archive/feed.xml' },
    ] as Headers[]) {
      assert.equal((await ask(headers)).statusCode, 401);
    }
  });

  test('is not believed where the peer is trusted for a forwarded address only by its claim', async () => {
    const { ask } = createProxied({ trustedProxies: ['10.0.0.0/8'] });
    const answer = await ask({ 'x-forwarded-for': '10.0.0.1', 'x-original-uri': '/open' });
    assert.equal(answer.statusCode, 401);
  });

  // GHSA-6wcg-mqvh-fcvg: another gate honoured them on every path.
  test('is not believed outside this endpoint, a trusted peer notwithstanding', async () => {
    const { request } = createProxied();
    for (const name of ['x-original-uri', 'x-forwarded-uri', 'x-original-url', 'x-rewrite-url']) {
      const answer = await request({ url: '/archive/', headers: { [name]: '/open' } });
      assert.equal(answer.statusCode, 401, name);
    }
  });

  for (const [title, headers] of [
    ['nginx names it', { 'x-original-uri': '/archive/1', 'x-original-method': 'GET' }],
    ['Traefik and Caddy name it', { 'x-forwarded-uri': '/archive/1', 'x-forwarded-method': 'GET' }],
    ['the client adds the other pair', { 'x-original-uri': '/archive/1', 'x-forwarded-uri': '/open' }],
    [
      'the client adds the other pair, the other way',
      { 'x-original-uri': '/open', 'x-forwarded-uri': '/archive/1' },
    ],
    [
      'the client adds the method of the other pair',
      { 'x-original-uri': '/form', 'x-forwarded-method': 'GET' },
    ],
    ['no method is told and one is gated', { 'x-original-uri': '/form' }],
    ['the method has another case', { 'x-original-uri': '/form', 'x-original-method': 'post' }],
    [
      'the method is junk on a path gated for all',
      { 'x-original-uri': '/archive/', 'x-original-method': '\t☃' },
    ],
    ['it is a HEAD for a gated GET', { 'x-original-uri': '/archive/', 'x-original-method': 'HEAD' }],
  ] as [string, Headers][]) {
    test(`is gated where ${title}`, async () =>
      assert.equal((await createProxied().ask(headers)).statusCode, 401));
  }

  for (const [title, headers] of [
    ['no route covers it', { 'x-original-uri': '/open', 'x-original-method': 'GET' }],
    [
      'its query names a gated path',
      { 'x-original-uri': '/open?next=/../archive/', 'x-original-method': 'GET' },
    ],
    ['the method is not gated', { 'x-original-uri': '/form', 'x-original-method': 'GET' }],
    ['its path is exempt', { 'x-original-uri': '/archive/feed.xml' }],
    ['its program is exempt', { 'x-original-uri': '/archive/', 'user-agent': 'feedreader/2' }],
    ['its network is exempt', { 'x-original-uri': '/archive/', 'x-forwarded-for': '203.0.113.9' }],
  ] as [string, Headers][]) {
    test(`passes where ${title}`, async () => {
      const answer = await createProxied().ask(headers);
      assert.equal(answer.statusCode, 204);
      assert.equal(answer.body, '');
      assert.equal(answer.headers['cache-control'], 'no-store');
    });
  }

  test('given twice, counts twice', async () => {
    const { request } = createProxied();
    const headers = { 'x-original-uri': ['/open', '/archive/'], 'x-original-method': 'GET' };
    assert.equal((await request({ url: '/pow/auth', headers })).statusCode, 401);
    const many = { 'x-original-uri': Array(9).fill('/open'), 'x-original-method': 'GET' };
    assert.equal((await request({ url: '/pow/auth', headers: many })).statusCode, 401);
    const methods = { 'x-original-uri': '/form', 'x-original-method': ['GET', 'POST'] };
    assert.equal((await request({ url: '/pow/auth', headers: methods })).statusCode, 401);
  });
});

describe('a gated path in another spelling', () => {
  for (const uri of [
    '/archive',
    '/ARCHIVE/',
    '//archive/',
    '/%61rchive/',
    '/%2561rchive/',
    '/%252561rchive/',
    '/archive%2f1',
    '/x/..%2farchive/',
    '/x/%2e%2e/archive/',
    '/x%5c..%5carchive',
    '\\archive\\',
    '/;a/archive;b=c/1',
    '/x/..;/archive/1',
    '/archive%00.png',
    '/arch%09ive/',
    '/archive./',
    '/archive%20/',
    '/archive%3fx',
    '/archive%23x',
    '/archive#x',
    '//elsewhere/archive/',
    '/\\elsewhere/archive/',
    'http://elsewhere.example/archive/',
    'HTTP://user@elsewhere.example:80/archive/?x',
    '/archive/../open',
    '/a//../archive/',
    '/archive/feed.xml/../1',
    '/archive/feed.xml%2f..%2f1',
    '/archive/feed.xml%00',
    '/%ef%bd%81rchive/',
    'archive/',
    // Dots resolved before an escaped slash makes segments, then decoded.
    '/#%2f /../%2fARCHIVE',
    '/x%2fy/../%61rchive/',
    // Escaped dots resolved while an escaped slash stays one.
    '/x%2fy\\%2E%2e/archive/',
    '/x%2fy/%2e%2e/archive/',
    // The second of two parsers takes for a host what the first has left at the beginning.
    '/%2e//elsewhere/archive/',
    // Nobody can read these, so they are held to every route.
    `/%${'25'.repeat(9)}61rchive/`,
    `/${'a'.repeat(3_000)}`,
    '//a/;b/..%5c%5c..;c/%09%00/d%20/%2e%2e;/%5ce;f%23/%3fg./%2e/../%ef%bd%81/..',
  ]) {
    test(`is gated: ${uri.slice(0, 50)}`, async () => {
      const { askFor, winCookie } = createProxied();
      const answer = await askFor(uri);
      assert.equal(answer.statusCode, 401, uri);
      assert.equal((await askFor(uri, { accept: 'text/html' })).statusCode, 401);
      assert.ok((await askFor(uri, await winCookie('steep'))).statusCode <= 401);
    });
  }

  for (const uri of [
    '/',
    '',
    '*',
    '/open%',
    '/%zz',
    '/open/a%2Fb;c=d?x',
    '/%ff%fe',
    '/archives',
    '/x/archive/',
  ]) {
    test(`what is no such spelling passes: ${uri}`, async () => {
      // An empty header is none.
      assert.equal((await createProxied().askFor(uri)).statusCode, uri === '' ? 401 : 204);
    });
  }

  test('with an escaped slash opens by passport, since the upstream may mean it', async () => {
    const { askFor, winCookie } = createProxied();
    assert.equal((await askFor('/archive/a%2Fb', await winCookie('archive'))).statusCode, 204);
  });

  test('that may be one of two routes takes a passport for both, and no proof', async () => {
    const { askFor, winCookie, proofFor } = createProxied();
    const uri = '/archive/..%2fsteep/1';
    assert.match(String((await askFor(uri)).headers['www-authenticate']), /realm="steep"/);
    assert.equal((await askFor(uri, await winCookie('archive'))).statusCode, 401);
    assert.equal((await askFor(uri, await winCookie('steep'))).statusCode, 204);
    const proof = await proofFor('steep');
    assert.equal((await askFor(uri, proof)).statusCode, 401);
    // It was not spent on the way.
    assert.equal((await askFor('/steep/1', proof)).statusCode, 204);
  });
});

describe('without an original request', () => {
  test('any valid passport of the default work is let in, for as long as it lives', async () => {
    const { ask, winCookie, clock } = createProxied();
    assert.equal((await ask({})).statusCode, 401);
    const cookie = await winCookie('long');
    assert.equal((await ask(cookie)).statusCode, 204);
    clock.advanceSecs(7_199);
    assert.equal((await ask(cookie)).statusCode, 204);
    clock.advanceSecs(1);
    assert.equal((await ask(cookie)).json().code, 'passport-expired');
  });

  test('a passport of less work than the defaults is not', async () => {
    const { ask, winCookie, usePolicy } = createProxied();
    const cookie = await winCookie('archive');
    usePolicy({ ...POLICY, defaults: { difficulty_bits: 5 } });
    assert.equal((await ask(cookie)).json().code, 'passport-too-weak');
  });

  test('a proof is neither taken nor spent', async () => {
    const { ask, askFor, proofFor } = createProxied();
    const proof = await proofFor('archive');
    assert.equal((await ask(proof)).statusCode, 401);
    assert.equal((await askFor('/archive/', proof)).statusCode, 204);
  });

  test('the refusal names no route and gives a challenge for any', async () => {
    const answer = await createProxied().ask(DOCUMENT);
    assert.equal(answer.headers['www-authenticate'], 'PoW realm="*", difficulty=4, mode="passport"');
    assert.match(answer.body, /data-gate="\{&quot;route&quot;:&quot;&quot;/);
  });
});

describe('a refusal', () => {
  test('is the one of the gate: how to prove, and a challenge that works', async () => {
    const { askFor, post } = createProxied();
    const answer = await askFor('/archive/');
    assert.equal(answer.headers['www-authenticate'], 'PoW realm="archive", difficulty=4, mode="passport"');
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal(answer.headers.vary, 'Origin, Cookie, Authorization, PoW, Accept');
    assert.equal(answer.headers['content-type'], 'application/problem+json');
    assert.equal(answer.headers['set-cookie'], undefined);
    const { code, challenge } = answer.json();
    assert.equal(code, 'proof-required');
    const submit = { challenge: challenge.challenge, answer: solve(challenge.challenge) };
    assert.equal((await post('/pow/passport', submit)).statusCode, 200);
  });

  test('of a browser for a page is the verifying page, which knows the method that was held', async () => {
    const answer = await createProxied().askFor('/form', { ...DOCUMENT, 'x-original-method': 'POST' });
    assert.equal(answer.statusCode, 401);
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
    assert.match(answer.body, /&quot;route&quot;:&quot;send&quot;/);
    assert.match(answer.body, /&quot;method&quot;:&quot;POST&quot;/);
  });

  test('to HEAD has no body', async () => {
    const answer = await createProxied().ask({ 'x-original-uri': '/archive/' }, 'HEAD');
    assert.equal(answer.statusCode, 401);
    assert.equal(answer.body, '');
  });

  test('of a passport says what is wrong with it', async () => {
    const { askFor, winCookie } = createProxied();
    const cookie = await winCookie('archive');
    assert.equal((await askFor('/steep/', cookie)).json().code, 'passport-too-weak');
    assert.equal(
      (await askFor('/archive/', { cookie: 'pow_passport=junk' })).json().code,
      'passport-invalid',
    );
    const elsewhere = await askFor('/archive/', { ...cookie, 'x-forwarded-for': '192.0.2.1' });
    assert.equal(elsewhere.json().code, 'passport-network-mismatch');
  });
});

describe('a proof', () => {
  test('is spent here, once, in either header', async () => {
    const { askFor, proofFor } = createProxied();
    const proof = await proofFor('call');
    for (const headers of [
      proof,
      { pow: (await proofFor('call')).authorization, authorization: 'Bearer x' },
    ]) {
      assert.equal((await askFor('/call', headers)).statusCode, 204);
      const again = await askFor('/call', headers);
      assert.equal(again.statusCode, 401);
      assert.match(again.json().detail, /challenge-already-used/);
      assert.equal(again.json().challenge.challenge.length, 115);
    }
  });

  test('64 at once: one is let in', async () => {
    const { askFor, proofFor } = createProxied();
    const proof = await proofFor('call');
    const answers = await Promise.all(Array.from({ length: 64 }, () => askFor('/call', proof)));
    assert.equal(answers.filter(({ statusCode }) => statusCode === 204).length, 1);
  });

  test('that is wrong, junk or for another route is refused with 401, since nginx knows no other', async () => {
    const { askFor, proofFor } = createProxied();
    const { authorization } = await proofFor('call');
    for (const shown of [
      'PoW junk',
      'PoW a:b',
      `${authorization.slice(0, authorization.indexOf(':'))}:0x1`,
      (await proofFor('archive')).authorization,
    ]) {
      const answer = await askFor('/call', { authorization: shown });
      assert.equal(answer.statusCode, 401, shown);
      assert.equal(answer.json().code, 'proof-required');
    }
  });

  test('on an open path is not spent', async () => {
    const { askFor, proofFor } = createProxied();
    const proof = await proofFor('call');
    assert.equal((await askFor('/open', proof)).statusCode, 204);
    assert.equal((await askFor('/call', proof)).statusCode, 204);
  });

  test('is not taken while the store is down; passports go on', async () => {
    let isDown = false;
    const memory = createMemorySpent();
    const spent: Spent = {
      ...memory,
      async spend(...record) {
        if (isDown) throw fault('store-unavailable', 'the store does not answer');
        return memory.spend(...record);
      },
    };
    const { askFor, proofFor, winCookie } = createProxied({ spent });
    const [proof, cookie] = [await proofFor('call'), await winCookie('archive')];
    isDown = true;
    const refused = await askFor('/call', proof);
    assert.equal(refused.statusCode, 503);
    assert.equal(refused.json().code, 'store-unavailable');
    assert.equal((await askFor('/archive/', cookie)).statusCode, 204);
  });
});

test('a policy that gates everything does not gate the endpoint, nor lets junk by', async () => {
  const { askFor, winCookie } = createProxied({
    policy: { defaults: { difficulty_bits: 4 }, routes: [{ id: 'all', paths: ['/*'] }] },
  });
  for (const uri of ['/', '*', '%', '/open', '/pow/auth', 'http://x'])
    assert.equal((await askFor(uri)).statusCode, 401, uri);
  assert.equal((await askFor('/open', await winCookie('all'))).statusCode, 204);
});
