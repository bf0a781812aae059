import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PROBLEMS, type ProblemCode } from '../../../server/wire/problem.ts';
import { createTestApp, type LogLine } from '../../test-app.ts';
import { solve } from '../../test-gate.ts';

const BROWSER = { 'sec-fetch-dest': 'document', accept: 'text/html,*/*' };

/** The cause that the first error line of a log holds. */
const errorIn = (lines: LogLine[]) => String(lines.find(({ level }) => level === 'error')?.err);

describe('errors', () => {
  test('are problem documents with the id that the log has', async () => {
    const { request, lines } = createTestApp();
    const answer = await request('/nowhere?siteSecret=hidden');
    assert.equal(answer.statusCode, 404);
    assert.equal(answer.headers['content-type'], 'application/problem+json');
    const { request_id: requestId, ...body } = answer.json();
    assert.deepEqual(body, {
      type: 'about:blank',
      title: PROBLEMS['not-found'].title,
      status: 404,
      code: 'not-found',
      detail: 'nothing is at /nowhere',
    });
    assert.equal(answer.headers['x-request-id'], requestId);
    assert.equal(lines[0].request_id, requestId);
    assert.doesNotMatch(JSON.stringify(lines), /hidden/);
  });

  test('leave no secret in the log where a client has put one into the path', async () => {
    const { request, lines } = createTestApp();
    const key = 'gh_0123456789ab_hiddenhiddenhiddenhiddenhiddenhiddenhidden12345';
    for (const path of [
      '/sites/x/pages%3FsiteSecret=hidden',
      '/sites/x/pages%253fsiteSecret%3Dhidden',
      '/sites/x/pages&siteSecret=hidden',
      '/sites/x/pages;sitesecret=hidden/y',
      `/${key}`,
      `/x/${key.toUpperCase()}/y`,
    ]) {
      assert.equal((await request(path)).statusCode, 404, path);
    }
    assert.equal(lines.length, 6);
    assert.doesNotMatch(JSON.stringify(lines), /hidden/i);
    assert.match(JSON.stringify(lines), /"path":"\/sites\/x\/pages"/);
  });

  test('of the server keep their cause for the log', async () => {
    const { request, lines } = createTestApp({
      probe: async () => {
        throw new Error('disk on fire');
      },
    });
    const answer = await request('/readyz');
    assert.equal(answer.statusCode, 503);
    assert.equal(answer.json().code, 'store-unavailable');
    assert.doesNotMatch(answer.body, /fire/);
    assert.match(errorIn(lines), /fire/);
  });

  test('that nobody foresaw are a 500 without a stack', async () => {
    const spent = {
      spend: async () => {
        throw new TypeError('planted');
      },
      purge: async () => 0,
    };
    const { post, gate, lines } = createTestApp({ spent });
    const { challenge } = gate.issue(null);
    const answer = await post('/pow/passport', { challenge, answer: solve(challenge) });
    assert.equal(answer.statusCode, 500);
    assert.equal(answer.json().code, 'internal');
    assert.doesNotMatch(answer.body, /planted|at /);
    assert.match(errorIn(lines), /planted/);
  });

  test('name the methods that a path takes', async () => {
    const { request } = createTestApp();
    for (const [url, method, allow] of [
      ['/pow/challenge', 'POST', 'GET, HEAD'],
      ['/pow/passport', 'GET', 'POST'],
      ['/pow/passport', 'OPTIONS', 'POST'],
      ['/pow/auth', 'POST', 'GET, HEAD'],
      ['/healthz', 'DELETE', 'GET, HEAD'],
    ] as const) {
      const answer = await request({ url, method });
      assert.equal(answer.statusCode, 405, `${method} ${url}`);
      assert.equal(answer.headers.allow, allow);
    }
  });
});

