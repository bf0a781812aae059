import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deviceResult } from '../../device-result.ts';
import { createTestApp, type TestAppOptions } from '../../test-app.ts';
import { START_SECS, solve } from '../../test-gate.ts';

/** An app, and what submits to it with a proof of its own each time. */
function open(options: TestAppOptions = {}) {
  const app = createTestApp(options);
  async function proof(query = ''): Promise<string> {
    const { challenge } = (await app.request(`/pow/challenge${query}`)).json();
    return `${challenge}:${solve(challenge)}`;
  }
  const submit = async (body: unknown, headers: Record<string, string> = {}) =>
    app.post('/bench/results', body, { pow: await proof(), ...headers });
  const summary = async () => (await app.request('/bench/results')).json();
  return { ...app, proof, submit, summary };
}

describe('a submitted device', () => {
  test('is kept with its day and nothing else, and told only among five', async () => {
    const { submit, summary, clock } = open();
    for (let i = 1; i <= 5; i++) {
      assert.deepEqual(await summary(), {
        devices: i - 1,
        least_devices: 5,
        whole: null,
        kernels: { simd: null, scalar: null, javascript: null },
        systems: [],
      });
      const answer = await submit(deviceResult(i * 1_000_000));
      assert.equal(answer.statusCode, 201);
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.deepEqual(answer.json(), { kept_until: '2027-01-01' });
    }
    const told = await summary();
    assert.equal(told.whole.devices, 5);
    assert.equal(told.whole.percentiles[9], 3_000_000);
    assert.equal(told.kernels.scalar.percentiles[9], 600_000);
    assert.deepEqual(told.systems, [{ system: 'android', devices: 5, median: 3_000_000 }]);
    clock.advanceSecs(1);
  });

  test('is rounded to three digits, and members that nobody asked for are dropped', async () => {
    const { submit, summary } = open();
    for (let i = 0; i < 5; i++) {
      const answer = await submit({
        ...deviceResult(12_345_678),
        ip: '192.0.2.1',
        __proto__: { admin: true },
        browser: { family: 'safari', major: null, userAgent: 'Mozilla/5.0' },
      });
      assert.equal(answer.statusCode, 201);
    }
    const text = JSON.stringify(await summary());
    assert.match(text, /12300000/);
    assert.doesNotMatch(text, /192\.0\.2|Mozilla|admin|safari/);
  });

  test('is gone after a year', async () => {
    const { submit, summary, clock, purgeDevices } = open();
    await submit(deviceResult());
    clock.advanceSecs(364 * 86_400);
    assert.equal(await purgeDevices(), 0);
    assert.equal((await summary()).devices, 1);
    clock.advanceSecs(86_400);
    assert.equal(new Date(clock.nowMs()).toISOString().slice(0, 10), '2027-01-01');
    assert.equal(await purgeDevices(), 1);
    clock.advanceSecs(10);
    assert.equal((await summary()).devices, 0);
    assert.ok(clock.nowMs() / 1000 > START_SECS);
  });
});

describe('a submission pays', () => {
  test('with a proof of its own: none, a passport and a spent one are refused, and nothing is kept', async () => {
    const { post, request, submit, summary, proof } = open();
    const bare = await post('/bench/results', deviceResult());
    assert.equal(bare.statusCode, 401);
    assert.equal(bare.json().code, 'proof-required');
    assert.match(String(bare.headers['www-authenticate']), /^PoW realm="\*", difficulty=4, mode="request"$/);

    const { challenge } = (await request('/pow/challenge')).json();
    const { passport } = (await post('/pow/passport', { challenge, answer: solve(challenge) })).json();
    const byPassport = await post('/bench/results', deviceResult(), { cookie: `pow_passport=${passport}` });
    assert.equal(byPassport.json().code, 'proof-required');

    const pow = await proof();
    assert.equal((await submit(deviceResult(), { pow })).statusCode, 201);
    assert.equal((await submit(deviceResult(), { pow })).json().code, 'challenge-already-used');
    assert.equal((await summary()).devices, 1);
  });

  test('with the challenge of the refusal, too', async () => {
    const { post, submit } = open();
    const { challenge } = (await post('/bench/results', deviceResult())).json().challenge;
    assert.equal((await submit(deviceResult(), { pow: `${challenge}:${solve(challenge)}` })).statusCode, 201);
  });

  test('not with a proof for some cheap route, a wrong answer or junk', async () => {
    const policy = {
      defaults: { difficulty_bits: 4 },
      routes: [{ id: 'cheap', paths: ['/c'], difficulty_bits: 1 }],
    };
    const { submit, proof, request } = open({ policy });
    assert.equal(
      (await submit(deviceResult(), { pow: await proof('?route=cheap') })).json().code,
      'route-mismatch',
    );
    const { challenge } = (await request('/pow/challenge')).json();
    const wrong = `${challenge}:${solve(challenge, { isRight: false })}`;
    assert.equal((await submit(deviceResult(), { pow: wrong })).json().code, 'insufficient-work');
    for (const pow of ['x', 'a:b', `${'A'.repeat(115)}:0`, ':', '1e308:1e308']) {
      const { statusCode } = await submit(deviceResult(), { pow });
      assert.ok(statusCode >= 400 && statusCode < 404, `${pow}: ${statusCode}`);
    }
  });

  test('only when it is well-formed: a refused body spends no proof', async () => {
    const { submit, proof } = open();
    const pow = await proof();
    assert.equal((await submit({ ...deviceResult(), cores: 0 }, { pow })).statusCode, 400);
    assert.equal((await submit(deviceResult(), { pow })).statusCode, 201);
  });
});

