import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChatError, readAnswer } from '../../../browser/pages/chat-stream.ts';

const event = (data: unknown) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
const says = (content: string | null) => event({ choices: [{ delta: { content } }] });

/** The pieces of an answer whose bytes come cut at every `size`. */
async function read(text: string, size: number): Promise<string[]> {
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size));
      controller.close();
    },
  });
  const pieces: string[] = [];
  for await (const piece of readAnswer(new Response(body))) if (piece !== '') pieces.push(piece);
  return pieces;
}

test('an answer is the same however its bytes are cut', async () => {
  const text = `${says('')}: a comment\n\n${says('Grüezi ')}${says(null)}${says('👋')}${event({ choices: [] })}${event('[DONE]')}`;
  for (const size of [1, 3, 1_000]) assert.deepEqual(await read(text, size), ['Grüezi ', '👋'], `${size}`);
});

test('what comes behind the end is not read', async () => {
  assert.deepEqual(await read(`${says('a')}${event('[DONE]')}${says('b')}`, 1_000), ['a']);
});

test('an error within the stream, and a refusal, are a sentence', async () => {
  const broken = says('a') + event({ error: { message: 'the provider broke off' } });
  await assert.rejects(read(broken, 1_000), new ChatError('The provider broke off.'));
  const refusal = Response.json({ detail: 'model: expected one of echo' }, { status: 404 });
  await assert.rejects(readAnswer(refusal).next(), new ChatError('Model: expected one of echo.'));
  const page = new Response('<h1>Bad gateway</h1>', { status: 502 });
  await assert.rejects(readAnswer(page).next(), new ChatError('The server answered with status 502.'));
});

test('an event that never ends is given up', async () => {
  await assert.rejects(read(`data: ${'x'.repeat(1_100_000)}`, 100_000), ChatError);
});
