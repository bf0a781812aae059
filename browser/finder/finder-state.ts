import type { Answer, Result } from './answer.ts';

/** Why there is no answer. `setup` is the operator's to mend. */
export type Failure = 'offline' | 'setup' | 'server';

export type FinderState = {
  /** What stands in the field. */
  text: string;
  /** What is asked for; empty where nothing is. */
  query: string;
  labels: readonly string[];
  /** Pages of the answer, from 1. */
  page: number;
  /** Counts what was asked: an answer to any but the last is stale. */
  serial: number;
  isLoading: boolean;
  /** The last one that came; stays in sight until the next is here. */
  answer: Answer | null;
  failure: Failure | null;
  /** Place of the result that Enter would open, or -1. */
  active: number;
  /** Never where nothing is asked for. */
  isOpen: boolean;
};

export type Move = 'next' | 'previous' | 'first' | 'last';

export type FinderEvent =
  | { type: 'typed'; text: string }
  | { type: 'answered'; serial: number; answer: Answer }
  | { type: 'failed'; serial: number; failure: Failure }
  | { type: 'category'; label: string }
  | { type: 'suggested' | 'more' | 'retry' | 'open' | 'close' | 'clear' }
  | { type: 'move'; to: Move };

/** Results a page; as many as the server gives unasked. */
export const PAGE_RESULTS = 10;

export const IDLE: FinderState = {
  text: '',
  query: '',
  labels: [],
  page: 1,
  serial: 0,
  isLoading: false,
  answer: null,
  failure: null,
  active: -1,
  isOpen: false,
};

/** Whether there are results behind those that are shown. */
export const hasMore = ({ answer, page }: FinderState): boolean =>
  answer !== null && page * PAGE_RESULTS < answer.total;

/** What follows of an event. A changed `serial` says that the server has to be asked. */
export function step(state: FinderState, event: FinderEvent): FinderState {
  switch (event.type) {
    case 'typed': {
      const query = event.text.trim().replace(/\s+/g, ' ');
      if (query === '') return { ...IDLE, text: event.text, serial: state.serial + 1 };
      if (query === state.query) return { ...state, text: event.text, isOpen: true };
      return { ...askFor(state, query), text: event.text };
    }
    case 'suggested':
      return state.answer?.suggestion ? askFor(state, state.answer.suggestion) : state;
    case 'clear':
      return { ...IDLE, serial: state.serial + 1 };
    case 'category': {
      const { labels } = state;
      const isChosen = labels.includes(event.label);
      const others = labels.filter((label) => label !== event.label);
      return ask(state, { labels: isChosen ? others : [...labels, event.label], page: 1, active: -1 });
    }
    case 'more':
      return state.isLoading || state.failure || !hasMore(state)
        ? state
        : ask(state, { page: state.page + 1 });
    case 'retry':
      return state.failure ? ask(state) : state;
    case 'answered':
      return event.serial === state.serial ? take(state, event.answer) : state;
    case 'failed':
      if (event.serial !== state.serial) return state;
      return {
        ...state,
        isLoading: false,
        failure: event.failure,
        answer: state.page > 1 ? state.answer : null,
      };
    case 'open':
      return state.query === '' ? state : { ...state, isOpen: true };
    case 'close':
      return { ...state, isOpen: false, active: -1 };
    case 'move':
      return { ...state, isOpen: state.query !== '', active: moveActive(state, event.to) };
  }
}

const askFor = (state: FinderState, query: string) => ask(state, { text: query, query, page: 1, active: -1 });

const ask = (state: FinderState, changes: Partial<FinderState> = {}): FinderState => ({
  ...state,
  isLoading: true,
  failure: null,
  isOpen: true,
  ...changes,
  serial: state.serial + 1,
});

function take(state: FinderState, answer: Answer): FinderState {
  const before = state.page > 1 ? (state.answer?.results ?? []) : [];
  // A page that was written in between moves others on to the next page.
  const isNew = ({ id }: Result) => !before.some((known) => known.id === id);
  const results = [...before, ...answer.results.filter(isNew)];
  return { ...state, isLoading: false, failure: null, answer: { ...answer, results } };
}

/** The field itself has its turn between the last and the first result, as in the combobox pattern of the ARIA guide. */
function moveActive({ answer, active }: FinderState, to: Move): number {
  const turns = (answer?.results.length ?? 0) + 1;
  if (to === 'last') return turns - 2;
  if (to === 'first') return Math.min(0, turns - 2);
  return ((active + (to === 'next' ? 2 : turns)) % turns) - 1;
}
