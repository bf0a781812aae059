import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';
import { type ChatWorld, KEYS, openChatWorld } from './chat-world.ts';
import { anthropic, google, openAi } from './exchanges.ts';
import { events, json } from './upstream.ts';

// The unchanged clients of both forms, against providers of both: two pairs are piped and two translated.

let world: ChatWorld;
before(async () => {
  world = await openChatWorld();
});
after(() => world.close());

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const openAiAsks = (model: string): OpenAI.ChatCompletionCreateParamsNonStreaming => ({
  model,
  messages: [
    { role: 'system', content: 'Be short.' },
    { role: 'user', content: 'Hello?' },
  ],
  max_tokens: 100,
  temperature: 0.5,
  stop: ['END'],
});
const anthropicAsks = (
  model: string,
  // Older models take it, and the client sends it on, though its types have it no more.
): Anthropic.MessageCreateParamsNonStreaming & { temperature: number } => ({
  model,
  system: 'Be short.',
  messages: [{ role: 'user', content: 'Hello?' }],
  max_tokens: 100,
  temperature: 0.5,
  stop_sequences: ['END'],
});

const answers = {
  gpt: openAi,
  claude: anthropic,
  gemini: { ...google, cut: google.text, toolsStream: [google.tools] },
} as const;
const PROVIDERS = ['gpt', 'claude'] as const;

for (const model of PROVIDERS) {
  describe(`openai's client and ${model}`, () => {
    test('text', async () => {
      world.upstream.respond = json(answers[model].text);
      const answer = await world.openai.chat.completions.create(openAiAsks(model));
      const [choice] = answer.choices;
      assert.equal(choice?.message.content, 'Hello, world!');
      assert.equal(choice?.message.tool_calls, undefined);
      assert.equal(choice?.finish_reason, 'stop');
      assert.deepEqual(
        [answer.usage?.prompt_tokens, answer.usage?.completion_tokens],
        model === 'gpt' ? [19, 10] : [30, 15],
      );
    });

    test('text that streams', async () => {
      world.upstream.respond = events(...answers[model].textStream);
      const stream = world.openai.chat.completions.stream({
        ...openAiAsks(model),
        stream: true,
        stream_options: { include_usage: true },
      });
      const answer = await stream.finalChatCompletion();
      assert.equal(answer.choices[0]?.message.content, 'Hello, world!');
      assert.equal(answer.choices[0]?.finish_reason, 'stop');
      assert.equal(answer.usage?.completion_tokens, model === 'gpt' ? 10 : 15);
    });

    test('calls of tools', async () => {
      world.upstream.respond = json(answers[model].tools);
      const { choices } = await world.openai.chat.completions.create(openAiAsks(model));
      assert.equal(choices[0]?.finish_reason, 'tool_calls');
      assert.deepEqual(callsOf(choices[0]?.message.tool_calls), [
        ['weather', { city: 'Bern' }],
        ['time', {}],
      ]);
    });

    test('calls of tools that stream', async () => {
      world.upstream.respond = events(...answers[model].toolsStream);
      const stream = world.openai.chat.completions.stream({ ...openAiAsks(model), stream: true });
      const { choices } = await stream.finalChatCompletion();
      assert.equal(choices[0]?.message.content, 'Let me look.');
      assert.equal(choices[0]?.finish_reason, 'tool_calls');
      assert.deepEqual(callsOf(choices[0]?.message.tool_calls), [
        ['weather', { city: 'Bern' }],
        ['time', {}],
      ]);
    });

    test('an answer that was cut', async () => {
      world.upstream.respond = json(answers[model].cut);
      const { choices } = await world.openai.chat.completions.create(openAiAsks(model));
      assert.equal(choices[0]?.finish_reason, 'length');
    });
  });

  describe(`anthropic's client and ${model}`, () => {
    test('text', async () => {
      world.upstream.respond = json(answers[model].text);
      const answer = await world.anthropic.messages.create(anthropicAsks(model));
      assert.deepEqual(
        answer.content.map((block) => block.type === 'text' && block.text),
        ['Hello, world!'],
      );
      assert.equal(answer.stop_reason, 'end_turn');
      assert.deepEqual(
        [answer.usage.input_tokens, answer.usage.cache_read_input_tokens, answer.usage.output_tokens],
        model === 'gpt' ? [15, 4, 10] : [25, 5, 15],
      );
    });

    test('text that streams', async () => {
      world.upstream.respond = events(...answers[model].textStream);
      const answer = await world.anthropic.messages.stream(anthropicAsks(model)).finalMessage();
      assert.equal(answer.content[0]?.type === 'text' && answer.content[0].text, 'Hello, world!');
      assert.equal(answer.stop_reason, 'end_turn');
      assert.equal(answer.usage.output_tokens, model === 'gpt' ? 10 : 15);
    });

    test('calls of tools', async () => {
      world.upstream.respond = json(answers[model].tools);
      const { content, stop_reason } = await world.anthropic.messages.create(anthropicAsks(model));
      assert.equal(stop_reason, 'tool_use');
      assert.deepEqual(usesOf(content), [
        ['weather', { city: 'Bern' }],
        ['time', {}],
      ]);
    });

    test('calls of tools that stream', async () => {
      world.upstream.respond = events(...answers[model].toolsStream);
      const { content, stop_reason } = await world.anthropic.messages
        .stream(anthropicAsks(model))
        .finalMessage();
      assert.deepEqual(
        content.map(({ type }) => type),
        ['text', 'tool_use', 'tool_use'],
      );
      assert.equal(stop_reason, 'tool_use');
      assert.deepEqual(usesOf(content), [
        ['weather', { city: 'Bern' }],
        ['time', {}],
      ]);
    });

    test('an answer that was cut', async () => {
      world.upstream.respond = json(answers[model].cut);
      assert.equal((await world.anthropic.messages.create(anthropicAsks(model))).stop_reason, 'max_tokens');
    });
  });
}

