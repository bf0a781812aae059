import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createTestApp } from '../../test-app.ts';

const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'accept-language': 'de',
  'accept-encoding': 'gzip',
};

/** An app whose callers come from the address in X-Forwarded-For. */
const createWorld = () => createTestApp({ trustedProxies: ['127.0.0.1'] });
const from = (ip: string, headers: Record<string, string> = BROWSER) => ({
  'x-forwarded-for': ip,
  ...headers,
});

describe('whois', () => {
  test('tells of the caller where no address is given', async () => {
    const { request } = createWorld();
    const answer = await request({ url: '/whois.json', headers: from('84.1.2.3') });
    assert.equal(answer.statusCode, 200);
    const { dataSources, ...whois } = answer.json();
    assert.deepEqual(whois, {
      ip: '84.1.2.3',
      ipVersion: 4,
      network: '84.1.0.0/16',
      isBogon: false,
      bogonType: null,
      country: 'Germany',
      countryIso: 'DE',
      isEu: true,
      subdivision: 'North Rhine-Westphalia',
      subdivisionIso: null,
      city: 'Bonn',
      latitude: 50.7076,
      longitude: 7.1278,
      timeZone: 'Europe/Berlin',
      isp: 'Deutsche Telekom AG',
      ispId: 3320,
      asn: { number: 3320, org: 'Deutsche Telekom AG', type: null, network: '84.0.0.0/12' },
    });
    assert.equal(dataSources.length, 1);
    assert.equal(answer.headers['cache-control'], 'no-store');
  });

  test('the extended fields come with a Pro or Enterprise key alone', async () => {
    const { request, access } = createWorld();
    const extendedWith = async (tier: 'free' | 'pro' | 'enterprise') => {
      const { key } = await access.issue({ tier, tenant: 'x', routes: [] });
      const url = '/whois.json?queryIP=84.66.6.6';
      return (await request({ url, headers: { 'x-api-key': key } })).json().extended;
    };
    assert.equal((await request('/whois.json?queryIP=84.66.6.6')).json().extended, undefined);
    assert.equal(await extendedWith('free'), undefined);
    const expected = {
      continent: 'EU',
      currency: 'EUR',
      callingCode: '+49',
      postalCode: null,
      geonameIds: { continent: null, country: null, subdivision: null, city: null },
      isHosting: null,
      isVpn: null,
      isTor: true,
      registry: null,
      allocated: null,
    };
    assert.deepEqual(await extendedWith('pro'), expected);
    assert.deepEqual(await extendedWith('enterprise'), expected);
  });

  const BAD = [
    '',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '010.1.1.1',
    '0x7f.0.0.1',
    '2130706433',
    '127.1',
    '1.2.3.4/24',
    '1.2.3.4:80',
    '[::1]',
    '::1%25eth0',
    'fe80::1%251',
    '2001:db8::1/64',
    ':::',
    '::1::',
    '1::2::3',
    'example.org',
    '1.2.3.4%00',
    '%F0%9F%98%80',
    '8.8.8.8&queryIP=1.1.1.1',
    `${'1'.repeat(5000)}`,
  ];
  for (const bad of BAD) {
    test(`${JSON.stringify(bad.slice(0, 40))} is refused with what was expected`, async () => {
      const { request } = createWorld();
      for (const path of ['/whois.json', '/inspect.json']) {
        const answer = await request(`${path}?queryIP=${bad}`);
        assert.equal(answer.statusCode, 400, path);
        assert.equal(answer.json().code, 'malformed-request');
        assert.match(answer.json().detail, /query\.queryIP: expected one IPv4 or IPv6 address/);
      }
    });
  }
});

