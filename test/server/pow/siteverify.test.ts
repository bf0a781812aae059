import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createTestApp } from '../../test-app.ts';
import { solve } from '../../test-gate.ts';

const URL = '/pow/siteverify';

/** An app with a Pro key and a visitor who can win passports and proofs. */
async function createSite() {
  const world = createTestApp();
  const { key: secret, keyId } = await world.access.issue({ tier: 'pro', tenant: 'x', routes: [] });
  const proof = async (query = '') => {
    const { challenge } = (await world.request(`/pow/challenge${query}`)).json();
    return `${challenge}:${solve(challenge)}`;
  };
  const passport = async () => {
    const [challenge, answer] = (await proof()).split(':');
    return (await world.post('/pow/passport', { challenge, answer })).json().passport as string;
  };
  const verify = async (body: object) => {
    const answer = await world.post(URL, { secret, ...body });
    return { status: answer.statusCode, headers: answer.headers, ...answer.json() };
  };
  const used = () => world.access.usedThisMonth(keyId, 'verifications');
  return { ...world, secret, keyId, proof, passport, verify, used };
}

describe('a passport', () => {
  test('is worth something again and again, and each time is counted', async () => {
    const { passport, verify, used } = await createSite();
    const response = await passport();
    for (let i = 1; i <= 3; i++) {
      const { status, headers: _, ...body } = await verify({ response });
      assert.deepEqual(
        { status, ...body },
        {
          status: 200,
          success: true,
          challenge_ts: '2026-01-01T00:00:00.000Z',
          difficulty_bits: 4,
          tier: 'public',
          expires_at: '2026-01-01T00:30:00.000Z',
          'error-codes': [],
        },
      );
      assert.equal(await used(), i);
    }
  });

  test('comes as a form, too, and the secret in a header', async () => {
    const { passport, request, secret } = await createSite();
    const answer = await request({
      url: URL,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-api-key': secret },
      payload: new URLSearchParams({ response: await passport(), remoteip: '127.0.0.9' }).toString(),
    });
    assert.equal(answer.json().success, true, answer.body);
    assert.equal(answer.headers['cache-control'], 'no-store');
  });

  test('is held against the address and the route that are named', async () => {
    const { passport, verify } = await createSite();
    const response = await passport();
    const codes = async (body: object) => (await verify({ response, ...body }))['error-codes'];
    assert.deepEqual(await codes({ remoteip: '127.0.0.200' }), []);
    assert.deepEqual(await codes({ remoteip: '127.0.1.1' }), ['network-mismatch']);
    assert.deepEqual(await codes({ route: 'page' }), []);
    assert.deepEqual(await codes({ route: 'steep' }), ['invalid-input-response']);
    assert.deepEqual(await codes({ route: 'call' }), ['invalid-input-response']);
  });

  test('that has expired is told as a timeout', async () => {
    const { passport, verify, clock } = await createSite();
    const response = await passport();
    clock.advanceSecs(1_800);
    const { status, success, 'error-codes': codes } = await verify({ response });
    assert.deepEqual(
      { status, success, codes },
      { status: 200, success: false, codes: ['timeout-or-duplicate'] },
    );
  });
});