describe('what a provider is asked', () => {
  const tool = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  const openAiTalk: OpenAI.ChatCompletionCreateParamsNonStreaming = {
    ...openAiAsks('claude'),
    messages: [
      { role: 'system', content: 'Be short.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Which weather is that?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
          { type: 'image_url', image_url: { url: 'https://pictures.example/rain.png' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Bern"}' } },
          { id: 'call_2', type: 'function', function: { name: 'weather', arguments: '{"city":"Thun"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
      { role: 'tool', tool_call_id: 'call_2', content: 'sun' },
    ],
    tools: [
      { type: 'function', function: { name: 'weather', description: 'Looks it up', parameters: tool } },
    ],
    tool_choice: 'required',
  };

  test('of another form: a talk of the Chat Completions form reaches Anthropic whole', async () => {
    world.upstream.respond = json(anthropic.text);
    await world.openai.chat.completions.create(openAiTalk);
    const { path, headers, body } = world.upstream.last();
    assert.equal(path, '/messages');
    assert.equal(headers['x-api-key'], KEYS.ANTHROPIC);
    assert.equal(headers.authorization, undefined);
    assert.deepEqual(
      [body.model, body.max_tokens, body.temperature, body.stop_sequences],
      ['claude-sonnet-4-5', 100, 0.5, ['END']],
    );
    assert.deepEqual(body.system, [{ type: 'text', text: 'Be short.' }]);
    assert.deepEqual(body.messages, [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Which weather is that?' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
          { type: 'image', source: { type: 'url', url: 'https://pictures.example/rain.png' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Bern' } },
          { type: 'tool_use', id: 'call_2', name: 'weather', input: { city: 'Thun' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: 'rain' },
          { type: 'tool_result', tool_use_id: 'call_2', content: 'sun' },
        ],
      },
    ]);
    const [sent] = body.tools as { name: string; description: string; input_schema: object }[];
    assert.deepEqual([sent?.name, sent?.description, sent?.input_schema], ['weather', 'Looks it up', tool]);
    assert.deepEqual(body.tool_choice, { type: 'any' });
  });

  test('of another form: a talk of the Messages form reaches OpenAI whole', async () => {
    world.upstream.respond = json(openAi.text);
    await world.anthropic.messages.create({
      ...anthropicAsks('gpt'),
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Which weather is that?' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 'sealed' },
            { type: 'text', text: 'Let me look.' },
            { type: 'tool_use', id: 'toolu_1', name: 'camera', input: { city: 'Bern' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'And?' },
            {
              type: 'tool_result',
              tool_use_id: 'toolu_1',
              content: [
                { type: 'text', text: 'a picture' },
                { type: 'image', source: { type: 'url', url: 'https://pictures.example/bern.png' } },
              ],
            },
          ],
        },
      ],
      tools: [{ name: 'camera', input_schema: { type: 'object', properties: {} } }],
      tool_choice: { type: 'tool', name: 'camera', disable_parallel_tool_use: true },
    });
    const { path, headers, body } = world.upstream.last();
    assert.equal(path, '/chat/completions');
    assert.equal(headers.authorization, `Bearer ${KEYS.OPENAI}`);
    assert.equal(headers['x-api-key'], undefined);
    assert.deepEqual([body.model, body.max_tokens, body.stop], ['gpt-upstream', 100, ['END']]);
    assert.deepEqual(body.messages, [
      { role: 'system', content: 'Be short.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Which weather is that?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
        ],
      },
      {
        role: 'assistant',
        content: 'Let me look.',
        tool_calls: [
          { id: 'toolu_1', type: 'function', function: { name: 'camera', arguments: '{"city":"Bern"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'toolu_1', content: 'a picture\n[image below]' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'From camera:' },
          { type: 'image_url', image_url: { url: 'https://pictures.example/bern.png' } },
          { type: 'text', text: 'And?' },
        ],
      },
    ]);
    assert.deepEqual(body.tool_choice, { type: 'function', function: { name: 'camera' } });
    assert.equal(body.parallel_tool_calls, false);
  });

  test('of another form: newer members of the Messages form find their place', async () => {
    world.upstream.respond = json(openAi.text);
    const schema = { type: 'object', properties: {}, additionalProperties: false };
    await world.anthropic.messages.create({
      model: 'gpt',
      max_tokens: 100,
      system: [{ type: 'text', text: 'Be short.', cache_control: { type: 'ephemeral' } }],
      messages: [
        { role: 'user', content: 'Hello?' },
        { role: 'system', content: 'Speak German from here.' },
      ],
      thinking: { type: 'adaptive' },
      output_config: { effort: 'high', format: { type: 'json_schema', schema } },
    });
    const { body } = world.upstream.last();
    assert.deepEqual(body.messages, [
      { role: 'system', content: 'Be short.\n\nSpeak German from here.' },
      { role: 'user', content: 'Hello?' },
    ]);
    assert.equal(body.reasoning_effort, 'high');
    const format = body.response_format as { type: string; json_schema: { schema: object } };
    assert.deepEqual([format.type, format.json_schema.schema], ['json_schema', schema]);
  });

  test('of another form: JSON schemas, seeds and one tool at a time reach the others', async () => {
    world.upstream.respond = json(google.text);
    const schema = { type: 'object', properties: { city: { type: 'string' } } };
    await world.openai.chat.completions.create({
      ...openAiAsks('gemini'),
      seed: 7,
      response_format: { type: 'json_schema', json_schema: { name: 'place', schema } },
    });
    const config = world.upstream.last().body.generationConfig as Record<string, unknown>;
    assert.deepEqual(
      [config.seed, config.responseMimeType, config.maxOutputTokens, config.stopSequences],
      [7, 'application/json', 100, ['END']],
    );
    world.upstream.respond = json(anthropic.text);
    await world.openai.chat.completions.create({
      ...openAiTalk,
      tool_choice: 'auto',
      parallel_tool_calls: false,
    });
    assert.deepEqual(world.upstream.last().body.tool_choice, {
      type: 'auto',
      disable_parallel_tool_use: true,
    });
  });

  test('of its own form: everything that the client said, but for the name of the model', async () => {
    world.upstream.respond = json(openAi.text);
    const { messages, ...rest } = openAiTalk;
    const odd = { ...rest, messages, model: 'gpt', logit_bias: { 50256: -100 }, something_new: [1, null] };
    await world.openai.chat.completions.create(odd as never);
    assert.deepEqual(world.upstream.last().body, { ...odd, model: 'gpt-upstream' });
    assert.equal(world.upstream.last().headers.authorization, `Bearer ${KEYS.OPENAI}`);
  });

  test('of its own form: the version and the betas of the client', async () => {
    world.upstream.respond = json(anthropic.text);
    await world.anthropic.messages.create(anthropicAsks('claude'), {
      headers: { 'anthropic-beta': 'context-1m-2025-08-07', 'anthropic-version': '2023-01-01' },
    });
    const { headers, body } = world.upstream.last();
    assert.equal(headers['anthropic-version'], '2023-01-01');
    assert.equal(headers['anthropic-beta'], 'context-1m-2025-08-07');
    assert.equal(headers['x-api-key'], KEYS.ANTHROPIC);
    assert.deepEqual(body, { ...anthropicAsks('claude'), model: 'claude-sonnet-4-5' });
  });
});

describe('Google', () => {
  test('answers both clients', async () => {
    world.upstream.respond = json(google.text);
    const answer = await world.openai.chat.completions.create(openAiAsks('gemini'));
    assert.equal(answer.choices[0]?.message.content, 'Hello, world!');
    assert.equal(answer.usage?.completion_tokens, 12);
    assert.equal(world.upstream.last().path, '/models/gemini-2.5-upstream:generateContent');
    assert.equal(world.upstream.last().headers['x-goog-api-key'], KEYS.GOOGLE);
    const message = await world.anthropic.messages.create(anthropicAsks('gemini'));
    assert.equal(message.content[0]?.type === 'text' && message.content[0].text, 'Hello, world!');
  });

  test('streams to both, and calls tools though it says STOP', async () => {
    world.upstream.respond = events(...google.textStream);
    const message = await world.anthropic.messages.stream(anthropicAsks('gemini')).finalMessage();
    assert.equal(message.content[0]?.type === 'text' && message.content[0].text, 'Hello, world!');
    world.upstream.respond = events(google.tools);
    const stream = world.openai.chat.completions.stream({ ...openAiAsks('gemini'), stream: true });
    const { choices } = await stream.finalChatCompletion();
    assert.equal(choices[0]?.finish_reason, 'tool_calls');
    assert.deepEqual(callsOf(choices[0]?.message.tool_calls), [['weather', { city: 'Bern' }]]);
  });

  test('gets a picture of a URL as bytes, which only the guard fetches', async () => {
    world.upstream.respond = (response, { path }) =>
      path === '/rain.png'
        ? response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from(PNG, 'base64'))
        : json(google.text)(response, { path, headers: {}, body: {} });
    const show = (url: string) =>
      world.openai.chat.completions.create({
        model: 'gemini',
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
      });
    await show(`${world.upstream.url}/rain.png`);
    assert.deepEqual(world.upstream.last().body.contents, [
      { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: PNG } }] },
    ]);
    await assert.rejects(show('http://169.254.169.254/latest/meta-data'), /could not be fetched as image/);
    await assert.rejects(show('http://[::1]:1/'), /could not be fetched as image/);
  });
});

describe('thoughts', () => {
  test('of Anthropic reach the client of the other form beside the text', async () => {
    world.upstream.respond = events(...anthropic.thoughtStream);
    const said: string[] = [];
    const thought: string[] = [];
    const stream = await world.openai.chat.completions.create({
      ...openAiAsks('claude'),
      temperature: 1,
      reasoning_effort: 'medium',
      stream: true,
    });
    for await (const { choices } of stream) {
      const delta = choices[0]?.delta as { content?: string; reasoning_content?: string };
      if (delta.content) said.push(delta.content);
      if (delta.reasoning_content) thought.push(delta.reasoning_content);
    }
    assert.deepEqual([thought.join(''), said.join('')], ['They greet me.', 'Hello!']);
    assert.deepEqual(world.upstream.last().body.thinking, { type: 'enabled', budget_tokens: 4_096 });
  });

  for (const [model, list] of [
    ['gpt', openAi.thoughtStream],
    [
      'llama',
      [
        openAi.chunk({ content: '<think>They greet me.' }),
        openAi.chunk({ content: '</think>Hello!' }),
        openAi.chunk({}, 'stop'),
      ],
    ],
  ] as const) {
    test(`of ${model} are a block of their own for Anthropic's client`, async () => {
      world.upstream.respond = events(...list);
      const { content } = await world.anthropic.messages.stream(anthropicAsks(model)).finalMessage();
      assert.deepEqual(
        content.map((block) => [
          block.type,
          block.type === 'thinking' ? block.thinking : block.type === 'text' && block.text,
        ]),
        [
          ['thinking', 'They greet me.'],
          ['text', 'Hello!'],
        ],
      );
    });
  }
});

const callsOf = (calls: readonly OpenAI.ChatCompletionMessageToolCall[] = []) =>
  calls.map((call) => call.type === 'function' && [call.function.name, JSON.parse(call.function.arguments)]);
const usesOf = (content: readonly Anthropic.ContentBlock[]) =>
  content.flatMap((block) => (block.type === 'tool_use' ? [[block.name, block.input]] : []));
