import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyFile } from '../../../server/wire/policy.ts';
import { createTestApp } from '../../test-app.ts';

const OPEN: PolicyFile = { defaults: { difficulty_bits: 1 }, routes: [] };
const asked = (body: object) => ({
  model: 'echo',
  messages: [{ role: 'user', content: 'one two three' }],
  ...body,
});

test('without a configuration the echo is the one model, and answers in both forms', async () => {
  const { request, post } = createTestApp({ policy: OPEN });
  const models = (await request('/v1/models')).json();
  assert.deepEqual([models.data.map(({ id }: { id: string }) => id), models.first_id], [['echo'], 'echo']);
  const completion = (await post('/chat', asked({}))).json();
  assert.equal(completion.choices[0].message.content, 'one two three');
  assert.deepEqual(completion.usage, { prompt_tokens: 3, completion_tokens: 3, total_tokens: 6 });
  const message = (await post('/v1/messages', asked({ max_tokens: 2 }))).json();
  assert.deepEqual(
    [message.content, message.stop_reason],
    [[{ type: 'text', text: 'one two' }], 'max_tokens'],
  );
});

test('the echo streams word by word, and heeds stop sequences', async () => {
  const { post } = createTestApp({ policy: OPEN });
  const { body, headers } = await post('/v1/chat/completions', asked({ stream: true, stop: ['three'] }));
  assert.match(String(headers['content-type']), /^text\/event-stream/);
  const pieces = [...body.matchAll(/"content":"([^"]+)"/g)].map(([, piece]) => piece);
  assert.deepEqual(pieces, ['one', ' two', ' ']);
  assert.match(body, /data: \[DONE\]\n\n$/);
});

test('what was answered is counted by model, and a name that is none is not', async () => {
  const { post, metrics } = createTestApp({ policy: OPEN });
  await post('/chat', asked({}));
  await post('/chat', asked({ model: 'a-name-of-the-client' }));
  const told = await metrics.write();
  assert.match(told, /gatehouse_chat_requests_total\{model="echo",form="openai",outcome="answered"\} 1/);
  assert.match(told, /gatehouse_chat_tokens_total\{model="echo",direction="output"\} 3/);
  assert.doesNotMatch(told, /a-name-of-the-client/);
});
