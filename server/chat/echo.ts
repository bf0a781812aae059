import type { ChatModel } from './chat-model.ts';
import type { Answer, Call, Message, Step, Usage } from './core/neutral.ts';

/** The model that answers where no provider is configured. */
export const ECHO_MODEL = 'echo';

/**
 * A model without a provider: it says the last message again, word by word, so that clients can be tried out.
 * @param pause between two words of a stream
 */
export function createEcho(pause: (signal: AbortSignal) => Promise<void>): ChatModel {
  return {
    async generate(call): Promise<Answer> {
      const { words, finish, usage } = echo(call);
      return { content: [{ type: 'text', text: words.join('') }], finish, usage };
    },
    async stream(call, signal) {
      return (async function* speak(): AsyncGenerator<Step> {
        const { words, finish, usage } = echo(call);
        for (const [i, word] of words.entries()) {
          if (i > 0) await pause(signal);
          if (signal.aborted) return;
          yield { type: 'text', id: 'echo', delta: word };
        }
        yield { type: 'text-end', id: 'echo' };
        yield { type: 'finish', finish, usage };
      })();
    },
  };
}

/** A word with the space before it counts as a token. */
function echo({ prompt, maxOutputTokens, stopSequences = [] }: Call) {
  const said = textOf(prompt.findLast(({ role }) => role === 'user'));
  const stops = stopSequences.map((stop) => said.indexOf(stop)).filter((at) => at >= 0);
  const words = wordsOf(stops.length > 0 ? said.slice(0, Math.min(...stops)) : said);
  const isCut = maxOutputTokens !== undefined && words.length > maxOutputTokens;
  const kept = isCut ? words.slice(0, maxOutputTokens) : words;
  const usage: Usage = {
    input: prompt.reduce((sum, message) => sum + wordsOf(textOf(message)).length, 0),
    cachedInput: undefined,
    output: kept.length,
    reasoning: undefined,
  };
  return { words: kept, finish: isCut ? ('length' as const) : ('stop' as const), usage };
}

const wordsOf = (text: string): string[] => text.match(/\s*\S+|\s+$/g) ?? [];

function textOf(message: Message | undefined): string {
  if (!message) return '';
  if (message.role === 'system') return message.content;
  return message.content
    .map((part) => (part.type === 'text' ? part.text : part.type === 'file' ? `[${part.mediaType}]` : ''))
    .filter((text) => text !== '')
    .join('\n');
}