describe('inspect', () => {
  test('an ordinary visitor is accepted without a reason', async () => {
    const { request } = createWorld();
    const { echo } = (await request({ url: '/inspect.json?a=1', headers: from('84.1.2.3') })).json();
    const { headers, fingerprint, ...rest } = echo;
    assert.deepEqual(rest, {
      method: 'GET',
      httpVersion: '1.1',
      scheme: 'http',
      host: 'localhost:80',
      uri: '/inspect.json?a=1',
      query: { a: '1' },
      ip: '84.1.2.3',
      subject: 'caller',
      fingerprintVersion: 1,
      botLikelihood: 0.1,
      fraud: 0,
      decision: 'accept',
      reasons: [],
    });
    assert.match(fingerprint, /^[0-9a-f]{32}$/);
    assert.equal(headers['accept-language'], 'de');
  });

  test('of another address only the address is judged, not who asks', async () => {
    const { request } = createWorld();
    const curl = { 'user-agent': 'curl/8.5.0' };
    const { echo } = (
      await request({ url: '/inspect.json?queryIP=5.9.1.1', headers: from('84.1.2.3', curl) })
    ).json();
    assert.deepEqual([echo.subject, echo.fingerprint, echo.headers], ['query', null, {}]);
    assert.deepEqual(
      echo.reasons.map(({ code }: { code: string }) => code),
      ['hosting-network'],
    );
    const own = (
      await request({ url: '/inspect.json?queryIP=84.1.2.3', headers: from('84.1.2.3', curl) })
    ).json().echo;
    assert.deepEqual([own.subject, own.reasons[0].code], ['caller', 'declared-bot']);
  });

  test('a back-end has its visitor judged, not itself', async () => {
    const { post } = createWorld();
    const body = {
      queryIP: '84.66.6.6',
      headers: { 'User-Agent': 'python-requests/2.32', Cookie: 'session=topsecret', 'X-List': ['a', 'b'] },
      email: 'someone@mailinator.com',
      admin: true,
    };
    const answer = await post('/inspect.json', body, { authorization: 'Bearer topsecret' });
    assert.equal(answer.statusCode, 200);
    const { echo, whois } = answer.json();
    assert.equal(whois.ip, '84.66.6.6');
    assert.deepEqual(
      echo.reasons.map(({ code }: { code: string }) => code),
      ['tor-exit', 'declared-bot', 'no-accept-language', 'no-accept-encoding', 'email-disposable'],
    );
    assert.deepEqual([echo.subject, echo.fraud, echo.decision], ['visitor', 1, 'captcha']);
    assert.deepEqual(echo.headers, {
      'User-Agent': 'python-requests/2.32',
      Cookie: '[redacted]',
      'X-List': ['a', 'b'],
    });
    assert.doesNotMatch(answer.body, /topsecret|someone/);
  });

  test('no secret of the request comes back in the echo', async () => {
    const { request, access } = createWorld();
    const { key } = await access.issue({ tier: 'pro', tenant: 'x', routes: [] });
    const headers = {
      ...from('84.1.2.3'),
      cookie: 'pow_passport=topsecret',
      authorization: 'Bearer topsecret',
      pow: 'topsecret:1',
      'x-api-key': key,
      'x-auth-token': 'topsecret',
    };
    const answer = await request({ url: '/inspect.json?siteSecret=topsecret&api_key=topsecret', headers });
    assert.equal(answer.statusCode, 200);
    assert.doesNotMatch(answer.body, /topsecret/);
    assert.ok(!answer.body.includes(key));
  });

  test('a body that is none is refused, and nothing is counted as an address', async () => {
    const { post, request } = createWorld();
    const refused = async (body: unknown, status: number, headers = {}) => {
      const answer = await post('/inspect.json', body, headers);
      assert.equal(answer.statusCode, status, `${JSON.stringify(body).slice(0, 80)}: ${answer.body}`);
      assert.equal(answer.headers['content-type'], 'application/problem+json');
    };
    await refused('{', 400);
    await refused('[]', 400);
    await refused('null', 400);
    await refused({ queryIP: 7 }, 400);
    await refused({ queryIP: '1.2.3.4/8' }, 400);
    await refused({ headers: [] }, 400);
    await refused({ headers: { a: 1 } }, 400);
    await refused({ headers: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`h${i}`, ''])) }, 400);
    await refused({ email: 'x'.repeat(321) }, 400);
    await refused({ email: 'x'.repeat(20_000) }, 413);
    await refused('queryIP=1.1.1.1', 415, { 'content-type': 'application/x-www-form-urlencoded' });
    assert.equal((await request({ url: '/inspect.json', method: 'PUT' })).statusCode, 405);
  });

  test('a header named as the prototype is, does no harm', async () => {
    const { post } = createWorld();
    const answer = await post('/inspect.json', '{"headers": {"__proto__": "x", "constructor": "y"}}');
    assert.equal(answer.statusCode, 200);
  });
});

describe('how much one may ask', () => {
  test('an anonymous network is throttled, a key is not', async () => {
    const world = createTestApp({ throttle: { calls: 2, secs: 60 } });
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await world.request('/whois.json')).statusCode);
    assert.deepEqual(statuses, [200, 200, 429]);
    const refused = await world.request('/inspect.json');
    assert.equal(refused.statusCode, 429, 'both look-ups share one throttle');
    assert.ok(Number(refused.headers['retry-after']) >= 1);
    assert.match(String(refused.headers['ratelimit-policy']), /"ip";q=2;w=60/);
    const { key } = await world.access.issue({ tier: 'free', tenant: 'x', routes: [] });
    assert.equal(
      (await world.request({ url: '/whois.json', headers: { 'x-api-key': key } })).statusCode,
      200,
    );
  });

  test('each look-up of a key is counted, and a wrong key is refused', async () => {
    const { request, access } = createWorld();
    const { key, keyId } = await access.issue({ tier: 'free', tenant: 'x', routes: [] });
    for (const url of ['/whois.json', '/inspect.json?queryIP=1.1.1.1']) {
      assert.equal((await request({ url, headers: { 'x-api-key': key } })).statusCode, 200);
    }
    assert.equal(await access.usedThisMonth(keyId, 'ip-lookups'), 2);
    const wrong = await request({ url: '/whois.json', headers: { 'x-api-key': `${key}x` } });
    assert.equal(wrong.statusCode, 401);
  });

  test('any page may ask, without credentials', async () => {
    const { request } = createWorld();
    const answer = await request({ url: '/whois.json', headers: { origin: 'https://elsewhere.example' } });
    assert.equal(answer.headers['access-control-allow-origin'], '*');
    assert.equal(answer.headers['access-control-allow-credentials'], undefined);
  });
});
