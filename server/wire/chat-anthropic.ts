import * as z from 'zod';

// https://platform.claude.com/docs/en/api/messages. `cache_control` and other members that no other provider has are
// left out where a request is translated.

const text = z.object({ type: z.literal('text'), text: z.string() });
const source = z.discriminatedUnion('type', [
  z.object({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
  z.object({ type: z.literal('url'), url: z.string() }),
  z.object({ type: z.literal('text'), data: z.string() }),
]);
const image = z.object({ type: z.literal('image'), source });
const document = z.object({ type: z.literal('document'), source, title: z.string().nullish() });
const toolUse = z.object({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.json()),
});
const toolResult = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [text, image, document]))]).nullish(),
  is_error: z.boolean().nullish(),
});
const thinking = z.object({ type: z.literal('thinking'), thinking: z.string() });
const redactedThinking = z.object({ type: z.literal('redacted_thinking') });

const message = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content: z.union([z.string(), z.array(text)]) }),
  z.object({
    role: z.literal('user'),
    content: z.union([
      z.string(),
      z.array(z.discriminatedUnion('type', [text, image, document, toolResult])),
    ]),
  }),
  z.object({
    role: z.literal('assistant'),
    content: z.union([
      z.string(),
      z.array(z.discriminatedUnion('type', [text, toolUse, thinking, redactedThinking])),
    ]),
  }),
]);

/** A Messages request, as far as it is translated for a provider of another form. */
export const AnthropicRequest = z.object({
  messages: z.array(message).min(1),
  max_tokens: z.int().min(1),
  system: z.union([z.string(), z.array(text)]).nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  top_k: z.int().nullish(),
  stop_sequences: z.array(z.string()).nullish(),
  thinking: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('enabled'), budget_tokens: z.int() }),
      z.object({ type: z.enum(['adaptive', 'between_tools']) }),
      z.object({ type: z.literal('disabled') }),
    ])
    .nullish(),
  output_config: z
    .object({
      effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish(),
      format: z.object({ type: z.literal('json_schema'), schema: z.record(z.string(), z.json()) }).nullish(),
    })
    .nullish(),
  tools: z
    .array(
      z.object({
        type: z
          .literal('custom', 'expected custom: tools that Anthropic runs itself are for its own models')
          .nullish(),
        name: z.string(),
        description: z.string().nullish(),
        input_schema: z.record(z.string(), z.json()),
      }),
    )
    .nullish(),
  tool_choice: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('auto'), disable_parallel_tool_use: z.boolean().nullish() }),
      z.object({ type: z.literal('any'), disable_parallel_tool_use: z.boolean().nullish() }),
      z.object({
        type: z.literal('tool'),
        name: z.string(),
        disable_parallel_tool_use: z.boolean().nullish(),
      }),
      z.object({ type: z.literal('none') }),
    ])
    .nullish(),
});
export type AnthropicRequest = z.output<typeof AnthropicRequest>;

/** What is read of every Messages request; the rest goes on as it is, or is read by `AnthropicRequest`. */
export const AnthropicEnvelope = z
  .looseObject({
    model: z.string().meta({ description: 'one of GET /v1/models' }),
    messages: z.array(z.unknown()),
    max_tokens: z.int().min(1),
    stream: z.boolean().nullish().meta({ description: 'server-sent events' }),
  })
  .meta({ description: 'a Messages request' });
export type AnthropicEnvelope = z.output<typeof AnthropicEnvelope>;

/** The answer of `GET /v1/models`, in which the clients of both forms find what they look for. */
export const ModelList = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      id: z.string(),
      object: z.literal('model'),
      created: z.int(),
      owned_by: z.string(),
      type: z.literal('model'),
      display_name: z.string(),
      created_at: z.string(),
    }),
  ),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.literal(false),
});
