import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import { PROVIDERS } from '../../../server/pow/core/captcha-providers.ts';
import { createMemorySpent } from '../../../server/store/memory-spent.ts';
import { PROVIDER_NAMES } from '../../../server/wire/captcha.ts';
import { unpackPassport } from '../../../server/wire/envelope.ts';
import { captchaFor, type ProviderStub, SECRET, SITE_KEY, startProvider } from '../../captcha-provider.ts';
import { createTestApp, type TestAppOptions } from '../../test-app.ts';
import { createTestTimer } from '../../test-timer.ts';

const V4 = { remoteAddress: '192.0.2.7' };
let stub: ProviderStub;
let served = 0;

/** An app that asks a stub which holds no memory of earlier tests. */
function appWith(options: TestAppOptions = {}, members: Record<string, unknown> = {}) {
  return createTestApp({ captcha: captchaFor(stub, 'turnstile', members), ...options });
}
const freshToken = () => `good-${served++}`;
const passportIn = (text: string) => unpackPassport(Buffer.from(text, 'base64url'));
const codeOf = (answer: { json(): unknown }) => (answer.json() as { code: string }).code;

before(async () => {
  stub = await startProvider('turnstile');
});
after(() => stub.close());
beforeEach(() => stub.answerWith(null));

for (const name of PROVIDER_NAMES) {
  describe(PROVIDERS[name].title, () => {
    let own: ProviderStub;
    before(async () => {
      own = await startProvider(name);
    });
    after(() => own.close());
    beforeEach(() => own.answerWith(null));
    const app = (members = {}) => createTestApp({ captcha: captchaFor(own, name, members) });

    test('a good token mints a passport that opens the route', async () => {
      const { post, request } = app({ hostname: 'site.example' });
      const token = freshToken();
      const answer = await post('/pow/captcha', { response: token, route: 'page', return_to: '/demo/?a=b' });
      assert.equal(answer.statusCode, 200, answer.payload);
      const { passport, ttl_secs, return_to } = answer.json();
      assert.equal(ttl_secs, 1_800);
      assert.equal(return_to, '/demo/?a=b');
      assert.match(
        String(answer.headers['set-cookie']),
        new RegExp(`^pow_passport=${passport}; Max-Age=1800; Secure; HttpOnly; SameSite=Lax; Path=/$`),
      );
      const inside = await request({
        url: '/demo/',
        headers: { cookie: `pow_passport=${passport}`, accept: 'application/json' },
      });
      assert.equal(inside.json().how, 'passport');
      const { takesSiteKey } = PROVIDERS[name];
      assert.deepEqual(own.asked.at(-1), {
        secret: SECRET,
        response: token,
        sitekey: takesSiteKey ? SITE_KEY : undefined,
      });
    });

    test("the provider's own field of a form is taken", async () => {
      const { request } = app();
      const form = new URLSearchParams({
        [PROVIDERS[name].responseField]: freshToken(),
        return_to: '/demo/?a=b#c',
      });
      const answer = await request({
        url: '/pow/captcha',
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: `${form}`,
      });
      assert.equal(answer.statusCode, 303);
      assert.equal(answer.headers.location, '/demo/?a=b#c');
      assert.match(String(answer.headers['set-cookie']), /^pow_passport=/);
    });

    test('a token is refused where it is forged, and where it was used', async () => {
      const { post } = app();
      const forged = await post('/pow/captcha', { response: 'forged' });
      assert.equal(forged.statusCode, 403);
      assert.equal(codeOf(forged), 'captcha-refused');
      assert.equal(forged.headers['set-cookie'], undefined);
      const token = freshToken();
      await post('/pow/captcha', { response: token });
      const again = await post('/pow/captcha', { response: token });
      assert.equal(again.statusCode, 403);
      assert.equal(codeOf(again), 'captcha-stale');
      assert.equal(again.headers['set-cookie'], undefined);
    });

    test("a wrong secret is the operator's matter, and not told to the visitor or with its value", async () => {
      const { post, lines } = app({ secret: 'not-the-secret' });
      const answer = await post('/pow/captcha', { response: freshToken() });
      assert.equal(answer.statusCode, 503);
      assert.equal(codeOf(answer), 'captcha-unavailable');
      assert.equal(answer.headers['retry-after'], '10');
      assert.doesNotMatch(answer.payload, /secret/i);
      const [line] = lines.filter(({ level }) => level === 'error');
      assert.match(String((line.err as Error).message), /refuses the secret or the site key/);
      assert.doesNotMatch(JSON.stringify(lines) + String((line.err as Error).stack), /not-the-secret/);
    });

    test('a token of another website is refused, and the operator told', async () => {
      const { post, lines } = app({ hostname: 'other.example' });
      const answer = await post('/pow/captcha', { response: freshToken() });
      assert.equal(answer.statusCode, 403);
      assert.equal(codeOf(answer), 'captcha-refused');
      const [line] = lines.filter(({ level }) => level === 'warn');
      assert.deepEqual([line.expected, line.got], ['other.example', 'site.example']);
    });

    test('the page holds the widget, and its policy admits this provider alone', async () => {
      const { request } = app();
      const page = await request('/pow/captcha?route=page&return_to=%2Fdemo%2F%3Fa%3D%22b%22');
      assert.equal(page.statusCode, 200);
      assert.match(page.payload, new RegExp(PROVIDERS[name].widgetClass));
      assert.match(page.payload, new RegExp(SITE_KEY));
      assert.doesNotMatch(page.payload, new RegExp(SECRET));
      const policy = String(page.headers['content-security-policy']);
      for (const other of PROVIDER_NAMES) {
        for (const source of PROVIDERS[other].sources.script) {
          assert.equal(policy.includes(source), other === name, `${source} in ${policy}`);
        }
      }
      assert.doesNotMatch(policy, /unsafe|\*(?!\.)|data:|blob:/);
      assert.match(policy, /frame-ancestors 'self'/);
    });
  });
}