describe('a proof', () => {
  test('counts once', async () => {
    const { proof, verify } = await createSite();
    const response = await proof();
    assert.equal((await verify({ response })).success, true);
    assert.deepEqual((await verify({ response }))['error-codes'], ['timeout-or-duplicate']);
  });

  test('of 64 calls at once counts once', async () => {
    const { proof, verify } = await createSite();
    const response = await proof();
    const answers = await Promise.all(Array.from({ length: 64 }, () => verify({ response })));
    assert.equal(answers.filter(({ success }) => success).length, 1);
  });

  test('with an idempotency key gets the same answer for ten minutes, also 64 times at once', async () => {
    const { proof, verify, clock } = await createSite();
    const response = await proof();
    const call = () => verify({ response, idempotency_key: 'order 7' });
    const answers = await Promise.all(Array.from({ length: 64 }, call));
    for (const { headers: _, ...answer } of answers) assert.equal(answer.success, true);
    clock.advanceSecs(599);
    assert.equal((await call()).success, true);
    clock.advanceSecs(1);
    assert.deepEqual((await call())['error-codes'], ['timeout-or-duplicate']);
  });

  test('is not had again by another idempotency key, another key or another response', async () => {
    const { proof, verify, access } = await createSite();
    const response = await proof();
    await verify({ response, idempotency_key: 'a' });
    const duplicate = ['timeout-or-duplicate'];
    assert.deepEqual((await verify({ response, idempotency_key: 'b' }))['error-codes'], duplicate);
    const { key } = await access.issue({ tier: 'pro', tenant: 'y', routes: [] });
    assert.deepEqual(
      (await verify({ secret: key, response, idempotency_key: 'a' }))['error-codes'],
      duplicate,
    );
    assert.equal((await verify({ response: await proof(), idempotency_key: 'a' })).success, true);
  });

  test('that admitted a request or made a passport is a duplicate', async () => {
    const { proof, verify, request } = await createSite();
    const response = await proof();
    assert.equal(
      (await request({ url: '/demo/', headers: { authorization: `PoW ${response}` } })).statusCode,
      200,
    );
    assert.deepEqual((await verify({ response }))['error-codes'], ['timeout-or-duplicate']);
  });
});

describe("the visitor's failures are 200", () => {
  for (const [title, response, code] of [
    ['nothing', '', 'missing-input-response'],
    ['junk', 'junk', 'invalid-input-response'],
    ['junk with a colon', 'a:b', 'invalid-input-response'],
    ['a forged passport', 'A'.repeat(95), 'invalid-input-response'],
    ['a forged challenge', `${'A'.repeat(115)}:1`, 'invalid-input-response'],
  ]) {
    test(`${title}: ${code}`, async () => {
      const { verify } = await createSite();
      const { status, success, 'error-codes': codes } = await verify({ response });
      assert.deepEqual({ status, success, codes }, { status: 200, success: false, codes: [code] });
    });
  }
});

describe("the caller's failures are not", () => {
  for (const [title, body, status, code] of [
    ['no secret', { secret: undefined, response: 'x' }, 400, 'missing-input-secret'],
    ['a wrong secret', { secret: 'gh_x', response: 'x' }, 401, 'invalid-input-secret'],
    ['no address', { response: 'x', remoteip: 'localhost' }, 400, 'bad-request'],
    ['an unknown route', { response: 'x', route: 'nowhere' }, 400, 'bad-request'],
    ['a number', { response: 7 }, 400, 'bad-request'],
    ['an empty idempotency key', { response: 'x', idempotency_key: '' }, 400, 'bad-request'],
  ] as const) {
    test(`${title}: ${code}`, async () => {
      const { verify, used } = await createSite();
      const answer = await verify(body);
      assert.deepEqual([answer.status, answer['error-codes']], [status, [code]]);
      assert.equal(await used(), 0);
    });
  }

  test('a form that gives a member twice, and what is no form', async () => {
    const { request } = createTestApp();
    const send = (type: string, payload: string) =>
      request({ url: URL, method: 'POST', headers: { 'content-type': type }, payload });
    const twice = await send('application/x-www-form-urlencoded', 'secret=a&secret=b');
    assert.deepEqual([twice.statusCode, twice.json()['error-codes']], [400, ['bad-request']]);
    assert.equal((await send('text/plain', 'x')).statusCode, 415);
    assert.equal((await send('application/json', `"${'x'.repeat(17_000)}"`)).statusCode, 413);
  });

  test('a quota that is used up, and a Free key, which has none', async () => {
    const { verify, access } = await createSite();
    const { key } = await access.issue({ tier: 'free', tenant: 'x', routes: [] });
    const answer = await verify({ secret: key, response: 'x' });
    assert.deepEqual([answer.status, answer['error-codes']], [429, ['quota-exceeded']]);
    assert.equal(answer.headers['retry-after'], String(31 * 86_400));
  });
});

test('the test secrets always give their one answer, and count for nobody', async () => {
  const { verify } = await createSite();
  const of = async (digit: number) =>
    verify({ secret: `${digit}x0000000000000000000000000000000AA`, response: 'x' });
  assert.equal((await of(1)).success, true);
  assert.deepEqual((await of(2))['error-codes'], ['invalid-input-response']);
  assert.deepEqual((await of(3))['error-codes'], ['timeout-or-duplicate']);
});
