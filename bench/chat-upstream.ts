import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

// A provider without a model: it streams as many tokens as `max_tokens` asks for, as fast as it can, in the form of the
// path. Each token is an event of its own, as providers send them.

const WORD = 'token ';

const chunk = (delta: object, finish: string | null) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  })}\n\n`;
const event = (type: string, members: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;

const FORMS = {
  '/chat/completions': {
    begin: chunk({ role: 'assistant', content: '' }, null),
    token: chunk({ content: WORD }, null),
    end: `${chunk({}, 'stop')}data: [DONE]\n\n`,
  },
  '/messages': {
    begin:
      event('message_start', {
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'm',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 1, output_tokens: 0 },
        },
      }) + event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    token: event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: WORD } }),
    end:
      event('content_block_stop', { index: 0 }) +
      event('message_delta', {
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: 1 },
      }) +
      event('message_stop', {}),
  },
} as const;

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const part of request) chunks.push(part);
  const { max_tokens: count } = JSON.parse(Buffer.concat(chunks).toString()) as { max_tokens: number };
  const form = FORMS[request.url as keyof typeof FORMS];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(form.begin);
  stream(response, form, count);
});

function stream(response: ServerResponse, form: (typeof FORMS)[keyof typeof FORMS], count: number): void {
  let left = count;
  const write = () => {
    while (left > 0) {
      left--;
      if (!response.write(form.token)) return void response.once('drain', write);
    }
    response.end(form.end);
  };
  write();
}

server.listen(0, '127.0.0.1', () => {
  console.error(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
process.on('SIGTERM', () => process.exit(0));