describe('a provider that fails opens nothing', () => {
  const cases: [title: string, answer: (response: ServerResponse) => void][] = [
    ['a 500', (response) => response.writeHead(500).end('{"success":true}')],
    ['success with another status', (response) => response.writeHead(202).end('{"success":true}')],
    ['HTML', (response) => response.end('<h1>ok</h1>')],
    ['nothing', (response) => response.end()],
    ['no boolean', (response) => response.end('{"success":"true"}')],
    ['a list', (response) => response.end('[true]')],
    ['a cut connection', (response) => response.destroy()],
    ['a redirect', (response) => response.writeHead(307, { Location: '/ok' }).end()],
    ['a long body', (response) => response.end(`{"success":true,"x":"${'x'.repeat(70_000)}"}`)],
    [
      'a failure of its own',
      (response) => response.end('{"success":false,"error-codes":["internal-error"]}'),
    ],
    ['an unknown 4xx', (response) => response.writeHead(429).end('{"success":false}')],
  ];
  for (const [title, answerWith] of cases) {
    test(title, async () => {
      const { post, lines } = appWith();
      stub.answerWith(answerWith);
      const answer = await post('/pow/captcha', { response: freshToken() });
      assert.equal(answer.statusCode, 503, answer.payload);
      assert.equal(codeOf(answer), 'captcha-unavailable');
      assert.equal(answer.headers['retry-after'], '10');
      assert.equal(answer.headers['set-cookie'], undefined);
      assert.ok(lines.some(({ level, code }) => level === 'error' && code === 'captcha-unavailable'));
    });
  }

  test('a code that nobody knows is a refusal', async () => {
    const { post } = appWith();
    stub.answerWith((response) => response.end('{"success":false,"error-codes":["toString"]}'));
    assert.equal(codeOf(await post('/pow/captcha', { response: freshToken() })), 'captcha-refused');
  });

  test('no host name where one is configured', async () => {
    const { post } = appWith({}, { hostname: 'site.example' });
    stub.answerWith((response) => response.end('{"success":true}'));
    assert.equal(codeOf(await post('/pow/captcha', { response: freshToken() })), 'captcha-refused');
  });

  test('silence', async () => {
    const timer = createTestTimer();
    const { post } = appWith({ captcha: captchaFor(stub, 'turnstile', {}, ['127.0.0.1'], timer) });
    stub.answerWith(() => timer.fire());
    const answer = await post('/pow/captcha', { response: freshToken() });
    assert.equal(codeOf(answer), 'captcha-unavailable');
    assert.equal(timer.waiting(), 0);
  });

  test('an address that the guard does not let be reached', async () => {
    const { post, lines } = appWith({ captcha: captchaFor(stub, 'turnstile', {}, []) });
    const answer = await post('/pow/captcha', { response: freshToken() });
    assert.equal(codeOf(answer), 'captcha-unavailable');
    const [line] = lines.filter(({ level }) => level === 'error');
    assert.match(String((line.err as Error).message), /not to be reached: loopback/);
  });

  test('more than 64 at a time', async () => {
    const { post } = appWith();
    const waiting: ServerResponse[] = [];
    const { promise: isFull, resolve } = Promise.withResolvers<void>();
    stub.answerWith((response) => {
      waiting.push(response);
      if (waiting.length === 64) resolve();
    });
    const early = Array.from({ length: 64 }, () => post('/pow/captcha', { response: freshToken() }));
    await isFull;
    const late = await post('/pow/captcha', { response: freshToken() });
    assert.equal(late.statusCode, 503);
    assert.equal(codeOf(late), 'overloaded');
    for (const response of waiting) response.end('{"success":true}');
    for (const answer of await Promise.all(early)) assert.equal(answer.statusCode, 200);
  });
});