describe('bodies', () => {
  const url = '/pow/passport';
  for (const [title, payload, headers, code] of [
    ['no content type', '{}', {}, 'unsupported-media-type'],
    [
      'a form',
      'challenge=x',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'unsupported-media-type',
    ],
    [
      'a compressed body',
      '{}',
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      'unsupported-media-type',
    ],
    ['nothing', '', { 'content-type': 'application/json' }, 'malformed-request'],
    ['no JSON', '{"challenge":', { 'content-type': 'application/json' }, 'malformed-request'],
    [
      'bad UTF-8',
      Buffer.from([0x22, 0xff, 0x22]),
      { 'content-type': 'application/json' },
      'malformed-request',
    ],
    ['null', 'null', { 'content-type': 'application/json' }, 'malformed-request'],
    ['an array', '[]', { 'content-type': 'application/json' }, 'malformed-request'],
    ['numbers', '{"challenge":1,"answer":2}', { 'content-type': 'application/json' }, 'malformed-request'],
    [
      'nested deeply',
      `${'['.repeat(8_000)}${']'.repeat(8_000)}`,
      { 'content-type': 'application/json' },
      'malformed-request',
    ],
    [
      'junk texts',
      '{"challenge":"x","answer":"y"}',
      { 'content-type': 'application/json' },
      'malformed-challenge',
    ],
    [
      'a prototype',
      '{"__proto__":{"challenge":"x","answer":"1"}}',
      { 'content-type': 'application/json' },
      'malformed-request',
    ],
    [
      '17 kB',
      `{"challenge":"${'x'.repeat(17_000)}"}`,
      { 'content-type': 'application/json' },
      'body-too-large',
    ],
  ] as [string, string | Buffer, Record<string, string>, ProblemCode][]) {
    test(`${title}: ${code}`, async () => {
      const { request } = createTestApp();
      const answer = await request({ url, method: 'POST', payload, headers });
      assert.equal(answer.json().code, code, answer.body);
      assert.equal(answer.statusCode, PROBLEMS[code].status);
    });
  }

  test('say what was expected and what came', async () => {
    const { post } = createTestApp();
    assert.match(
      (await post(url, { challenge: 1 })).json().detail,
      /body\.challenge: .*expected string, received number/,
    );
  });

  test('with a charset are read, and unknown members ignored', async () => {
    const { post } = createTestApp();
    const answer = await post(
      url,
      { challenge: 'x', answer: '1', difficulty_bits: 0 },
      { 'content-type': 'application/json; charset=utf-8' },
    );
    assert.equal(answer.json().code, 'malformed-challenge');
  });
});

describe('request ids', () => {
  test('of a trusted proxy are kept, of a stranger not', async () => {
    const { request } = createTestApp({ trustedProxies: ['127.0.0.1'] });
    const headers = { 'x-request-id': 'of-the-proxy-1' };
    assert.equal((await request({ url: '/healthz', headers })).headers['x-request-id'], 'of-the-proxy-1');
    const stranger = await request({ url: '/healthz', headers, remoteAddress: '203.0.113.1' });
    assert.notEqual(stranger.headers['x-request-id'], 'of-the-proxy-1');
    const injected = await request({ url: '/healthz', headers: { 'x-request-id': 'a b"c' } });
    assert.match(String(injected.headers['x-request-id']), /^[\w-]{16}$/);
  });
});

describe('cross-origin calls', () => {
  const origin = 'https://www.example.org';

  test('any origin may fetch a challenge, without credentials', async () => {
    const { request } = createTestApp();
    const answer = await request({ url: '/pow/challenge', headers: { origin } });
    assert.equal(answer.headers['access-control-allow-origin'], '*');
    assert.equal(answer.headers['access-control-allow-credentials'], undefined);
    assert.match(String(answer.headers['access-control-expose-headers']), /WWW-Authenticate/);
  });

  test('a preflight for the passport is answered', async () => {
    const { request } = createTestApp();
    const headers = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    const answer = await request({ url: '/pow/passport', method: 'OPTIONS', headers });
    assert.equal(answer.statusCode, 204);
    assert.equal(answer.headers['access-control-allow-headers'], 'content-type');
  });

  test('an origin of the list may call with credentials, a gated path included', async () => {
    const { request } = createTestApp({ allowedOrigins: [origin] });
    const answer = await request({ url: '/demo/', headers: { origin } });
    assert.equal(answer.statusCode, 401);
    assert.equal(answer.headers['access-control-allow-origin'], origin);
    assert.equal(answer.headers['access-control-allow-credentials'], 'true');
  });

  test('a gated path is closed to all other origins', async () => {
    const { request } = createTestApp({ allowedOrigins: [origin] });
    for (const other of ['https://evil.example', 'null', `${origin}.evil.example`]) {
      const answer = await request({ url: '/demo/', headers: { origin: other } });
      assert.equal(answer.headers['access-control-allow-origin'], undefined);
      assert.match(String(answer.headers.vary), /Origin/);
    }
  });
});

