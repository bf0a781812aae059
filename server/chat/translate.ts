import type * as z from 'zod';
import { AnthropicRequest } from '../wire/chat-anthropic.ts';
import { OpenAiRequest } from '../wire/chat-openai.ts';
import { fault } from '../wire/problem.ts';
import type { Format } from './core/error-shape.ts';
import { UnreadableError } from './core/files.ts';
import type { Answer, Call, Step, Usage } from './core/neutral.ts';
import { readAnthropicRequest } from './core/read-anthropic.ts';
import { readOpenAiRequest } from './core/read-openai.ts';
import { createAnthropicWriter, writeAnthropicAnswer } from './core/write-anthropic.ts';
import { type AnswerHead, createOpenAiWriter, writeOpenAiAnswer } from './core/write-openai.ts';

/** What a request of either form asks a model. @throws Fault `malformed-request` */
export function readCall(format: Format, body: unknown): Call {
  try {
    return format === 'anthropic'
      ? readAnthropicRequest(parse(AnthropicRequest, body))
      : readOpenAiRequest(parse(OpenAiRequest, body));
  } catch (error) {
    if (error instanceof UnreadableError) throw fault('malformed-request', `body.${error.message}`);
    throw error;
  }
}

// Enough to find one's fault by; a list of thousands helps nobody.
const MOST_TOLD = 10;

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const told = result.error.issues.slice(0, MOST_TOLD);
  throw fault(
    'malformed-request',
    told.map(({ path, message }) => `${['body', ...path].join('.')}: ${message}`).join('; '),
  );
}

export const writeAnswer = (format: Format, answer: Answer, head: AnswerHead): object =>
  format === 'anthropic' ? writeAnthropicAnswer(answer, head) : writeOpenAiAnswer(answer, head);

/**
 * The events of an answer in the client's form, as its steps come.
 * @throws whatever breaks it off
 */
export async function* writeStream(
  format: Format,
  steps: AsyncIterable<Step>,
  head: AnswerHead,
  { includesUsage, see }: { includesUsage: boolean; see(usage: Usage): void },
): AsyncGenerator<string> {
  const write =
    format === 'anthropic' ? createAnthropicWriter(head) : createOpenAiWriter(head, { includesUsage });
  for await (const step of steps) {
    if (step.type === 'error') throw step.error;
    if (step.type === 'finish') see(step.usage);
    const text = write(step);
    if (text !== '') yield text;
    if (step.type === 'finish') return;
  }
  throw new Error('the stream ended without a finish');
}
