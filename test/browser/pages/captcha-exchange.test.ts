import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchangeToken } from '../../../browser/pages/captcha-exchange.ts';
import { CAPTCHA_TEXT } from '../../../browser/pages/captcha-text.ts';
import { captchaOperation } from '../../../server/pow/captcha.ts';

const answering = (status: number, body: string) => async () => new Response(body, { status });
const exchange = (fetch: (path: string, init: RequestInit) => Promise<Response>) =>
  exchangeToken('token', { route: 'page', return_to: '/demo/' }, fetch);

test('a passport opens the way that the server names', async () => {
  const sent: unknown[] = [];
  const opened = await exchange(async (path, init) => {
    sent.push(path, JSON.parse(String(init.body)));
    return new Response('{"passport":"x","ttl_secs":1800,"return_to":"/demo/"}');
  });
  assert.deepEqual(opened, { isOpen: true, ttlSecs: 1800, returnTo: '/demo/' });
  assert.deepEqual(sent, ['/pow/captcha', { response: 'token', route: 'page', return_to: '/demo/' }]);
});

test('what is not known is not sent', async () => {
  let sent = '';
  await exchangeToken('t', { route: null, return_to: null }, async (_, init) => {
    sent = String(init.body);
    return new Response('{}');
  });
  assert.equal(sent, '{"response":"t"}');
});

test('a refusal is final, a busy server is not', async () => {
  const outcome = async (status: number, code: string) => exchange(answering(status, `{"code":"${code}"}`));
  assert.deepEqual(await outcome(403, 'captcha-stale'), {
    isOpen: false,
    code: 'captcha-stale',
    isFinal: true,
  });
  for (const [status, code] of [
    [429, 'throttled'],
    [503, 'captcha-unavailable'],
  ] as const) {
    assert.deepEqual(await outcome(status, code), { isOpen: false, code, isFinal: false });
  }
});

test('no answer, and answers of others, are told as that', async () => {
  const failing = () => Promise.reject(new TypeError('offline'));
  assert.deepEqual(await exchange(failing), { isOpen: false, code: 'unreachable', isFinal: false });
  for (const body of ['<h1>proxy</h1>', 'null', '[]', '{"code":7}']) {
    assert.deepEqual(await exchange(answering(502, body)), {
      isOpen: false,
      code: 'unreachable',
      isFinal: false,
    });
  }
});

test('each refusal that a visitor can meet has a sentence of its own in both languages', () => {
  const met = captchaOperation.problems.filter((code) =>
    /^captcha-|^throttled|^overloaded|^store-/.test(code),
  );
  assert.equal(met.length, 6);
  for (const { failures } of Object.values(CAPTCHA_TEXT)) {
    for (const code of met) assert.ok(Object.hasOwn(failures, code), code);
  }
});
