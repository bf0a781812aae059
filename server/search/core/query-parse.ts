import { fold } from './fold.ts';
import type { TextTools } from './text-tools.ts';
import { BIGRAM, COMPOUND, PLAIN, type Role, scanTerms } from './tokens.ts';

/** A word of the query and where it stands in it. */
export type QueryTerm = { term: string; position: number; start: number; end: number; role: Role };

/** Terms that must stand at these distances from one another. */
export type Phrase = readonly { term: string; offset: number }[];

export type ParsedQuery = {
  terms: readonly QueryTerm[];
  phrases: readonly Phrase[];
  /** Quotation marks in a whole sentence are the writer's own: such a phrase is preferred then, not required. */
  arePhrasesRequired: boolean;
  excluded: readonly Phrase[];
  /** Whether the last term may be the beginning of a longer one. */
  isOpen: boolean;
};

// Our choice: a query of 1,024 bytes has fewer words than this, unless they are single letters.
const MOST_TERMS = 400;
const MOST_PHRASES = 8;
/** Our choice: of a longer phrase its first words are looked for. */
const MOST_PHRASE_TERMS = 64;
const SENTENCE_WORDS = 8;
// A minus excludes at the start of a word only: `well-known` is one word.
const PARTS = /(?<![^\s(])(-?)["“”„«]([^"“”„«»]*)["“”»]|(?<![^\s(])-(?=[^\s-])(\S+)/gu;

/** Reads words, `"phrases"` and `-exclusions`. Any text is a query. */
export function parseQuery(query: string, tools: Pick<TextTools, 'segment'>): ParsedQuery {
  const terms: QueryTerm[] = [];
  const phrases: Phrase[] = [];
  const excluded: Phrase[] = [];
  let position = 0;
  const addTerms = (from: number, to: number) => {
    const add = (term: string, at: number, start: number, end: number, role: Role) => {
      if (terms.length < MOST_TERMS) terms.push({ term, position: at, start, end, role });
    };
    position = scanTerms(query, tools, add, position, from, to);
  };
  let from = 0;
  for (const match of query.matchAll(PARTS)) {
    addTerms(from, match.index);
    from = match.index + match[0].length;
    const [, minus, quoted, word] = match;
    const phrase = makePhrase(quoted ?? word, tools);
    if (phrase.length === 0) continue;
    if (word !== undefined || minus === '-') {
      if (excluded.length < MOST_PHRASES) excluded.push(phrase);
    } else if (phrases.length < MOST_PHRASES) {
      phrases.push(phrase);
      // Its words are scored and marked like any others.
      addTerms(match.index, from);
    }
  }
  addTerms(from, query.length);
  const last = terms.at(-1);
  const quoted = phrases.reduce((sum, phrase) => sum + phrase.length, 0);
  const arePhrasesRequired = terms.filter(({ role }) => role === PLAIN).length - quoted <= SENTENCE_WORDS;
  const isOpen = last !== undefined && last.end === query.length && from < query.length;
  return { terms, phrases, arePhrasesRequired, excluded, isOpen };
}

/**
 * The terms whose order makes `text`: of a compound its own name alone where it is all there is, else plain words, and
 * pairs of characters in dense scripts.
 */
export function makePhrase(text: string, tools: Pick<TextTools, 'segment'>): Phrase {
  const plain: { term: string; offset: number }[] = [];
  let whole: string | null = null;
  let hasBigrams = false;
  scanTerms(text, tools, (term, offset, _start, _end, role) => {
    if (plain.length >= MOST_PHRASE_TERMS) return;
    if (role === BIGRAM) hasBigrams = true;
    if (role === PLAIN || role === BIGRAM) plain.push({ term, offset });
    if (role === COMPOUND && term === fold(text.trim())) whole = term;
  });
  if (whole !== null) return [{ term: whole, offset: 0 }];
  return hasBigrams ? plain.filter(({ term, offset }) => !isCovered(term, offset, plain)) : plain;
}

// A segment beside the bigrams that spell it adds nothing, and may be segmented otherwise in the page.
function isCovered(
  term: string,
  offset: number,
  plain: readonly { term: string; offset: number }[],
): boolean {
  return plain.some(
    (other) =>
      other.term !== term &&
      isPairAt(other.term) &&
      Math.abs(other.offset - offset) <= 1 &&
      sharesEdge(term, other.term),
  );
}

const isPairAt = (term: string): boolean => Array.from(term).length === 2;
const sharesEdge = (term: string, pair: string): boolean => {
  const [first, second] = Array.from(pair);
  return term.startsWith(pair) || term === first || term === second;
};
