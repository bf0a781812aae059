import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PolicyFile } from '../../../server/wire/policy.ts';
import { createTestApp } from '../../test-app.ts';
import { solve } from '../../test-gate.ts';

// The price that follows the work: known before the visit is judged, so that challenge and admission agree.

const work = { models: { echo: 0, big: 4, '*': 2 }, output_tokens: [{ above: 100, bits: 2 }] };
const POLICY: PolicyFile = {
  defaults: { difficulty_bits: 2 },
  routes: [
    {
      id: 'chat',
      paths: ['/chat', '/v1/messages'],
      passport_ttl_secs: 0,
      work,
      exempt: { user_agents: ['friend'] },
    },
  ],
};
const ask = (model: string, max_tokens?: number) => ({
  model,
  max_tokens,
  messages: [{ role: 'user', content: 'hi' }],
});
const open = () => createTestApp({ policy: POLICY });

test('the challenge of the refusal has the bits of this request, and admits it', async () => {
  const { post } = open();
  for (const [body, bits] of [
    [ask('echo', 100), 2],
    [ask('echo', 101), 4],
    [ask('echo'), 4],
    [ask('big', 1), 6],
    [ask('other', 1), 4],
  ] as const) {
    const refused = await post('/chat', body);
    assert.equal(refused.statusCode, 401);
    const { challenge } = refused.json();
    assert.equal(challenge.difficulty_bits, bits, JSON.stringify(body));
    assert.match(String(refused.headers['www-authenticate']), new RegExp(`difficulty=${bits}`));
    const proof = `${challenge.challenge}:${solve(challenge.challenge)}`;
    const answer = await post('/chat', body, { pow: proof });
    assert.equal(answer.statusCode, body.model === 'echo' ? 200 : 404, answer.body);
  }
});

test('a proof for a cheap request does not pay for a dear one, and is not spent by trying', async () => {
  const { post } = open();
  const { challenge } = (await post('/chat', ask('echo', 1))).json().challenge;
  const pow = `${challenge}:${solve(challenge)}`;
  const dear = await post('/chat', ask('big', 1), { pow });
  assert.deepEqual([dear.statusCode, dear.json().code], [403, 'insufficient-work']);
  const long = await post('/chat', ask('echo'), { pow });
  assert.deepEqual([long.statusCode, long.json().code], [403, 'insufficient-work']);
  assert.equal((await post('/chat', ask('echo', 1), { pow })).statusCode, 200);
});

test('of two members of one name the gate and the model read the same', async () => {
  const { post } = open();
  const twice = '{"model":"echo","model":"big","max_tokens":1,"messages":[]}';
  assert.equal((await post('/chat', twice)).json().challenge.difficulty_bits, 6);
});

describe('a body that cannot be read', () => {
  for (const [what, body, headers, status] of [
    ['no JSON', '{"model":', {}, 400],
    ['another media type', 'model=echo', { 'content-type': 'text/plain' }, 415],
    ['too long', `{"model":"echo","x":"${'x'.repeat(10_000_000)}"}`, {}, 413],
  ] as const) {
    test(`is refused before anything is judged: ${what}`, async () => {
      assert.equal((await open().post('/chat', body, headers)).statusCode, status);
    });
  }

  test('is no way in: a request without one is asked the highest price', async () => {
    const { request } = open();
    const refused = await request({ url: '/chat', method: 'GET' });
    assert.deepEqual([refused.statusCode, refused.json().challenge.difficulty_bits], [401, 8]);
  });
});

test('who is exempt pays nothing, whatever the body', async () => {
  const { post } = open();
  const answer = await post('/chat', ask('echo'), { 'user-agent': 'a friend of ours' });
  assert.equal(answer.statusCode, 200);
});

test('a proxy that holds the body asks the highest price', async () => {
  const { request } = createTestApp({ policy: POLICY, trustedProxies: ['127.0.0.1'] });
  const refused = await request({
    url: '/pow/auth',
    headers: { 'x-original-uri': '/chat', 'x-original-method': 'POST' },
  });
  assert.deepEqual([refused.statusCode, refused.json().challenge.difficulty_bits], [401, 8]);
});
