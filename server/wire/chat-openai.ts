import * as z from 'zod';

// https://platform.openai.com/docs/api-reference/chat/create. Clients write null for what they leave out.

const text = z.object({ type: z.literal('text'), text: z.string() });
const image = z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string() }) });
const file = z.object({
  type: z.literal('file'),
  file: z.object({ file_data: z.string(), filename: z.string().nullish() }),
});
const audio = z.object({
  type: z.literal('input_audio'),
  input_audio: z.object({ data: z.string(), format: z.enum(['wav', 'mp3']) }),
});
const refusal = z.object({ type: z.literal('refusal'), refusal: z.string() });

const toolCall = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const message = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer']), content: z.union([z.string(), z.array(text)]) }),
  z.object({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [text, image, file, audio]))]),
  }),
  z.object({
    role: z.literal('assistant'),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [text, refusal]))]).nullish(),
    refusal: z.string().nullish(),
    reasoning_content: z.string().nullish(),
    tool_calls: z.array(toolCall).nullish(),
  }),
  z.object({
    role: z.literal('tool'),
    tool_call_id: z.string(),
    content: z.union([z.string(), z.array(text)]),
  }),
]);

const schema = z.record(z.string(), z.json());

/** A Chat Completions request, as far as it is translated for a provider of another form. */
export const OpenAiRequest = z.object({
  messages: z.array(message).min(1),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  presence_penalty: z.number().nullish(),
  frequency_penalty: z.number().nullish(),
  seed: z.int().nullish(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  n: z.literal(1, 'expected 1: a provider of another form gives one answer').nullish(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  response_format: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('text') }),
      z.object({ type: z.literal('json_object') }),
      z.object({
        type: z.literal('json_schema'),
        json_schema: z.object({ name: z.string(), schema: schema.nullish() }),
      }),
    ])
    .nullish(),
  tools: z
    .array(
      z.object({
        type: z.literal('function'),
        function: z.object({
          name: z.string(),
          description: z.string().nullish(),
          parameters: schema.nullish(),
          strict: z.boolean().nullish(),
        }),
      }),
    )
    .nullish(),
  tool_choice: z
    .union([
      z.enum(['none', 'auto', 'required']),
      z.object({ type: z.literal('function'), function: z.object({ name: z.string() }) }),
    ])
    .nullish(),
});
export type OpenAiRequest = z.output<typeof OpenAiRequest>;

/** What is read of every Chat Completions request; the rest goes on as it is, or is read by `OpenAiRequest`. */
export const OpenAiEnvelope = z
  .looseObject({
    model: z.string().meta({ description: 'one of GET /v1/models' }),
    messages: z.array(z.unknown()),
    stream: z.boolean().nullish().meta({ description: 'server-sent events' }),
    stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  })
  .meta({ description: 'a Chat Completions request' });
export type OpenAiEnvelope = z.output<typeof OpenAiEnvelope>;