describe('one token, one passport', () => {
  // A provider that says yes to everything, so that only our own store stands against a second use.
  const yes = (response: ServerResponse) => response.end('{"success":true}');

  test('of 32 at once from 32 networks one is let in', async () => {
    const { request } = appWith({ spent: createMemorySpent() });
    stub.answerWith(yes);
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, i) =>
        request({
          url: '/pow/captcha',
          method: 'POST',
          remoteAddress: `198.51.${i}.1`,
          headers: { 'content-type': 'application/json' },
          payload: '{"response":"good-shared"}',
        }),
      ),
    );
    assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1);
    for (const answer of answers)
      if (answer.statusCode !== 200) assert.equal(codeOf(answer), 'captcha-stale');
  });

  test('a double click gets the same passport, another route another answer', async () => {
    const { post } = appWith();
    stub.answerWith(yes);
    const [one, two] = await Promise.all([
      post('/pow/captcha', { response: 'good-twice', route: 'page' }),
      post('/pow/captcha', { response: 'good-twice', route: 'page' }),
    ]);
    assert.equal(one.statusCode, 200);
    assert.equal(one.json().passport, two.json().passport);
    assert.equal(
      codeOf(await post('/pow/captcha', { response: 'good-twice', route: 'steep' })),
      'captcha-stale',
    );
  });

  for (const secs of [1, 11, 3_600]) {
    test(`not after ${secs} seconds either, whichever hour has begun`, async () => {
      const { post, clock, request } = appWith();
      stub.answerWith(yes);
      clock.advanceSecs(3_599 - (Math.floor(clock.nowMs() / 1000) % 3_600));
      assert.equal((await post('/pow/captcha', { response: 'good-late' })).statusCode, 200);
      clock.advanceSecs(secs);
      const later = await request({
        url: '/pow/captcha',
        method: 'POST',
        remoteAddress: '198.51.100.1',
        headers: { 'content-type': 'application/json' },
        payload: '{"response":"good-late"}',
      });
      assert.equal(codeOf(later), 'captcha-stale');
    });
  }

  test('a refused token spends nothing', async () => {
    const { post } = appWith();
    stub.answerWith((response) => response.writeHead(500).end());
    await post('/pow/captcha', { response: 'good-retried' });
    stub.answerWith(yes);
    assert.equal((await post('/pow/captcha', { response: 'good-retried' })).statusCode, 200);
  });

  test('a store that fails opens nothing', async () => {
    const { post } = appWith({
      spent: { spend: () => Promise.reject(new Error('disk')), purge: async () => 0 },
    });
    stub.answerWith(yes);
    const answer = await post('/pow/captcha', { response: 'good-broken' });
    assert.equal(answer.statusCode, 500);
    assert.equal(answer.headers['set-cookie'], undefined);
  });
});

