import { countLabels, LABELS_MOST } from './label-counts.ts';
import {
  inverseFrequency,
  type Matches,
  type MatchSource,
  matchGroups,
  phrasePostings,
  release,
} from './match.ts';
import { labelTerm, plainTitle, TITLE_MARK } from './page-postings.ts';
import { type Group, type Plan, type PlanSource, planQuery } from './plan.ts';
import type { SearchRequest } from './ports.ts';
import type { Documents, Postings } from './postings.ts';
import { type PlacedWord, proximityOf } from './proximity.ts';
import { type ParsedQuery, parseQuery } from './query-parse.ts';
import type { TextTools } from './text-tools.ts';
import { BIGRAM, PLAIN } from './tokens.ts';
import { greatest } from './top.ts';

export type RankSource = MatchSource & Omit<PlanSource, 'synonyms'>;

export type Ranking = {
  total: number;
  /** Of the page asked for. */
  docs: { doc: number; score: number }[];
  labels: { label: string; count: number }[];
  suggestion: string | null;
  words: PlacedWord[];
  /** Terms that are marked in results. */
  wanted: Set<string>;
};

// Up to four words a page with more of them comes before one with fewer, whatever the scores: people who type four
// words mean all of them. A sentence is a description instead, and there scores decide, helped by how many words match.
const TIER = 10_000;
// Where a word is missing, which one says more than how many: each counts as much as a rare word does.
const WORD_BONUS = 3;
const SHARE_POWER = 0.05;
// The best by words alone are ordered anew by how near the words stand together.
const RERANKED = 100;
const PROXIMITY = { keywords: 0.4, sentence: 0.2 };
// A title that is typed or pasted has its stop words in it. Beside other words they find nothing by themselves, but tell
// which page is meant. Our choice: the worth of one, and how many pages may have it, so that its postings stay few.
const STOP_WORTH = 4;
const STOP_DOCUMENTS = 20_000;
const STOP_PHRASE = 20;
const STOP_PHRASE_TERMS = 16;
const PREFERRED = 1.1;
const MOST_FORMS_PLACED = 6;

/** The pages of a site for a query, ranked. */
export function rankPages(request: SearchRequest, source: RankSource, tools: TextTools): Ranking {
  const query = parseQuery(request.query, tools);
  const plan = planQuery(query, { ...source, synonyms: request.synonyms }, tools);
  const ranking: Ranking = {
    total: 0,
    docs: [],
    labels: [],
    suggestion: suggest(request.query, plan),
    words: placeWords(plan, source),
    wanted: new Set(),
  };
  for (const group of plan.groups) {
    for (const { term } of group.variants) ranking.wanted.add(term);
    for (const { phrase } of group.phrases) for (const { term } of phrase) ranking.wanted.add(term);
  }
  for (const phrase of query.phrases) for (const { term } of phrase) ranking.wanted.add(term);

  const matches = matchGroups(plan.groups, source, plan.isShort);
  try {
    if (plan.isStopWordsOnly) favourPhrase(query, matches, source);
    if (!query.arePhrasesRequired) preferPhrases(query, matches, source);
    const docs = filterDocs(query, request.labels, matches, source);
    ranking.total = docs.length;
    ranking.labels = countLabels(docs, source, LABELS_MOST);
    const keys = makeKeys(docs, matches, plan, request, source);
    if (request.sort === 'relevance') favourTitle(request.query, docs, keys, source);
    const most = request.offset + request.limit;
    const placed = plan.isShort ? withStopWords(plan, ranking.words, source) : ranking.words;
    // A word alone is near nothing.
    const isReranked = request.sort === 'relevance' && placed.length > 1;
    let places = greatest(keys, isReranked ? Math.max(most, RERANKED) : most);
    if (isReranked)
      places = rerank(places, docs, keys, placed, PROXIMITY[plan.isShort ? 'keywords' : 'sentence']);
    ranking.docs = places
      .slice(request.offset, most)
      .map((place) => ({ doc: docs[place], score: matches.scores[docs[place]] }));
    return ranking;
  } finally {
    release(matches);
  }
}

function suggest(query: string, { corrections }: Plan): string | null {
  let suggestion = query;
  for (const { start, end, term } of [...corrections].reverse()) {
    suggestion = suggestion.slice(0, start) + term + suggestion.slice(end);
  }
  return suggestion === query ? null : suggestion;
}

function placeWords(plan: Plan, source: RankSource): PlacedWord[] {
  return plan.groups
    .filter((group) => group.variants.length > 0)
    .map((group) => ({
      position: group.position,
      worth: inverseFrequency(group.variants[0].documents, source.pages) * group.weight,
      // Forms that may be many and long are read when their word is placed in a page.
      get lists() {
        const lists: Postings[] = strongest(group).map(({ number }) => source.postings(number));
        Object.defineProperty(this, 'lists', { value: lists });
        return lists;
      },
    }));
}

