import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createTestApp } from '../../test-app.ts';
import { solve } from '../../test-gate.ts';

/** A passport as a visitor wins it. */
async function winPassport({ request, post }: ReturnType<typeof createTestApp>): Promise<string> {
  const { challenge, difficulty_bits: bits } = (await request('/pow/challenge')).json();
  return (await post('/pow/passport', { challenge, answer: solve(challenge, bits) })).json().passport;
}

const send = (
  app: ReturnType<typeof createTestApp>,
  form: Record<string, string>,
  accept = 'application/json',
) =>
  app.request({
    url: '/widget/',
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept },
    payload: new URLSearchParams(form).toString(),
  });

describe('the form of the demo', () => {
  test('is taken with a passport, and tells what siteverify would', async () => {
    const app = createTestApp();
    const response = await winPassport(app);
    const answer = await send(app, { message: 'Hello', 'pow-response': response });
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.json().success, true);
    assert.equal(answer.headers['cache-control'], 'no-store');
    const page = await send(app, { 'pow-response': response }, 'text/html');
    assert.match(page.body, /data-answer="\{&quot;success&quot;:true/);
  });

  test('of another network is not taken', async () => {
    const app = createTestApp();
    const response = await winPassport(app);
    const answer = await app.request({
      url: '/widget/',
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      payload: new URLSearchParams({ 'pow-response': response }).toString(),
      remoteAddress: '203.0.113.9',
    });
    assert.deepEqual(answer.json()['error-codes'], ['network-mismatch']);
  });

  for (const [title, form, code] of [
    ['without one', { message: 'Hello' }, 'missing-input-response'],
    ['with an empty one', { 'pow-response': '' }, 'missing-input-response'],
    ['with junk', { 'pow-response': '<script>' }, 'invalid-input-response'],
    ['with half a proof', { 'pow-response': 'a:b' }, 'invalid-input-response'],
  ] as const) {
    test(`is not taken ${title}`, async () => {
      const answer = await send(createTestApp(), form);
      assert.equal(answer.statusCode, 422);
      assert.deepEqual(answer.json(), { success: false, 'error-codes': [code] });
    });
  }

  for (const [title, status, asked] of [
    ['another type', 415, { headers: { 'content-type': 'text/plain' }, payload: 'x' }],
    [
      'a body too long',
      413,
      { headers: { 'content-type': 'application/json' }, payload: `"${'x'.repeat(20_000)}"` },
    ],
    ['broken JSON', 400, { headers: { 'content-type': 'application/json' }, payload: '{' }],
    [
      'a field twice',
      400,
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: 'a=1&a=2' },
    ],
  ] as const) {
    test(`answers ${status} to ${title}`, async () => {
      const answer = await createTestApp().request({ url: '/widget/', method: 'POST', ...asked });
      assert.equal(answer.statusCode, status);
    });
  }

  for (const payload of ['null', '7', '[]', '{"pow-response": 7}']) {
    test(`is not taken with ${payload}`, async () => {
      const answer = await createTestApp().post('/widget/', payload, { accept: 'application/json' });
      assert.equal(answer.statusCode, 422);
    });
  }

  test('is there in the demo alone', async () => {
    assert.equal((await createTestApp({ isDemo: false }).request('/widget/')).statusCode, 404);
  });
});
