// What the providers answer, written after their public documentation:
// https://platform.openai.com/docs/api-reference/chat, https://platform.claude.com/docs/en/build-with-claude/streaming,
// https://ai.google.dev/api/generate-content

const chunk = (delta: object, finish: string | null = null) => ({
  id: 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
  object: 'chat.completion.chunk',
  created: 1_741_569_952,
  model: 'gpt-upstream',
  service_tier: 'default',
  system_fingerprint: 'fp_44709d6fcb',
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
});
const openAiUsage = {
  prompt_tokens: 19,
  completion_tokens: 10,
  total_tokens: 29,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 3 },
};
const openAiEnd = [{ ...chunk({}), choices: [], usage: openAiUsage }, 'data: [DONE]\n\n'];

const completion = (message: object, finish: string) => ({
  id: 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
  object: 'chat.completion',
  created: 1_741_569_952,
  model: 'gpt-upstream',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', refusal: null, ...message },
      logprobs: null,
      finish_reason: finish,
    },
  ],
  usage: openAiUsage,
});

const openAiCall = (index: number, id: string, name: string) => ({
  tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }],
});
const openAiArguments = (index: number, text: string) => ({
  tool_calls: [{ index, function: { arguments: text } }],
});

/** Of OpenAI: what `POST /chat/completions` gives, whole and as events. */
export const openAi = {
  chunk,
  text: completion({ content: 'Hello, world!' }, 'stop'),
  textStream: [
    chunk({ role: 'assistant', content: '', refusal: null }),
    chunk({ content: 'Hello' }),
    chunk({ content: ', world' }),
    chunk({ content: '!' }),
    chunk({}, 'stop'),
    ...openAiEnd,
  ],
  cut: completion({ content: 'Hel' }, 'length'),
  filtered: completion({ content: '' }, 'content_filter'),
  tools: completion(
    {
      content: null,
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Bern"}' } },
        { id: 'call_2', type: 'function', function: { name: 'time', arguments: '{}' } },
      ],
    },
    'tool_calls',
  ),
  toolsStream: [
    chunk({ role: 'assistant', content: null }),
    chunk({ content: 'Let me look.' }),
    chunk(openAiCall(0, 'call_1', 'weather')),
    chunk(openAiArguments(0, '{"ci')),
    chunk(openAiArguments(0, 'ty":"Bern"}')),
    chunk(openAiCall(1, 'call_2', 'time')),
    chunk(openAiArguments(1, '{}')),
    chunk({}, 'tool_calls'),
    ...openAiEnd,
  ],
  /** As DeepSeek, vLLM and others write thoughts. */
  thoughtStream: [
    chunk({ role: 'assistant', content: null, reasoning_content: '' }),
    chunk({ reasoning_content: 'They greet' }),
    chunk({ reasoning_content: ' me.' }),
    chunk({ content: 'Hello!' }),
    chunk({}, 'stop'),
    ...openAiEnd,
  ],
  error: (message: string, type: string, code: string | null) => ({
    error: { message, type, param: null, code },
  }),
};

const messageStart = {
  type: 'message_start',
  message: {
    id: 'msg_1nZdL29xx5MUA1yADyHTEsnR8uuvGzszyY',
    type: 'message',
    role: 'assistant',
    content: [],
    model: 'claude-upstream',
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 25, cache_read_input_tokens: 5, output_tokens: 1 },
  },
};
const block = (index: number, start: object, ...deltas: object[]) => [
  { type: 'content_block_start', index, content_block: start },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
];
const textBlock = (index: number, ...texts: string[]) =>
  block(index, { type: 'text', text: '' }, ...texts.map((text) => ({ type: 'text_delta', text })));
const toolBlock = (index: number, id: string, name: string, ...texts: string[]) =>
  block(
    index,
    { type: 'tool_use', id, name, input: {} },
    ...texts.map((text) => ({ type: 'input_json_delta', partial_json: text })),
  );
const messageEnd = (reason: string) => [
  {
    type: 'message_delta',
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: 15 },
  },
  { type: 'message_stop' },
];
const message = (content: object[], reason: string) => ({
  ...messageStart.message,
  content,
  stop_reason: reason,
  usage: { input_tokens: 25, cache_read_input_tokens: 5, output_tokens: 15 },
});

/** Of Anthropic: what `POST /messages` gives. */
export const anthropic = {
  messageStart,
  textBlock,
  messageEnd,
  text: message([{ type: 'text', text: 'Hello, world!' }], 'end_turn'),
  textStream: [
    messageStart,
    { type: 'ping' },
    ...textBlock(0, 'Hello', ', world', '!'),
    ...messageEnd('end_turn'),
  ],
  cut: message([{ type: 'text', text: 'Hel' }], 'max_tokens'),
  stopped: message([{ type: 'text', text: 'Hel' }], 'stop_sequence'),
  tools: message(
    [
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Bern' } },
      { type: 'tool_use', id: 'toolu_2', name: 'time', input: {} },
    ],
    'tool_use',
  ),
  toolsStream: [
    messageStart,
    ...textBlock(0, 'Let me look.'),
    ...toolBlock(1, 'toolu_1', 'weather', '', '{"ci', 'ty":"Bern"}'),
    ...toolBlock(2, 'toolu_2', 'time', ''),
    ...messageEnd('tool_use'),
  ],
  thoughtStream: [
    messageStart,
    ...block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'They greet' },
      { type: 'thinking_delta', thinking: ' me.' },
      { type: 'signature_delta', signature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk' },
    ),
    ...textBlock(1, 'Hello!'),
    ...messageEnd('end_turn'),
  ],
  error: (type: string, text: string) => ({
    type: 'error',
    error: { type, message: text },
    request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy',
  }),
};

const candidate = (parts: object[], finish?: string) => ({
  candidates: [{ content: { parts, role: 'model' }, index: 0, ...(finish && { finishReason: finish }) }],
  usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 12, totalTokenCount: 20 },
  modelVersion: 'gemini-upstream',
});

/** Of Google: what `:generateContent` and `:streamGenerateContent?alt=sse` give. */
export const google = {
  text: candidate([{ text: 'Hello, world!' }], 'STOP'),
  textStream: [candidate([{ text: 'Hello' }]), candidate([{ text: ', world!' }]), candidate([], 'STOP')],
  tools: candidate([{ functionCall: { name: 'weather', args: { city: 'Bern' } } }], 'STOP'),
  error: (code: number, text: string, status: string) => ({ error: { code, message: text, status } }),
};
