import type {
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';
import type { Answer, AnswerPart, Step, Usage } from './core/neutral.ts';

/** A whole answer of the SDK. What neither client form has (sources, files) is left out. */
export function answerOf({ content, finishReason, usage, response }: LanguageModelV3GenerateResult): Answer {
  const parts = content.flatMap((part): AnswerPart[] => {
    if (part.type === 'text' || part.type === 'reasoning') return [{ type: part.type, text: part.text }];
    if (part.type !== 'tool-call') return [];
    return [{ type: 'tool-call', id: part.toolCallId, name: part.toolName, input: part.input }];
  });
  const choice = (response?.body as { choices?: { message?: unknown }[] } | undefined)?.choices?.[0];
  const thought = thoughtIn(choice?.message);
  return {
    content: thought === '' ? parts : [{ type: 'reasoning', text: thought }, ...parts],
    finish: finishReason.unified,
    usage: usageOf(usage),
  };
}

/** The steps of a stream of the SDK, as they come. @throws whatever breaks the stream off */
export async function* stepsOf(stream: ReadableStream<LanguageModelV3StreamPart>): AsyncGenerator<Step> {
  for await (const part of stream) {
    const step = stepOf(part);
    if (step) yield step;
  }
}

function stepOf(part: LanguageModelV3StreamPart): Step | null {
  switch (part.type) {
    case 'text-delta':
      return { type: 'text', id: part.id, delta: part.delta };
    case 'reasoning-delta':
      return { type: 'reasoning', id: part.id, delta: part.delta };
    case 'text-end':
    case 'reasoning-end':
      return { type: part.type, id: part.id };
    case 'tool-input-start':
      return { type: 'tool-start', id: part.id, name: part.toolName };
    case 'tool-input-delta':
      return { type: 'tool-delta', id: part.id, delta: part.delta };
    case 'tool-call':
      return { type: 'tool-call', id: part.toolCallId, name: part.toolName, input: part.input };
    case 'error':
      return { type: 'error', error: part.error };
    case 'raw': {
      const choice = (part.rawValue as { choices?: { delta?: unknown }[] } | null)?.choices?.[0];
      const delta = thoughtIn(choice?.delta);
      return delta === '' ? null : { type: 'reasoning', id: 'thought', delta };
    }
    case 'finish': {
      const { unified, raw } = part.finishReason;
      // A stream that was cut also ends with a finish, for which the provider has given no reason.
      return unified === 'other' && raw === undefined
        ? { type: 'error', error: new Error('the stream ended without a finish') }
        : { type: 'finish', finish: unified, usage: usageOf(part.usage) };
    }
    default:
      return null;
  }
}

/** What servers of OpenAI's form write beside `content` while a model thinks; OpenAI's own do not, so the SDK passes it by. */
function thoughtIn(holder: unknown): string {
  const { reasoning_content: deepseek, reasoning: ollama } = (holder ?? {}) as Record<string, unknown>;
  if (typeof deepseek === 'string') return deepseek;
  return typeof ollama === 'string' ? ollama : '';
}

const usageOf = ({ inputTokens, outputTokens }: LanguageModelV3Usage): Usage => ({
  input: inputTokens.total,
  cachedInput: inputTokens.cacheRead,
  output: outputTokens.total,
  reasoning: outputTokens.reasoning,
});
