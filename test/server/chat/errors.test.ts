import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { solve } from '../../test-gate.ts';
import { type ChatWorld, KEYS, openChatWorld } from './chat-world.ts';
import { anthropic, google, openAi } from './exchanges.ts';
import { json } from './upstream.ts';

let world: ChatWorld;
before(async () => {
  world = await openChatWorld();
});
after(() => world.close());
beforeEach(() => {
  world.upstream.respond = json(openAi.text);
});

const viaOpenAi = (model: string) =>
  world.openai.chat.completions.create({ model, messages: [{ role: 'user', content: 'Hello?' }] });
const viaAnthropic = (model: string) =>
  world.anthropic.messages.create({ model, max_tokens: 9, messages: [{ role: 'user', content: 'Hello?' }] });

/** What a provider of each form says with this status. */
const complaints = {
  gpt: (status: number, text: string) =>
    json(openAi.error(text, 'some_error', 'some_code'), status, { 'retry-after': '7' }),
  claude: (status: number, text: string) =>
    json(anthropic.error('some_error', text), status, { 'retry-after': '7' }),
  gemini: (status: number, text: string) =>
    json(google.error(status, text, 'SOME'), status, { 'retry-after': '7' }),
};

type Shown = { status: number; message: string; retryAfter: string | null; body: Record<string, unknown> };

/** The error that a client of each form makes of it. */
async function errorOf(form: 'openai' | 'anthropic', model: string): Promise<Shown> {
  const asked: Promise<unknown> = form === 'openai' ? viaOpenAi(model) : viaAnthropic(model);
  const error = await asked.then(
    () => assert.fail('expected an error'),
    (reason) => reason,
  );
  const Kind = form === 'openai' ? OpenAI.APIError : Anthropic.APIError;
  assert.ok(error instanceof Kind, String(error));
  const { status, message, headers, error: body } = error as InstanceType<typeof OpenAI.APIError>;
  return {
    status: Number(status),
    message,
    retryAfter: headers?.get('retry-after') ?? null,
    body: body as Record<string, unknown>,
  };
}

for (const form of ['openai', 'anthropic'] as const) {
  for (const model of ['gpt', 'claude', 'gemini'] as const) {
    describe(`${form}'s client and ${model}`, () => {
      for (const [status, shown, passesMessage, passesRetry] of [
        [400, 400, true, false],
        [429, 429, true, true],
        [401, 502, false, false],
        [403, 502, false, false],
        [404, 502, false, false],
        [500, 502, false, false],
        [503, 503, false, true],
        [529, 503, false, true],
      ] as const) {
        test(`the provider's ${status} is shown as ${shown}`, async () => {
          const words = `max_tokens is too large, and the key is ${KEYS[model === 'gpt' ? 'OPENAI' : model === 'claude' ? 'ANTHROPIC' : 'GOOGLE']}`;
          world.upstream.respond = complaints[model](status, words);
          const visits = world.upstream.visits.length;
          const error = await errorOf(form, model);
          assert.equal(error.status, shown);
          assert.equal(error.message.includes('max_tokens is too large'), passesMessage, error.message);
          assert.equal(error.retryAfter, passesRetry ? '7' : null);
          assert.equal(world.upstream.visits.length, visits + 1, 'asked once, not again and again');
          const told = JSON.stringify([error, world.lines]);
          for (const key of Object.values(KEYS)) assert.ok(!told.includes(key), 'no key in answers and logs');
        });
      }
    });
  }
}

test('each form has its own names for an error, beside the problem', async () => {
  world.upstream.respond = complaints.gpt(429, 'slow down');
  const first = await errorOf('openai', 'gpt');
  // openai's client unwraps the member `error`, anthropic's gives the body.
  assert.deepEqual(first.body, {
    message: 'slow down',
    type: 'rate_limit_error',
    param: null,
    code: 'provider-throttled',
  });
  const second = await errorOf('anthropic', 'gpt');
  assert.deepEqual(
    [second.body.type, second.body.status, second.body.code, second.body.error],
    [
      'error',
      429,
      'provider-throttled',
      { type: 'rate_limit_error', message: 'slow down', code: 'provider-throttled' },
    ],
  );
});

test("the operator finds a refused key in the log, in the provider's words", async () => {
  world.upstream.respond = complaints.gpt(401, 'Incorrect API key provided');
  await errorOf('openai', 'gpt');
  const line = world.lines.at(-2);
  assert.equal(line?.level, 'error');
  assert.match(
    (line?.err as Error | undefined)?.message ?? '',
    /openai answered 401: Incorrect API key provided/,
  );
});

for (const [what, respond] of Object.entries({
  'no JSON': (response: import('node:http').ServerResponse) =>
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
  'a connection that breaks': (response: import('node:http').ServerResponse) => response.destroy(),
})) {
  for (const [form, model] of [
    ['openai', 'gpt'],
    ['openai', 'claude'],
    ['anthropic', 'gpt'],
    ['anthropic', 'claude'],
  ] as const) {
    test(`${what} of ${model} is a 502 for ${form}'s client`, async () => {
      world.upstream.respond = respond;
      assert.equal((await errorOf(form, model)).status, 502);
    });
  }
}

test('a provider on a private address must be allowed, which the error says', async () => {
  const closed = await openChatWorld({ allow: [] });
  for (const model of ['gpt', 'claude']) {
    await assert.rejects(
      closed.openai.chat.completions.create({ model, messages: [{ role: 'user', content: 'Hello?' }] }),
      (error: InstanceType<typeof OpenAI.APIError>) =>
        error.status === 502 && /OUTBOUND_ALLOW/.test(error.message),
    );
  }
  assert.equal(closed.upstream.visits.length, 0);
  await closed.close();
});

