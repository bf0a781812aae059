import { after } from '../solver/after.ts';
import { reportQuery, type Trackers } from './analytics.ts';
import { createBarView } from './bar-view.ts';
import { type FinderEvent, type FinderState, IDLE, step } from './finder-state.ts';
import { fill, type Wording } from './finder-text.ts';
import { meaningOf } from './key-meaning.ts';
import { createLastQuestion } from './last-question.ts';
import { createSearchClient } from './search-client.ts';
import type { Settings } from './settings.ts';

// Our choices. A pause between two keys is shorter than the first mostly; a count is worth saying, and a query worth reporting, when the visitor has stopped typing.
const TYPING_MS = 150;
const SAY_MS = 800;
const REPORT_MS = 1500;

/** Brings a bar to life in `shadow`, until the function that it gives is called. */
export function createSearchBar(shadow: ShadowRoot, settings: Settings, wording: Wording): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  let state: FinderState = IDLE;
  let cancelSay = () => {};
  let cancelReport = () => {};
  let reported = '';

  const view = createBarView(shadow, settings, wording, send, () => report());
  const { input } = view;
  const last = createLastQuestion(
    createSearchClient(settings.api, settings.siteId, fetch),
    after,
    (outcome) => {
      const { serial } = state;
      send(
        'answer' in outcome
          ? { type: 'answered', serial, ...outcome }
          : { type: 'failed', serial, ...outcome },
      );
    },
  );

  function send(event: FinderEvent): void {
    const { serial } = state;
    state = step(state, event);
    if (state.serial !== serial) ask(event.type === 'typed' ? TYPING_MS : 0);
    if (event.type === 'answered' || event.type === 'failed') settle();
    view.show(state);
  }

  function ask(delayMs: number): void {
    const { query, labels, page } = state;
    for (const cancel of [cancelSay, cancelReport]) cancel();
    // Empty, so that the same count is said again.
    view.say('');
    if (query === '') {
      last.drop();
      return;
    }
    last.ask({ query, labels, page }, delayMs);
  }

  function settle(): void {
    cancelSay = after(SAY_MS, () => state.isOpen && view.say(describe(state, wording)));
    if (!state.failure) cancelReport = after(REPORT_MS, report);
    if (state.failure === 'setup') {
      console.warn(`<finder-config>: no site ${settings.siteId}`);
    }
  }

  function report(): void {
    cancelReport();
    const { query } = state;
    if (!settings.trackingId || query === '' || query === reported) return;
    reported = query;
    try {
      reportQuery(window as Trackers, location.href, query, settings.trackingId);
    } catch (error) {
      console.warn('<finder-config>: not reported', error);
    }
  }

  function onKey(event: KeyboardEvent): void {
    // Keys of an input method are its own; Safari tells by the code alone.
    if (event.isComposing || event.keyCode === 229 || event.altKey) return;
    const meaning = meaningOf(event.key, state);
    if (!meaning) return;
    event.preventDefault();
    if (meaning.type === 'search') {
      report();
      send({ type: state.failure ? 'retry' : 'open' });
    } else if (meaning.type === 'follow') {
      const { ctrlKey, metaKey, shiftKey } = event;
      const keys = { ctrlKey, metaKey, shiftKey, bubbles: true, cancelable: true, composed: true };
      view.resultAt(state.active)?.dispatchEvent(new MouseEvent('click', keys));
    } else send(meaning);
  }

  input.addEventListener('input', () => send({ type: 'typed', text: input.value }));
  input.addEventListener('keydown', onKey);
  input.addEventListener('focus', () => send({ type: 'open' }));
  input.addEventListener('click', () => send({ type: 'open' }));
  shadow.addEventListener('keydown', (event) => {
    const { key, defaultPrevented } = event as KeyboardEvent;
    if (key === 'Escape' && !defaultPrevented && state.isOpen) {
      input.focus();
      send({ type: 'close' });
    }
  });
  // The page sees no field but the element around it, and would take what is typed for its own shortcuts.
  for (const type of ['keydown', 'keypress', 'keyup']) {
    shadow.addEventListener(type, (event) => {
      const { key, ctrlKey, metaKey, altKey } = event as KeyboardEvent;
      if (key !== 'Tab' && !ctrlKey && !metaKey && !altKey) event.stopPropagation();
    });
  }
  // Looked at when the focus has arrived: what is pressed in the panel may be taken out of it in between.
  shadow.addEventListener('focusout', () => {
    after(0, () => {
      if (!shadow.activeElement) send({ type: 'close' });
    });
  });
  document.addEventListener(
    'pointerdown',
    (event) => {
      if (state.isOpen && !event.composedPath().includes(shadow.host)) send({ type: 'close' });
    },
    { signal, capture: true },
  );
  addEventListener('scroll', view.place, { signal, capture: true, passive: true });
  addEventListener('resize', view.place, { signal });
  window.visualViewport?.addEventListener('resize', view.place, { signal });
  view.show(state);

  return () => {
    ending.abort();
    last.drop();
    for (const cancel of [cancelSay, cancelReport]) cancel();
  };
}

/** What a screen reader says of an outcome. */
function describe({ answer, failure, query }: FinderState, { text, count }: Wording): string {
  if (failure) return text[failure === 'setup' ? 'server' : failure];
  if (!answer) return '';
  const found = answer.total === 0 ? fill(text.none, { query }) : count(answer.total);
  return answer.suggestion ? `${found}. ${fill(text.suggestion, { query: answer.suggestion })}` : found;
}
