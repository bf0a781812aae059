import { createAnnouncer } from './announcer.ts';
import { ChatError, readAnswer } from './chat-stream.ts';
import { failureText } from './failure-text.ts';
import { formatChance } from './format.ts';
import { part } from './part.ts';

type Message = { role: 'user' | 'assistant'; content: string };

// Our choice: what is sent along of a long talk.
const MOST_SENT = 20;

/**
 * The card that asks a model: each question pays with a proof of its own, and the answer is written as it comes.
 *
 * A screen reader hears that the proof is made, that the answer comes, and then the answer as a whole: a live region that
 * grows by a word would be read as noise.
 */
export function createChat(card: HTMLElement): void {
  const form = part(card, 'chat-form', HTMLFormElement);
  const input = part(card, 'chat-text', HTMLTextAreaElement);
  const button = part(card, 'chat-send', HTMLButtonElement);
  const talk = part(card, 'chat-talk', HTMLOListElement);
  const state = part(card, 'chat-state', HTMLElement);
  const models = part(card, 'chat-model', HTMLSelectElement);
  const status = part(card, 'chat-status', HTMLElement);
  const announcer = createAnnouncer((line) => {
    status.textContent = line;
  });
  const messages: Message[] = [];
  let running: AbortController | null = null;

  const tell = (line: string) => {
    state.textContent = line;
  };

  async function ask(question: string): Promise<void> {
    const abort = new AbortController();
    running = abort;
    button.textContent = 'Stop';
    card.setAttribute('aria-busy', 'true');
    const asked: Message[] = [...messages, { role: 'user', content: question }];
    addLine('user', question);
    const line = addLine('assistant', '');
    let answer = '';
    try {
      tell('Making the proof…');
      announcer.say('Making the proof.');
      const response = await send(asked, abort.signal);
      for await (const piece of readAnswer(response)) {
        if (piece === '') continue;
        if (answer === '') {
          tell('Answering…');
          announcer.say('The answer is coming.');
        }
        answer += piece;
        line.append(piece);
      }
      tell('');
      announcer.say(`Answer: ${answer}`);
    } catch (error) {
      const why = abort.signal.aborted ? 'Stopped.' : reasonOf(error);
      tell(why);
      announcer.say(why);
      if (answer === '') line.parentElement?.remove();
    } finally {
      messages.push({ role: 'user', content: question });
      if (answer !== '') messages.push({ role: 'assistant', content: answer });
      // Two questions in a row are one to some models, so one without an answer goes.
      else messages.pop();
      card.removeAttribute('aria-busy');
      button.textContent = 'Send';
      running = null;
    }
  }

  async function send(asked: Message[], signal: AbortSignal): Promise<Response> {
    const { createGateFetch } = await import('../fetch/page-fetch.ts');
    const payingFetch = createGateFetch({
      fetch(input, init) {
        if (new Headers(init?.headers).has('PoW')) tell('Waiting for the answer…');
        return fetch(input, init);
      },
      onProgress: ({ probability }) =>
        tell(`Making the proof… found by now with ${formatChance(probability, 'en')}`),
    });
    return payingFetch('/chat', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({ model: models.value, stream: true, messages: asked.slice(-MOST_SENT) }),
      signal,
    });
  }

  function addLine(who: Message['role'], text: string): HTMLElement {
    const item = document.createElement('li');
    item.className = `chat-${who}`;
    const name = document.createElement('span');
    name.className = 'chat-who';
    name.textContent = who === 'user' ? 'You' : models.value;
    const words = document.createElement('p');
    words.textContent = text;
    item.append(name, words);
    talk.append(item);
    talk.hidden = false;
    state.scrollIntoView({ block: 'nearest' });
    return words;
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (running) return running.abort();
    const question = input.value.trim();
    if (question === '') return input.focus();
    input.value = '';
    void ask(question);
  });
  // The second click of a double click would stop what the first has started.
  button.addEventListener('click', (event) => {
    if (event.detail > 1) event.preventDefault();
  });
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!running) form.requestSubmit();
  });
  void listModels(models).then((count) => {
    // One model needs no choice.
    part(card, 'chat-choice', HTMLElement).hidden = count < 2;
    form.hidden = false;
  });
}

async function listModels(select: HTMLSelectElement): Promise<number> {
  const names = await fetch('/v1/models')
    .then((answer) => answer.json())
    .then(({ data }: { data: { id: string }[] }) => data.map(({ id }) => id))
    .catch(() => ['echo']);
  select.replaceChildren(...names.map((name) => new Option(name, name)));
  return names.length;
}

function reasonOf(error: unknown): string {
  if (error instanceof ChatError) return error.message;
  const { code } = error as { code?: unknown };
  return failureText(typeof code === 'string' ? code : 'unreachable', 'en');
}