// The words of a short query with its stop words between them.
function withStopWords(
  { stopWords }: Plan,
  words: readonly PlacedWord[],
  source: RankSource,
): readonly PlacedWord[] {
  const stops = stopWords.flatMap(({ term, position }): PlacedWord[] => {
    const number = source.numberOf(term);
    if (number < 0 || source.documents(number) > STOP_DOCUMENTS) return [];
    return [{ position, worth: STOP_WORTH, lists: [source.postings(number)] }];
  });
  return [...words, ...stops].sort((a, b) => a.position - b.position);
}

const strongest = (group: Group) =>
  [...group.variants].sort((a, b) => b.weight - a.weight).slice(0, MOST_FORMS_PLACED);

// Where every word is a stop word, most pages have them all: the page that has them in this order is meant.
function favourPhrase(query: ParsedQuery, { scores }: Matches, source: RankSource): void {
  const terms = query.terms
    .filter(({ role }) => role === PLAIN || role === BIGRAM)
    .slice(0, STOP_PHRASE_TERMS);
  if (terms.length < 2) return;
  const phrase = terms.map(({ term, position }) => ({ term, offset: position - terms[0].position }));
  const found = phrasePostings(phrase, source);
  for (let i = 0; i < found.count; i++) if (scores[found.docs[i]] > 0) scores[found.docs[i]] += STOP_PHRASE;
}

function preferPhrases(query: ParsedQuery, { scores }: Matches, source: RankSource): void {
  for (const phrase of query.phrases) {
    const { docs, count } = phrasePostings(phrase, source);
    for (let i = 0; i < count; i++) if (scores[docs[i]] > 0) scores[docs[i]] *= PREFERRED;
  }
}

function filterDocs(
  query: ParsedQuery,
  labels: readonly string[],
  { docs }: Matches,
  source: RankSource,
): Uint32Array {
  let kept = docs;
  if (query.arePhrasesRequired) {
    for (const phrase of query.phrases) kept = withIn(kept, phrasePostings(phrase, source), true);
  }
  for (const label of labels) {
    kept = withIn(kept, phrasePostings([{ term: labelTerm(label), offset: 0 }], source), true);
  }
  for (const phrase of query.excluded) kept = withIn(kept, phrasePostings(phrase, source), false);
  return kept;
}

function withIn(docs: Uint32Array, { docs: listed, count }: Documents, isIn: boolean): Uint32Array {
  const set = new Set<number>(listed.subarray(0, count));
  return docs.filter((doc) => set.has(doc) === isIn);
}

function makeKeys(
  docs: Uint32Array,
  { scores, matched }: Matches,
  plan: Plan,
  request: SearchRequest,
  source: RankSource,
): Float64Array {
  const keys = new Float64Array(docs.length);
  const required = plan.groups.filter(({ isOptional }) => !isOptional).length;
  // No iterator: this runs once for every page that matches.
  for (let place = 0; place < docs.length; place++) {
    const doc = docs[place];
    if (request.sort === 'date') keys[place] = source.dateOf(doc);
    else if (plan.isShort) {
      keys[place] = (matched[doc] >= required ? TIER : 0) + matched[doc] * WORD_BONUS + scores[doc];
    } else keys[place] = scores[doc] * (Math.max(1, matched[doc]) / required) ** SHARE_POWER;
  }
  return keys;
}

// A page whose title is the query is what was asked for.
function favourTitle(query: string, docs: Uint32Array, keys: Float64Array, source: RankSource): void {
  const title = plainTitle(query);
  if (title === '') return;
  const number = source.numberOf(TITLE_MARK + title.slice(0, 96));
  if (number < 0) return;
  const { docs: listed, count } = source.postings(number);
  const named = new Set<number>(listed.subarray(0, count));
  for (let place = 0; place < docs.length; place++) if (named.has(docs[place])) keys[place] += TIER;
}

function rerank(
  places: number[],
  docs: Uint32Array,
  keys: Float64Array,
  words: readonly PlacedWord[],
  weight: number,
): number[] {
  const first = places.slice(0, RERANKED);
  const nearness = new Map<number, number>();
  for (const place of first) {
    nearness.set(place, keys[place] + weight * proximityOf(words, docs[place]));
  }
  first.sort((a, b) => (nearness.get(b) as number) - (nearness.get(a) as number) || a - b);
  return [...first, ...places.slice(RERANKED)];
}
