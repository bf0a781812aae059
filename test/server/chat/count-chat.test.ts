import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countChat } from '../../../server/chat/count-chat.ts';
import { createMetrics } from '../../../server/http/metrics.ts';

test('what a provider tells of tokens is counted where it is a count, and breaks nothing where it is none', async () => {
  const metrics = createMetrics();
  const tell = countChat(metrics);
  for (const output of [-1, Number.NaN, Number.POSITIVE_INFINITY, 1e300, 0.5, 0, undefined]) {
    tell({ model: 'echo', form: 'openai', outcome: 'answered', usage: { input: 2, output } });
  }
  const text = await metrics.write();
  assert.match(text, /^gatehouse_chat_requests_total\{.*\} 7$/m);
  assert.match(text, /^gatehouse_chat_tokens_total\{model="echo",direction="input"\} 14$/m);
  assert.doesNotMatch(text, /direction="output"/);
});