describe('the passport', () => {
  const mint = async (route: string | undefined, remoteAddress = V4.remoteAddress) => {
    const { request, ...app } = appWith();
    const answer = await request({
      url: '/pow/captcha',
      method: 'POST',
      remoteAddress,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ response: freshToken(), route }),
    });
    return { ...app, request, passport: answer.json().passport as string };
  };

  test('stands for the work of the route that was named, else for the default', async () => {
    assert.equal(passportIn((await mint('steep')).passport).difficultyBits, 8);
    const { passport } = await mint(undefined);
    assert.equal(passportIn(passport).difficultyBits, 4);
    assert.equal(passportIn(passport).tier, 0);
  });

  test('is bound to the network as any other', async () => {
    const { passport, request } = await mint('page');
    const ask = (remoteAddress: string) =>
      request({
        url: '/demo/',
        remoteAddress,
        headers: { cookie: `pow_passport=${passport}`, accept: 'application/json' },
      });
    assert.equal((await ask('192.0.2.200')).statusCode, 200);
    assert.equal(codeOf(await ask('198.51.100.7')), 'passport-network-mismatch');
  });

  test('does not do for a declared bot, which pays more', async () => {
    const { passport, request } = await mint('page');
    const answer = await request({
      url: '/demo/',
      ...V4,
      headers: { cookie: `pow_passport=${passport}`, 'user-agent': 'ExampleBot/1.0' },
    });
    assert.equal(codeOf(answer), 'passport-too-weak');
  });
});

describe('what is asked wrongly', () => {
  const cases: [title: string, body: unknown, status: number, code: string][] = [
    ['no token', {}, 400, 'malformed-request'],
    ['an empty token', { response: '' }, 400, 'malformed-request'],
    ['a token that is no text', { response: 1 }, 400, 'malformed-request'],
    ['a long token', { response: 'x'.repeat(8_193) }, 400, 'malformed-request'],
    ["another provider's field", { 'h-captcha-response': 'good-x' }, 400, 'malformed-request'],
    ['an unknown route', { response: 'good-x', route: 'nowhere' }, 400, 'unknown-route'],
    ['a route in per-request mode', { response: 'good-x', route: 'call' }, 400, 'malformed-request'],
    [
      'a return target elsewhere',
      { response: 'good-x', return_to: '//evil.example/' },
      400,
      'malformed-request',
    ],
    ['a list', [], 400, 'malformed-request'],
    ['no JSON', '{', 400, 'malformed-request'],
    ['a large body', { response: 'x', more: 'x'.repeat(17_000) }, 413, 'body-too-large'],
  ];
  for (const [title, body, status, code] of cases) {
    test(title, async () => {
      const { post } = appWith();
      const before = stub.asked.length;
      const answer = await post('/pow/captcha', body);
      assert.equal(answer.statusCode, status, answer.payload);
      assert.equal(codeOf(answer), code);
      assert.equal(stub.asked.length, before, 'the provider was asked');
    });
  }

  test('another type of body', async () => {
    const { post } = appWith();
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/jsonp']) {
      const answer = await post('/pow/captcha', '{"response":"good-x"}', { 'content-type': type });
      assert.equal(answer.statusCode, 415, type);
    }
  });

  test('a page for what cannot be opened', async () => {
    const { request } = appWith();
    for (const query of [
      'route=nowhere',
      'route=call',
      'return_to=https://evil.example/',
      'return_to=javascript:1',
      'route=a&route=b',
    ]) {
      assert.equal((await request(`/pow/captcha?${query}`)).statusCode, 400, query);
    }
    assert.equal((await request({ url: '/pow/captcha', method: 'DELETE' })).statusCode, 405);
  });

  test('too often', async () => {
    const { post } = appWith({ captchaThrottle: { calls: 2, secs: 60 } });
    for (let i = 0; i < 2; i++) await post('/pow/captcha', { response: 'forged' });
    const answer = await post('/pow/captcha', { response: freshToken() });
    assert.equal(answer.statusCode, 429);
    assert.ok(answer.headers['retry-after']);
  });

  test('where no service is configured', async () => {
    const { post, request } = createTestApp();
    assert.equal((await request('/pow/captcha')).statusCode, 404);
    const answer = await post('/pow/captcha', { response: 'good-x' });
    assert.equal(answer.statusCode, 404);
    assert.equal(codeOf(answer), 'not-found');
  });

  test('a policy that gates everything does not gate the page', async () => {
    const { request } = appWith({ policy: { routes: [{ id: 'all', paths: ['/*'] }] } });
    assert.equal((await request('/pow/captcha')).statusCode, 200);
  });
});

