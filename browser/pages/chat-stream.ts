/** An answer that ended with an error of the model's provider, or of the gate. */
export class ChatError extends Error {}

// Our choice: no event of an answer is longer; one that never ends must not fill the page's memory.
const MOST_EVENT_CHARS = 1_000_000;

/**
 * The text of a Chat Completions answer, piece by piece as it comes.
 * @throws ChatError with a sentence for people, whatever form the refusal has
 */
export async function* readAnswer(response: Response): AsyncGenerator<string> {
  if (!response.ok || !response.body) throw new ChatError(await sentenceOf(response));
  let waiting = '';
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const events = (waiting + part.value).split('\n\n');
      waiting = events.pop() ?? '';
      if (waiting.length > MOST_EVENT_CHARS) throw new ChatError('The answer is not understood.');
      for (const event of events) {
        const data = dataOf(event);
        if (data === '[DONE]') return;
        yield textOf(data);
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

type Chunk = { choices?: { delta?: { content?: string | null } }[]; error?: { message?: string } };

const dataOf = (event: string): string =>
  event
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trimStart())
    .join('\n');

function textOf(data: string): string {
  if (data === '') return '';
  const { choices, error } = JSON.parse(data) as Chunk;
  if (error) throw new ChatError(sentence(error.message ?? 'the answer broke off'));
  return choices?.[0]?.delta?.content ?? '';
}

async function sentenceOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  const { detail } = (body ?? {}) as { detail?: unknown };
  return sentence(typeof detail === 'string' ? detail : `the server answered with status ${response.status}`);
}

const sentence = (text: string) =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
