import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { Browser } from 'playwright-core';
import { openAi } from '../server/chat/exchanges.ts';
import { eventText, startUpstream, type Upstream } from '../server/chat/upstream.ts';
import { makeFolder } from '../temporary-folder.ts';
import { findSerious } from './accessibility.ts';
import { launchChromium } from './chromium.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const { folder, remove } = makeFolder();
const KEY = 'sk-a-secret-of-the-operator';

let upstream: Upstream;
let server: ServerProcess;
before(async () => {
  upstream = await startUpstream();
  const write = (name: string, content: object) => {
    writeFileSync(join(folder, name), JSON.stringify(content));
    return join(folder, name);
  };
  const models = {
    gpt: { provider: 'openai', baseURL: upstream.url, apiKeyEnv: 'MY_KEY' },
    slow: { provider: 'openai-compatible', baseURL: upstream.url },
  };
  writeFileSync(join(folder, 'key'), `${KEY}\n`);
  server = await startServer({
    GATE_POLICY: write('policy.json', {
      defaults: { difficulty_bits: 8 },
      routes: [
        {
          id: 'chat',
          paths: ['/chat', '/v1/chat/completions', '/v1/messages'],
          methods: ['POST'],
          passport_ttl_secs: 0,
          work: { models: { gpt: 0, slow: 2 } },
        },
        { id: 'demo', paths: ['/demo/*'] },
      ],
    }),
    CHAT_CONFIG: write('chat.json', { models }),
    MY_KEY_FILE: join(folder, 'key'),
    OUTBOUND_ALLOW: '127.0.0.1',
  });
});
after(async () => {
  await server.end('SIGKILL');
  upstream.close();
  remove();
});

const answerText = openAi.textStream.map(eventText).join('');

describe("programs, with the project's own fetch", () => {
  type ProgramFetch = { createGateFetch(): typeof fetch };
  const gateFetch = async () => {
    const built: string = '../../build/program/fetch.js';
    return ((await import(built)) as ProgramFetch).createGateFetch();
  };

  test('the unchanged clients need a base URL and that fetch', async () => {
    upstream.respond = (response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(answerText);
    const fetch = await gateFetch();
    const openai = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', fetch });
    const stream = openai.chat.completions.stream({
      model: 'gpt',
      messages: [{ role: 'user', content: 'Hello?' }],
    });
    assert.equal((await stream.finalChatCompletion()).choices[0]?.message.content, 'Hello, world!');
    const anthropic = new Anthropic({ baseURL: server.url, apiKey: 'none', fetch });
    const asked = { model: 'slow', max_tokens: 9, messages: [{ role: 'user' as const, content: 'Hello?' }] };
    const message = await anthropic.messages.stream(asked).finalMessage();
    assert.equal(message.content[0]?.type === 'text' && message.content[0].text, 'Hello, world!');
    assert.equal(upstream.visits[0]?.headers.authorization, `Bearer ${KEY}`);
    assert.deepEqual(
      (await openai.models.list()).data.map(({ id }) => id),
      ['gpt', 'slow'],
    );
    assert.ok(!server.output().includes(KEY));
  });
});

test('a faulty table of models stops the server, and says all that is wrong', async () => {
  const path = join(folder, 'bad.json');
  writeFileSync(
    path,
    '{"models":{"a":{"provider":"openia"},"b":{"provider":"openai","apiKeyEnv":"NOT_SET"}}}',
  );
  await assert.rejects(
    startServer({ CHAT_CONFIG: path }),
    /has 2 fault\(s\)[\s\S]*CHAT_CONFIG \S+: models\.a[\s\S]*CHAT_CONFIG \S+: models\.b[\s\S]*NOT_SET/,
  );
});

describe('the card on the home page', () => {
  let browser: Browser;
  before(async () => {
    browser = await launchChromium();
  });
  after(() => browser.close());

  test('asks, streams, stops, and says so in words', async () => {
    const page = await browser.newPage();
    const noted: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of (401|400)/.test(message.text()))
        noted.push(message.text());
    });
    const hold = () => {
      const { promise, resolve } = Promise.withResolvers<(list: (object | string)[]) => void>();
      upstream.respond = (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        resolve((list) => void response.write(list.map(eventText).join('')));
      };
      return promise;
    };
    const first = hold();
    await page.goto(server.url);
    const input = page.getByLabel('Your question');
    const status = page.locator('[data-part=chat-status]');
    const state = page.locator('[data-part=chat-state]');
    const last = page.locator('.chat-assistant p').last();
    await page.getByLabel('Model', { exact: true }).selectOption('slow');
    await input.fill('Hello?');
    await input.press('Enter');
    await state.getByText('Waiting for the answer…').waitFor();
    const sayFirst = await first;
    sayFirst(openAi.textStream.slice(0, 3));
    await last.getByText('Hello, world').waitFor();
    assert.equal(await page.locator('#chat').getAttribute('aria-busy'), 'true');
    sayFirst(openAi.textStream.slice(3));
    await status.getByText('Answer: Hello, world!').waitFor();
    assert.equal(await page.locator('#chat').getAttribute('aria-busy'), null);

    const second = hold();
    await input.fill('Again');
    await page.getByRole('button', { name: 'Send' }).click();
    const saySecond = await second;
    const sent = upstream.last().body.messages as { role: string }[];
    assert.deepEqual(
      sent.map(({ role }) => role),
      ['user', 'assistant', 'user'],
    );
    saySecond(openAi.textStream.slice(0, 2));
    await last.getByText('Hello').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await state.getByText('Stopped.').waitFor();

    upstream.respond = (response) =>
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end(JSON.stringify(openAi.error('this model speaks no English', 'invalid_request_error', null)));
    await input.fill('And now?');
    await input.press('Enter');
    await state.getByText('This model speaks no English.').waitFor();
    assert.deepEqual(await findSerious(page), []);
    assert.deepEqual(noted, []);
    await page.close();
  });
});
