import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { type ChatWorld, openChatWorld } from './chat-world.ts';
import { anthropic, openAi } from './exchanges.ts';
import { eventText, type Upstream } from './upstream.ts';

// What happens while an answer is on its way. The upstream is held by hand, so nothing here waits for a clock.

let world: ChatWorld;
before(async () => {
  world = await openChatWorld();
});
after(() => world.close());

/** The next answer of the upstream, to be written event by event. */
function hold(upstream: Upstream): Promise<ServerResponse> {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>();
  upstream.respond = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    resolve(response);
  };
  return promise;
}

type Begin = { list: readonly (object | string)[]; first: RegExp };
const begins: Record<'gpt' | 'claude', Begin> = {
  gpt: { list: openAi.textStream.slice(0, 2), first: /Hello/ },
  claude: { list: anthropic.textStream.slice(0, 4), first: /Hello/ },
};

const pairs = (['/v1/chat/completions', '/v1/messages'] as const).flatMap((path) =>
  (['gpt', 'claude'] as const).map((model) => ({ path, model, name: `${path} and ${model}` })),
);

const ask = (path: string, model: string, signal?: AbortSignal) =>
  world.payingFetch(`${world.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      max_tokens: 99,
      stream: true,
      messages: [{ role: 'user', content: 'Hello?' }],
    }),
    ...(signal && { signal }),
  });

/** Reads until the text so far matches. */
async function readUntil(reader: ReadableStreamDefaultReader<Uint8Array>, pattern: RegExp): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  while (!pattern.test(text)) {
    const { done, value } = await reader.read();
    if (done) assert.fail(`ended before ${pattern}: ${text}`);
    text += decoder.decode(value, { stream: true });
  }
  return text;
}

for (const { path, model, name } of pairs) {
  describe(name, () => {
    const { list, first } = begins[model];

    test('the first token passes while the provider is still at work', async () => {
      const held = hold(world.upstream);
      const asking = ask(path, model);
      const upstream = await held;
      for (const event of list) upstream.write(eventText(event));
      const answer = await asking;
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
      await readUntil(reader, first);
      assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/);
      const rest = model === 'gpt' ? openAi.textStream.slice(2) : anthropic.textStream.slice(4);
      for (const event of rest) upstream.write(eventText(event));
      upstream.end();
      await readUntil(reader, path === '/v1/messages' ? /message_stop/ : /\[DONE\]/);
      assert.equal((await reader.read()).done, true);
    });

    test('a client that goes stops the provider', async () => {
      const held = hold(world.upstream);
      const leaving = new AbortController();
      const asking = ask(path, model, leaving.signal);
      const upstream = await held;
      for (const event of list) upstream.write(eventText(event));
      const reader = ((await asking).body as ReadableStream<Uint8Array>).getReader();
      await readUntil(reader, first);
      const closed = once(upstream, 'close');
      leaving.abort();
      await closed;
      assert.equal(upstream.writableFinished, false);
    });

    test('a client that goes before the first token stops the provider, too', async () => {
      const held = hold(world.upstream);
      const leaving = new AbortController();
      const asking = assert.rejects(ask(path, model, leaving.signal));
      const upstream = await held;
      const closed = once(upstream, 'close');
      leaving.abort();
      await Promise.all([asking, closed]);
    });

    for (const [how, end] of Object.entries({
      'a connection that breaks': (upstream: ServerResponse) => upstream.destroy(),
      'half an event': (upstream: ServerResponse) => upstream.end('data: {"id":"chatcmpl-1","cho'),
      'an end without a reason': (upstream: ServerResponse) => upstream.end(),
    })) {
      test(`${how} ends the stream with the error of the form`, async () => {
        const held = hold(world.upstream);
        const asking = ask(path, model);
        const upstream = await held;
        for (const event of list) upstream.write(eventText(event));
        const answer = await asking;
        const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
        let text = await readUntil(reader, first);
        end(upstream);
        const decoder = new TextDecoder();
        for (let part = await reader.read(); !part.done; part = await reader.read())
          text += decoder.decode(part.value);
        const events = text.trim().split('\n\n');
        const data = events
          .map((event) => event.slice(event.indexOf('data: ') + 6))
          .map((json) => JSON.parse(json));
        const last = data.at(-1);
        assert.equal(last.error.code, 'provider-failed');
        assert.equal(data.filter(({ error }) => error).length, 1);
        if (path === '/v1/messages') {
          assert.equal(last.type, 'error');
          assert.match(events.at(-1) ?? '', /^event: error\n/);
        }
        assert.doesNotMatch(text, /\[DONE\]|message_stop/);
      });
    }
  });
}

describe('what is piped', () => {
  test('arrives byte for byte, however the provider cuts it', async () => {
    const text = openAi.textStream.map(eventText).join('').replace('Hello', 'Grüezi 👋');
    const bytes = Buffer.from(text);
    for (const size of [1, 7, 64, bytes.length]) {
      world.upstream.respond = (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size));
        response.end();
      };
      const answer = await ask('/v1/chat/completions', 'gpt');
      assert.equal(await answer.text(), text, `pieces of ${size}`);
    }
  });

  test('may end without [DONE] and without the last empty line, as some servers do', async () => {
    world.upstream.respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        `${openAi.textStream.slice(0, 4).map(eventText).join('')}data: ${JSON.stringify(openAi.textStream[4])}`,
      );
    };
    const text = await (await ask('/chat', 'gpt')).text();
    assert.match(text, /"finish_reason":"stop"/);
    assert.doesNotMatch(text, /"error"/);
  });

  test('is not over because the model speaks of it', async () => {
    const { chunk } = openAi;
    world.upstream.respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(
        eventText(chunk({ content: 'It ends with data: [DONE] or "finish_reason":"stop", "error":{}' })),
      );
      response.end();
    };
    assert.match(await (await ask('/chat', 'gpt')).text(), /provider-failed/);
  });

  test("holds the provider's own error, once", async () => {
    world.upstream.respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        eventText(anthropic.messageStart) + eventText(anthropic.error('overloaded_error', 'Overloaded')),
      );
    };
    const text = await (await ask('/v1/messages', 'claude')).text();
    assert.equal(text.match(/event: error/g)?.length, 1);
    assert.match(text, /Overloaded/);
  });
});

for (const { path, model, name } of pairs) {
  test(`a client that does not read slows the provider: ${name}`, async () => {
    const held = hold(world.upstream);
    const asking = ask(path, model);
    const upstream = await held;
    for (const event of begins[model].list) upstream.write(eventText(event));
    const answer = await asking;
    const filler = 'x'.repeat(100_000);
    const more = eventText(
      model === 'gpt'
        ? openAi.chunk({ content: filler })
        : { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: filler } },
    );
    // Far more than sockets on the way hold. Each step lets all that is on the way go on, as far as it can.
    let written = 0;
    for (let stalls = 0; stalls < 50; ) {
      if (upstream.writableLength < 1_000_000 && written < 200_000_000) {
        upstream.write(more);
        written += more.length;
        stalls = 0;
      } else stalls++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.ok(written < 100_000_000, `the provider could send ${written} bytes to nobody`);
    await answer.body?.cancel();
  });
}