describe('assets', () => {
  test('keep for good, and only the worker may compile Wasm', async () => {
    const { request } = createTestApp();
    const worker = await request('/pow/assets/worker-worker-abc.js');
    assert.match(String(worker.headers['content-security-policy']), /'wasm-unsafe-eval'/);
    const script = await request('/pow/assets/home-abc.js');
    assert.doesNotMatch(String(script.headers['content-security-policy']), /unsafe/);
    assert.match(String(script.headers['cache-control']), /immutable/);
    assert.equal(script.headers['content-type'], 'text/javascript; charset=utf-8');
    assert.equal((await request('/pow/assets/solver-abc.wasm')).headers['content-type'], 'application/wasm');
  });

  test('come compressed to who takes it, and 304 to who has it', async () => {
    const { request } = createTestApp();
    const url = '/pow/assets/home-abc.js';
    const brotli = await request({ url, headers: { 'accept-encoding': 'gzip, br' } });
    assert.equal(brotli.headers['content-encoding'], 'br');
    const again = await request({ url, headers: { 'if-none-match': String(brotli.headers.etag) } });
    assert.equal(again.statusCode, 304);
    assert.equal(again.body, '');
  });

  for (const url of [
    '/pow/assets/',
    '/pow/assets/../../package.json',
    '/pow/assets/%2e%2e/index.html',
    '/pow/assets/none.js',
  ]) {
    test(`${url} is not found`, async () =>
      assert.equal((await createTestApp().request(url)).statusCode, 404));
  }
});

describe('health', () => {
  test('is alive, and ready until it stops', async () => {
    const { request, appState } = createTestApp();
    assert.equal((await request('/healthz')).statusCode, 200);
    assert.equal((await request('/readyz')).statusCode, 200);
    appState.isStopping = true;
    assert.equal((await request('/readyz')).json().code, 'overloaded');
    assert.equal((await request('/healthz')).statusCode, 200);
  });

  test('is never challenged, whatever the policy says', async () => {
    const { request } = createTestApp({ policy: { routes: [{ id: 'all', paths: ['/*'] }] } });
    for (const url of ['/healthz', '/readyz', '/pow/assets/home-abc.js', '/pow/challenge']) {
      assert.equal((await request(url)).statusCode, 200, url);
    }
    assert.equal((await request('/')).statusCode, 401);
  });
});

describe('pages', () => {
  test('carry a strict policy and no foreign source', async () => {
    const { request } = createTestApp();
    const { headers } = await request({ url: '/', headers: BROWSER });
    assert.match(
      String(headers['content-security-policy']),
      /^default-src 'self'.*require-trusted-types-for 'script'; trusted-types gatehouse$/,
    );
    assert.equal(headers['x-content-type-options'], 'nosniff');
  });

  test('of the demo are there in the demo only', async () => {
    assert.equal((await createTestApp({ isDemo: false }).request('/')).statusCode, 404);
  });
});

test('the OpenAPI document describes every operation with its problems', async () => {
  const { request } = createTestApp();
  const document = (await request('/openapi.json')).json();
  assert.equal(document.openapi, '3.0.3');
  assert.deepEqual(Object.keys(document.paths).sort(), [
    '/bench/results',
    '/chat',
    '/inspect.json',
    '/metrics',
    '/pow/auth',
    '/pow/captcha',
    '/pow/challenge',
    '/pow/passport',
    '/pow/siteverify',
    '/v1/chat/completions',
    '/v1/messages',
    '/v1/models',
    '/whois.json',
  ]);
  const passport = document.paths['/pow/passport'].post;
  assert.deepEqual(passport.requestBody.content['application/json'].schema.required, ['challenge', 'answer']);
  assert.deepEqual(document.paths['/pow/auth'].get.responses[204], { description: 'The request may pass' });
  assert.match(passport.responses[409].description, /challenge-already-used/);
  assert.equal(document.paths['/pow/challenge'].get.parameters[0].name, 'route');
});
