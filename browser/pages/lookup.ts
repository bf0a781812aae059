import type { Inspection } from '../../server/wire/ip.ts';
import { createCommand } from './command.ts';
import { attributionsOf, factsOf, markOf, verdictOf } from './lookup-view.ts';
import { part } from './part.ts';

/** The card that looks an address up: the visitor's own by a press of the button, or one that is typed. */
export function createLookup(card: HTMLElement): void {
  const form = part(card, 'lookup-form', HTMLFormElement);
  const input = part(card, 'lookup-address', HTMLInputElement);
  const result = part(card, 'lookup-result', HTMLElement);
  const status = part(card, 'lookup-status', HTMLElement);
  const command = createCommand(part(card, 'lookup-command', HTMLElement));
  let latest = 0;

  const urlFor = (address: string) =>
    address === '' ? '/inspect.json' : `/inspect.json?${new URLSearchParams({ queryIP: address })}`;
  const showCommand = () => {
    const url = `${location.origin}${urlFor(input.value.trim())}`;
    command.show(`curl -s '${url.replaceAll("'", '%27')}'`);
  };

  async function lookUp(): Promise<void> {
    const mine = ++latest;
    card.setAttribute('aria-busy', 'true');
    status.textContent = '';
    try {
      const answer = await fetch(urlFor(input.value.trim()));
      const body = await answer.json();
      // A slow answer to an earlier question must not replace the newer one.
      if (mine !== latest) return;
      if (answer.ok) show(body as Inspection);
      else
        refuse(answer.status === 429 ? 'Too many look-ups from here; try again in a minute.' : body.detail);
    } catch {
      if (mine === latest) refuse('No answer from the server. Check the connection and try again.');
    } finally {
      if (mine === latest) card.removeAttribute('aria-busy');
    }
  }

  function refuse(reason: string): void {
    result.hidden = true;
    status.classList.remove('visually-hidden');
    status.textContent = reason.replace(/^query\.queryIP: e/, 'E');
    input.setAttribute('aria-invalid', 'true');
  }

  function show(inspection: Inspection): void {
    input.removeAttribute('aria-invalid');
    result.hidden = false;
    const facts = factsOf(inspection);
    part(card, 'lookup-facts', HTMLElement).replaceChildren(
      ...facts.map(({ name, value }) => row(name, value)),
    );
    const verdict = verdictOf(inspection);
    part(card, 'lookup-verdict', HTMLElement).textContent = verdict;
    part(card, 'lookup-reasons', HTMLElement).replaceChildren(
      ...inspection.echo.reasons.map(({ code, weight, detail }) => bar(code, weight, detail)),
    );
    part(card, 'lookup-attribution', HTMLElement).textContent = attributionsOf(inspection);
    const mark = part(card, 'lookup-mark', HTMLElement);
    const at = markOf(inspection);
    mark.hidden = at === null;
    if (at) {
      mark.style.setProperty('--left', `${at.left}%`);
      mark.style.setProperty('--top', `${at.top}%`);
    }
    // The card shows it; only who listens needs the sentence.
    status.classList.add('visually-hidden');
    status.textContent = `${facts[1].name}: ${facts[1].value}. ${verdict}`;
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void lookUp();
  });
  input.addEventListener('input', showCommand);
  showCommand();
  form.hidden = false;
}

function row(name: string, value: string): HTMLElement {
  const group = document.createElement('div');
  const term = document.createElement('dt');
  const definition = document.createElement('dd');
  term.textContent = name;
  definition.textContent = value;
  group.append(term, definition);
  return group;
}

/** A reason with its weight as a bar: of the whole score, which ends at 1. */
function bar(code: string, weight: number, detail: string): HTMLElement {
  const item = document.createElement('li');
  const label = document.createElement('span');
  label.textContent = `${code.replaceAll('-', ' ')}: ${detail}`;
  const meter = document.createElement('meter');
  meter.max = 1;
  meter.value = weight;
  meter.textContent = weight.toFixed(2);
  meter.setAttribute('aria-label', `${code}, weight`);
  const number = document.createElement('span');
  number.className = 'weight';
  number.textContent = `+${weight.toFixed(2)}`;
  item.append(label, meter, number);
  return item;
}