describe('before any provider is asked', () => {
  test('the gate says 401 in the words of each client, with the challenge', async () => {
    const openai = await world.unpaid.openai.chat.completions
      .create({ model: 'gpt', messages: [] })
      .catch((error) => error);
    assert.ok(openai instanceof OpenAI.AuthenticationError);
    assert.equal(openai.code, 'proof-required');
    const claude = await world.unpaid.anthropic.messages
      .create({ model: 'claude', max_tokens: 1, messages: [] })
      .catch((error) => error);
    assert.ok(
      claude instanceof Anthropic.AuthenticationError,
      'its X-API-Key is no key of ours, and no fault',
    );
    assert.equal(claude.type, 'authentication_error');
    assert.equal((claude.error as { challenge: { difficulty_bits: number } }).challenge.difficulty_bits, 1);
  });

  test('a key of our own shape that is unknown is a 401 all the same', async () => {
    const answer = await world.post(
      '/v1/messages',
      {},
      { 'x-api-key': 'gh_000000000000_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
    );
    assert.equal(answer.statusCode, 401);
    assert.equal(answer.json().code, 'unknown-key');
    assert.equal(answer.json().type, 'error');
  });

  /** A request that has paid, so that what is wrong with it is what is told. */
  async function paid(path: string, body: unknown, headers: Record<string, string> = {}) {
    const { challenge } = (await world.request('/pow/challenge?route=chat')).json();
    return world.post(path, body, { pow: `${challenge}:${solve(challenge)}`, ...headers });
  }
  const user = (content: unknown) => [{ role: 'user', content }];
  for (const [what, path, body, status, code] of [
    ['no JSON', '/chat', '{', 400, 'malformed-request'],
    ['no model', '/chat', { messages: [] }, 400, 'malformed-request'],
    ['no messages', '/v1/messages', { model: 'claude', max_tokens: 1 }, 400, 'malformed-request'],
    ['an unknown model', '/chat', { model: 'gpt-9', messages: [] }, 404, 'unknown-model'],
    ['a model named __proto__', '/chat', { model: '__proto__', messages: [] }, 404, 'unknown-model'],
    [
      'too much',
      '/chat',
      `{"model":"gpt","messages":[],"x":"${'x'.repeat(10_000_000)}"}`,
      413,
      'body-too-large',
    ],
    [
      'a role that is none',
      '/chat',
      { model: 'claude', messages: [{ role: 'king', content: '' }] },
      400,
      'malformed-request',
    ],
    [
      'an image that is none',
      '/chat',
      { model: 'claude', messages: user([{ type: 'image_url', image_url: { url: 'file:///etc/passwd' } }]) },
      400,
      'malformed-request',
    ],
    [
      'base64 that is none',
      '/chat',
      {
        model: 'claude',
        messages: user([{ type: 'image_url', image_url: { url: 'data:image/png;base64,@@' } }]),
      },
      400,
      'malformed-request',
    ],
    [
      'a result without a call',
      '/chat',
      { model: 'claude', messages: [{ role: 'tool', tool_call_id: 'x', content: '' }] },
      400,
      'malformed-request',
    ],
    [
      'arguments that are no JSON',
      '/chat',
      {
        model: 'claude',
        messages: [
          {
            role: 'assistant',
            tool_calls: [{ id: 'x', type: 'function', function: { name: 'f', arguments: '{' } }],
          },
        ],
      },
      400,
      'malformed-request',
    ],
    [
      'two answers of another form',
      '/chat',
      { model: 'claude', n: 2, messages: user('x') },
      400,
      'malformed-request',
    ],
    [
      'a tool that only Anthropic runs',
      '/v1/messages',
      {
        model: 'gpt',
        max_tokens: 1,
        messages: user('x'),
        tools: [{ type: 'web_search_20250305', name: 'web_search' }],
      },
      400,
      'malformed-request',
    ],
  ] as const) {
    test(`${what}: ${status}`, async () => {
      const visits = world.upstream.visits.length;
      const answer = await paid(path, body);
      assert.equal(answer.statusCode, status, answer.body.slice(0, 300));
      const told = answer.json();
      assert.equal(told.code, code);
      assert.equal(told.error.message, told.detail);
      assert.equal(told.type, path === '/v1/messages' ? 'error' : 'about:blank');
      assert.equal(world.upstream.visits.length, visits);
    });
  }

  test('another media type is 415, and another method 405, in the same shape', async () => {
    const form = await paid('/chat', 'a=b', { 'content-type': 'text/plain' });
    assert.deepEqual([form.statusCode, form.json().error.code], [415, 'unsupported-media-type']);
    const get = await world.request('/v1/messages');
    assert.deepEqual(
      [get.statusCode, get.json().type, get.json().error.code],
      [405, 'error', 'method-not-allowed'],
    );
  });

  test('a proof that is spent is not tried again by the client itself', async () => {
    const { challenge } = (await world.request('/pow/challenge?route=chat')).json();
    const pow = `${challenge}:${solve(challenge)}`;
    const body = { model: 'gpt', messages: user('x') };
    assert.equal((await world.post('/chat', body, { pow })).statusCode, 200);
    world.clock.advanceSecs(11);
    const again = await world.post('/chat', body, { pow });
    assert.deepEqual([again.statusCode, again.headers['x-should-retry']], [409, 'false']);
  });
});