describe('the offer to the verifying page', () => {
  const held = async (url: string, options: TestAppOptions = {}, asked: Record<string, unknown> = {}) => {
    const { request } = appWith(options);
    const page = await request({ url, headers: { accept: 'text/html' }, ...asked });
    const [, json] = /data-gate="([^"]*)"/.exec(page.payload) ?? [];
    const data = JSON.parse(json.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
    return { link: data.captcha as string | null, payload: page.payload };
  };

  test('leads back to where the visitor was', async () => {
    const { link, payload } = await held('/demo/?a=%22b%22&c=__GATE__');
    assert.equal(
      link,
      `/pow/captcha?route=page&return_to=${encodeURIComponent('/demo/?a=%22b%22&c=__GATE__')}`,
    );
    const { request } = appWith();
    assert.equal((await request(String(link))).statusCode, 200);
    assert.match(payload, /<a href="\/pow\/captcha\?route=page&amp;return_to=/);
  });

  test('is not made where it would open nothing', async () => {
    assert.equal((await held('/call')).link, null);
    assert.equal((await held('/demo/', { captcha: undefined as never })).link, null);
    const bot = { headers: { accept: 'text/html', 'user-agent': 'ExampleBot/1.0' } };
    assert.equal((await held('/demo/', {}, bot)).link, null);
  });

  test('leads back to what a proxy tells of', async () => {
    const headers = { accept: 'text/html', 'x-original-uri': '/demo/?q=1', 'x-original-method': 'GET' };
    const told = { remoteAddress: '127.0.0.1', headers };
    const { link } = await held('/pow/auth', { trustedProxies: ['127.0.0.1'] }, told);
    assert.equal(link, `/pow/captcha?route=page&return_to=${encodeURIComponent('/demo/?q=1')}`);
    assert.equal((await held('/pow/auth', {}, told)).link, '/pow/captcha');
  });

  test('does not lead back to where a form was posted', async () => {
    const { link } = await held('/demo/', {}, { method: 'POST' });
    assert.equal(link, '/pow/captcha?route=page');
  });
});

test('all pages but the one with the CAPTCHA keep the policy that admits nobody', async () => {
  const { request } = appWith();
  const policies = await Promise.all(
    ['/', '/demo/', '/steep', '/pow/captcha'].map(async (url) => {
      const page = await request({ url, headers: { accept: 'text/html' } });
      return String(page.headers['content-security-policy']);
    }),
  );
  const captcha = policies.pop();
  assert.match(String(captcha), /challenges\.cloudflare\.com/);
  for (const policy of policies) {
    assert.doesNotMatch(policy, /https?:/);
    assert.match(policy, /require-trusted-types-for 'script'; trusted-types gatehouse$/);
  }
});