describe('a flood is bounded', () => {
  test('by the rate of one network, which junk without a proof does not use up', async () => {
    const { submit, post, summary } = open({ devicesRate: { calls: 2, secs: 3_600 } });
    for (let i = 0; i < 5; i++) assert.equal((await post('/bench/results', deviceResult())).statusCode, 401);
    const codes = [];
    for (let i = 0; i < 4; i++) codes.push((await submit(deviceResult())).statusCode);
    assert.deepEqual(codes, [201, 201, 429, 429]);
    assert.ok(Number((await submit(deviceResult())).headers['retry-after']) > 0);
    assert.equal((await summary()).devices, 2);
  });

  test('by the number of rows', async () => {
    const { submit, summary } = open({ mostDevices: 3 });
    for (let i = 0; i < 7; i++) await submit(deviceResult());
    assert.equal((await summary()).devices, 3);
  });
});

describe('a hostile submission gets 400 and leaves nothing', () => {
  const good = deviceResult();
  const kernels = (simd: unknown) => ({ ...good, kernels: { ...good.kernels, simd } });
  const steps = (...workers: unknown[]) => ({ ...good, workers });
  const hostile: [string, unknown][] = [
    ['null', null],
    ['an array', [good]],
    ['a text', '"fast"'],
    ['nothing', {}],
    ['a rate beyond physics', kernels(100_000_001)],
    ['a rate of 1e308', kernels(1e308)],
    ['a rate that JSON reads as infinite', JSON.stringify(kernels(7)).replace(':7', ':1e999')],
    ['NaN, which JSON does not have', JSON.stringify(kernels(7)).replace(':7', ':NaN')],
    ['a negative rate', kernels(-1)],
    ['a rate of nothing', kernels(0)],
    ['a rate as text', kernels('5000000')],
    ['a rate as array', kernels([5_000_000])],
    ['no kernel that runs', { ...good, kernels: { simd: null, scalar: null, javascript: null } }],
    ['no workers', steps()],
    ['two workers first', steps({ workers: 2, rate: 1e7 })],
    [
      'workers that fall',
      steps({ workers: 1, rate: 5e6 }, { workers: 3, rate: 1e7 }, { workers: 2, rate: 1e7 }),
    ],
    ['workers twice', steps({ workers: 1, rate: 5e6 }, { workers: 1, rate: 5e6 })],
    ['half a worker', steps({ workers: 1, rate: 5e6 }, { workers: 1.5, rate: 5e6 })],
    ['more workers than cores', steps({ workers: 1, rate: 5e6 }, { workers: 9, rate: 1e7 })],
    ['more than its workers can make', steps({ workers: 1, rate: 5e6 }, { workers: 2, rate: 1e9 })],
    ['a thousand entries', steps(...Array.from({ length: 1_000 }, () => 0))],
    ['cores of 1e9', { ...good, cores: 1e9 }],
    ['cores by halves', { ...good, cores: 1.5 }],
    ['memory that no browser says', { ...good, memory_gb: 3 }],
    ['an unknown browser', { ...good, browser: { family: 'Mozilla/5.0 (X11)', major: 1 } }],
    ['a version of text', { ...good, browser: { family: 'firefox', major: '145' } }],
    ['an unknown system', { ...good, system: '__proto__' }],
    ['depth', `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
    ['depth in a member', `{"workers":${'{"a":'.repeat(2_000)}0${'}'.repeat(2_000)}}`],
    ['no JSON', '{"browser":'],
  ];
  for (const [title, body] of hostile) {
    test(title, async () => {
      const { submit, summary } = open();
      const answer = await submit(body);
      assert.equal(answer.statusCode, 400, answer.body);
      assert.equal(answer.json().code, 'malformed-request');
      assert.equal((await summary()).devices, 0);
    });
  }

  test('as do more than 16 kB with 413, and another type with 415', async () => {
    const { submit } = open();
    assert.equal((await submit({ ...good, junk: 'x'.repeat(16_384) })).statusCode, 413);
    assert.equal((await submit(good, { 'content-type': 'text/plain' })).statusCode, 415);
  });
});

describe('the page', () => {
  test('tells the price of this server, under the policy of every page', async () => {
    const { request } = open();
    const answer = await request('/bench');
    assert.equal(answer.statusCode, 200);
    assert.match(answer.body, /data-bits="4"/);
    assert.match(String(answer.headers['content-security-policy']), /^default-src 'self'/);
  });

  test('and all behind it is not there where the operator does not want it', async () => {
    const { request, submit } = open({ isBench: false });
    assert.equal((await request('/bench')).statusCode, 404);
    assert.equal((await request('/bench/results')).statusCode, 404);
    assert.equal((await submit(deviceResult())).statusCode, 404);
    assert.ok(!('/bench/results' in (await request('/openapi.json')).json().paths));
  });

  test('takes no other methods, and no other origin', async () => {
    const { request } = open();
    assert.equal((await request({ url: '/bench/results', method: 'DELETE' })).statusCode, 405);
    const { headers } = await request({ url: '/bench/results', headers: { origin: 'https://else.example' } });
    assert.equal(headers['access-control-allow-origin'], undefined);
  });
});
