import { part } from './part.ts';

// The page to try the widget on: shows what the server found, and the events that a page can listen to.

const root = document.querySelector<HTMLElement>('#widget') as HTMLElement;
const put = (name: string, text: string) => {
  part(root, name, HTMLElement).textContent = text;
};

put('embed', `<script type="module" src="${location.origin}/pow/widget.js"></script>\n<pow-gate></pow-gate>`);

const answer = root.dataset.answer;
if (answer) {
  const { success } = JSON.parse(answer) as { success: boolean };
  const verdict = part(root, 'verdict', HTMLElement);
  verdict.hidden = false;
  put('verdict-title', success ? 'The form was taken' : 'The form was not taken');
  put(
    'verdict-text',
    success ? 'The work was done. The server found:' : 'The work is missing. The server found:',
  );
  put('verdict-body', JSON.stringify(JSON.parse(answer), null, 2));
}

const events = part(root, 'events', HTMLOListElement);
const lines = new Map<string, HTMLLIElement>();

function show(event: Event) {
  const text = JSON.stringify((event as CustomEvent).detail, (_, value) =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(3)) : value,
  );
  // Progress comes ten times a second: one line that changes.
  const isRepeated = event.type === 'pow-progress';
  const line = (isRepeated && lines.get(event.type)) || document.createElement('li');
  const name = document.createElement('code');
  name.textContent = event.type;
  line.replaceChildren(name, ` ${text}`);
  lines.set(event.type, line);
  if (!line.isConnected) events.append(line);
}

for (const type of ['pow-statechange', 'pow-progress', 'pow-solve', 'pow-expire', 'pow-error']) {
  root.addEventListener(type, show);
}
