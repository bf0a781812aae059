import { Readable } from 'node:stream';
import type { Router } from '@koa/router';
import type { Context, RequestState } from '../http/request-state.ts';
import { serveOperation } from '../http/serve-operation.ts';
import { AnthropicEnvelope, ModelList } from '../wire/chat-anthropic.ts';
import { OpenAiEnvelope } from '../wire/chat-openai.ts';
import type { Operation } from '../wire/operation.ts';
import type { Format } from './core/error-shape.ts';
import type { Asked, Gateway, Reply } from './gateway.ts';

/** Of a request with pictures; our choice. */
export const CHAT_BODY_LIMIT_BYTES = 10_000_000;

const common = {
  method: 'post',
  tag: 'Language models',
  bodyLimitBytes: CHAT_BODY_LIMIT_BYTES,
  problems: [
    'malformed-request',
    'provider-refused',
    'proof-required',
    'seal-invalid',
    'insufficient-work',
    'route-mismatch',
    'unknown-model',
    'challenge-already-used',
    'challenge-expired',
    'body-too-large',
    'unsupported-media-type',
    'provider-throttled',
    'provider-failed',
    'provider-overloaded',
    'store-unavailable',
  ],
  isOpenToAnyOrigin: false,
} as const;

const completions = {
  ...common,
  summary: 'An answer of a language model, in the form of Chat Completions',
  description:
    'Gated: a proof of work goes in a `PoW` header, beside `Authorization: Bearer`. Errors carry `error: {message, type, ' +
    'code}` as well. With `stream: true` the answer is server-sent events.',
  body: OpenAiEnvelope,
  answer: { status: 200, description: 'A chat.completion object, or chat.completion.chunk events' },
} as const;

export const chatOperation = {
  ...completions,
  id: 'chat',
  path: '/chat',
} as const satisfies Operation;

export const completionsOperation = {
  ...completions,
  id: 'createChatCompletion',
  path: '/v1/chat/completions',
} as const satisfies Operation;

export const messagesOperation = {
  ...common,
  id: 'createMessage',
  path: '/v1/messages',
  summary: 'An answer of a language model, in the form of Messages',
  description:
    'Gated like the others. Errors are also of the form `{type: "error", error: {type, message}}`. An `X-API-Key` that is ' +
    'not one of this server is ignored, since clients of this form send their own there.',
  body: AnthropicEnvelope,
  answer: { status: 200, description: 'A message object, or its events' },
} as const satisfies Operation;

export const modelsOperation = {
  id: 'listModels',
  method: 'get',
  path: '/v1/models',
  tag: 'Language models',
  summary: 'The models that can be asked',
  answer: {
    status: 200,
    description: 'Their names, as the clients of both forms read them',
    schema: ModelList,
  },
  problems: [],
  isOpenToAnyOrigin: false,
} as const satisfies Operation;

export const chatOperations = [chatOperation, completionsOperation, messagesOperation, modelsOperation];

/** The gateway's endpoints. The gate stands in front of them by the policy's route `chat`. */
export function serveChat(router: Router<RequestState>, { gateway }: { gateway: Gateway }): void {
  const answer = async (ctx: Context, format: Format, body: Asked['body']) =>
    send(
      ctx,
      await gateway.answer({
        format,
        body,
        headers: { version: ctx.get('anthropic-version'), beta: ctx.get('anthropic-beta') },
        requestId: ctx.state.requestId,
        signal: signalOf(ctx),
      }),
    );
  for (const operation of [chatOperation, completionsOperation]) {
    serveOperation(router, operation, ({ body }, ctx) => answer(ctx, 'openai', body));
  }
  serveOperation(router, messagesOperation, ({ body }, ctx) => answer(ctx, 'anthropic', body));
  serveOperation(router, modelsOperation, () => ({
    object: 'list' as const,
    data: gateway.names.map((id) => ({
      id,
      object: 'model' as const,
      // Nobody here knows when it was made.
      created: 0,
      owned_by: 'gatehouse',
      type: 'model' as const,
      display_name: id,
      created_at: '1970-01-01T00:00:00Z',
    })),
    first_id: gateway.names[0] ?? null,
    last_id: gateway.names.at(-1) ?? null,
    has_more: false as const,
  }));
}

/** Ends with the connection, so that nobody works for a client that has gone. */
function signalOf({ res }: Context): AbortSignal {
  const ended = new AbortController();
  if (res.closed) ended.abort();
  else res.once('close', () => ended.abort());
  return ended.signal;
}

function send(ctx: Context, reply: Reply): unknown {
  if (reply.kind === 'json') return reply.body;
  ctx.set('Content-Type', reply.kind === 'bytes' ? reply.contentType : 'text/event-stream; charset=utf-8');
  ctx.set('Cache-Control', 'no-store');
  if (reply.kind === 'bytes') return Buffer.from(reply.body);
  // nginx would gather the events otherwise.
  ctx.set('X-Accel-Buffering', 'no');
  // Not in object mode: what is read ahead is counted in bytes, and a slow client slows the provider.
  return Readable.from(reply.events, { objectMode: false });
}
