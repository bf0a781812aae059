import type { Result } from './answer.ts';
import { emphasise, make } from './elements.ts';
import { type FinderEvent, type FinderState, hasMore } from './finder-state.ts';
import { fill, type Wording } from './finder-text.ts';
import { makeResult } from './result-view.ts';

/** What stands below the field. */
export type PanelView = {
  element: HTMLElement;
  list: HTMLElement;
  show(state: FinderState): void;
};

// Our choice: two or three lines of them on a phone; the server gives the most frequent first.
const MOST_CATEGORIES = 12;

/** @param follow is told of a result before the browser goes there */
export function createPanelView(
  { text, count, number }: Wording,
  send: (event: FinderEvent) => void,
  follow: () => void,
): PanelView {
  const element = make('div', 'panel');
  const categories = make('div', 'categories', { role: 'group', 'aria-label': text.categories });
  const suggestion = make('button', 'suggestion', { type: 'button' });
  const note = make('p', 'note');
  const retry = make('button', 'retry', { type: 'button' });
  const list = make('div', 'results', { id: 'results', role: 'listbox', 'aria-label': text.results });
  const foot = make('div', 'foot');
  const counted = make('span', 'count');
  const more = make('button', 'more', { type: 'button' });
  retry.textContent = text.retry;
  more.textContent = text.more;
  foot.append(counted, more);
  element.append(categories, suggestion, list, note, retry, foot);

  const buttons = new Map<string, HTMLButtonElement>();
  let results: readonly Result[] = [];

  // The keyboard stays in the field: what is pressed by pointer takes it from nobody.
  element.addEventListener('mousedown', (event) => event.preventDefault());
  suggestion.addEventListener('click', () => send({ type: 'suggested' }));
  retry.addEventListener('click', () => send({ type: 'retry' }));
  more.addEventListener('click', () => send({ type: 'more' }));
  list.addEventListener('click', (event) => {
    if ((event.target as Element).closest('a')) follow();
  });

  function showCategories({ answer, labels }: FinderState): void {
    const found = answer?.categories ?? [];
    const most = found.filter(({ label }, at) => at < MOST_CATEGORIES || labels.includes(label));
    // A chosen one that finds nothing stays in sight, so that it can be given up.
    const lost = labels.filter((label) => !found.some((category) => category.label === label));
    const shown = [...lost.map((label) => ({ label, count: 0 })), ...most].map((category) => {
      const button = buttons.get(category.label) ?? makeCategory(category.label);
      const isChosen = labels.includes(category.label);
      button.setAttribute('aria-pressed', String(isChosen));
      (button.lastChild as HTMLElement).textContent = number(category.count);
      return button;
    });
    if (
      shown.length !== categories.children.length ||
      shown.some((button, at) => categories.children[at] !== button)
    ) {
      categories.replaceChildren(...shown);
    }
    categories.hidden = shown.length === 0;
  }

  function makeCategory(label: string): HTMLButtonElement {
    const button = make('button', 'category', { type: 'button' });
    const name = make('span', 'label', { dir: 'auto' });
    name.textContent = label;
    button.append(name, ' ', make('span', 'number'));
    button.addEventListener('click', () => send({ type: 'category', label }));
    buttons.set(label, button);
    return button;
  }

  function showResults(wanted: readonly Result[]): void {
    const isLonger = results.length > 0 && results.every((result, at) => result === wanted[at]);
    const from = isLonger ? results.length : 0;
    if (!isLonger) list.replaceChildren();
    list.append(...wanted.slice(from).map((result, at) => makeResult(result, from + at)));
    if (!isLonger) element.scrollTop = 0;
    results = wanted;
    list.hidden = wanted.length === 0;
  }

  function showNote({ isLoading, answer, failure, query }: FinderState): void {
    const isNone = answer?.total === 0 && !isLoading;
    const isWaiting = isLoading && !answer;
    note.replaceChildren();
    if (failure) note.append(text[failure === 'setup' ? 'server' : failure]);
    else if (isNone) note.append(...emphasise(`{all}${text.noneNote}`, '{all}', fill(text.none, { query })));
    else if (isWaiting) note.append(text.searching);
    element.classList.toggle('waiting', isWaiting);
    note.hidden = !note.hasChildNodes();
    retry.hidden = failure === null || failure === 'setup';
  }

  return {
    element,
    list,
    show(state) {
      const { answer, active } = state;
      showCategories(state);
      suggestion.hidden = !answer?.suggestion;
      if (answer?.suggestion) {
        suggestion.replaceChildren(...emphasise(text.suggestion, '{query}', answer.suggestion));
      }
      if (answer?.results !== results) showResults(answer?.results ?? []);
      for (const [at, option] of [...list.children].entries()) {
        option.setAttribute('aria-selected', String(at === active));
      }
      showNote(state);
      foot.hidden = !answer?.results.length;
      counted.textContent = count(answer?.total ?? 0);
      more.hidden = !hasMore(state) || state.failure !== null;
    },
  };
}
