import { expandPrefix } from './expansions.ts';
import { type MatchSource, phrasePostings } from './match.ts';
import { plainTitle, TITLE_MARK } from './page-postings.ts';
import { seek } from './phrase.ts';
import type { Documents } from './postings.ts';
import { makePhrase } from './query-parse.ts';
import type { TextTools } from './text-tools.ts';
import { BIGRAM, scanTerms } from './tokens.ts';
import { numberOf, type Vocabulary, walkFrom } from './vocabulary.ts';

type CompleteSource = Pick<MatchSource, 'postings' | 'numberOf'> & {
  vocabulary: Vocabulary;
  documents(number: number): number;
};

// Our choice: ends of a word that are tried, and titles.
const MOST_ENDS = 24;
const MOST_TITLES = 8;
// Words before the last one that must stand on the page as well: the last ones tell most.
const MOST_BEFORE = 16;

/**
 * Whole queries that begin as `text`: its last word completed, where some page has that word beside those before; and
 * documents whose title begins so.
 */
export function completeText(
  text: string,
  source: CompleteSource,
  tools: TextTools,
): { queries: string[]; titled: number[] } {
  return { queries: completeWord(text, source, tools), titled: findTitles(text, source) };
}

function completeWord(text: string, source: CompleteSource, tools: TextTools): string[] {
  let last = { term: '', start: 0, end: -1 };
  scanTerms(text, tools, (term, _position, start, end, role) => {
    // The longest that ends where the text ends: of `node.j` the whole.
    if (role !== BIGRAM && end === text.length && (last.end < end || start < last.start))
      last = { term, start, end };
  });
  if (last.end < 0) return [];
  const before = makePhrase(text.slice(0, last.start), tools);
  const beside = [...new Set(before.map(({ term }) => term))].slice(-MOST_BEFORE);
  const lists = beside.map((term) => phrasePostings([{ term, offset: 0 }], source));
  const own = numberOf(source.vocabulary, last.term);
  const ends = expandPrefix(source.vocabulary, last.term, MOST_ENDS);
  if (own >= 0) ends.push({ term: last.term, number: own, frequency: 0 });
  const ranked: { query: string; pages: number }[] = [];
  for (const { term, number } of ends) {
    const typed = text.slice(last.start);
    const isAsTyped = typed.length === last.term.length;
    const query = text.slice(0, last.start) + (isAsTyped ? typed + term.slice(typed.length) : term);
    const pages = lists.length === 0 ? source.documents(number) : countTogether(number, lists, source);
    if (pages > 0) ranked.push({ query, pages });
  }
  ranked.sort((a, b) => b.pages - a.pages || (a.query < b.query ? -1 : 1));
  return ranked.map(({ query }) => query);
}

function countTogether(number: number, lists: readonly Documents[], source: CompleteSource): number {
  const own = source.postings(number);
  const cursors = lists.map(() => 0);
  let together = 0;
  for (let entry = 0; entry < own.count; entry++) {
    const doc = own.docs[entry];
    const isInAll = lists.every((list, i) => {
      cursors[i] = seek(list, doc, cursors[i]);
      return cursors[i] < list.count && list.docs[cursors[i]] === doc;
    });
    if (isInAll) together++;
  }
  return together;
}

function findTitles(text: string, source: CompleteSource): number[] {
  const start = plainTitle(text);
  const titled: number[] = [];
  if (start === '') return titled;
  const front = (TITLE_MARK + start).slice(0, 97);
  walkFrom(source.vocabulary, front, (term, number) => {
    if (!term.startsWith(front) || titled.length >= MOST_TITLES) return false;
    const { docs, count } = source.postings(number);
    if (count > 0) titled.push(docs[0]);
    return true;
  });
  return titled;
}
