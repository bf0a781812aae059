import { FIELD_COUNT, normToLength } from './norms.ts';
import { type FoundPhrase, findPhrase } from './phrase.ts';
import type { Group, Variant } from './plan.ts';
import type { Documents, Postings } from './postings.ts';
import type { Phrase } from './query-parse.ts';

/** What is read while pages are matched. */
export type MatchSource = {
  /** Documents have numbers below this. */
  limit: number;
  pages: number;
  /** What `lengthFactors` gives for the site as it is now. */
  factors: Float64Array;
  /** The postings of a term, weighed by `factors`. */
  postings(number: number): Postings;
  numberOf(term: string): number;
  /** The length of a field of a document as one byte. */
  normOf(doc: number, field: number): number;
  /** When a document was published, or else updated: Unix seconds. */
  dateOf(doc: number): number;
};

// BM25F (Robertson, Zaragoza 2009, §3.6). Weights are our choice, measured on collections with judgements.
const K1 = 2;
const WEIGHTS = [3, 1.5, 1, 1.2, 1.5];
const LENGTH_SHARES = [0.5, 0.5, 0.75, 0.4, 0.3];

// In a short query a word in the title says more than one more occurrence: titles are then scored once more by
// themselves, with how rare the word is in titles, and with how much of the title it is. A title that has two of four
// words says a quarter of that: such pages are many, and what they tell is in their text.
const TITLE_EVIDENCE = 1.5;
const TITLE_K1 = 1.2;
const TITLE_COVERAGE_POWER = 2;
const TITLE_SHARE = 0.4;
const TITLE_FACTORS = FIELD_COUNT * 256;

// Our choice: postings that one query reads before words that most pages have are looked up for its candidates alone.
const MOST_POSTINGS = 1_000_000;

/** What matches: `docs` in no order, and for each its score, and how many words it matches. */
export type Matches = { docs: Uint32Array; scores: Float64Array; matched: Uint8Array };

type Accumulators = {
  /** Documents that match, and those of one word. */
  docs: Uint32Array;
  own: Uint32Array;
  scores: Float64Array;
  words: Float64Array;
  titles: Float64Array;
  titleSums: Float64Array;
  titleHits: Uint8Array;
  matched: Uint8Array;
};
let pool: Accumulators = makeAccumulators(1_024);

function makeAccumulators(size: number): Accumulators {
  return {
    docs: new Uint32Array(size),
    own: new Uint32Array(size),
    scores: new Float64Array(size),
    words: new Float64Array(size),
    titles: new Float64Array(size),
    titleSums: new Float64Array(size),
    titleHits: new Uint8Array(size),
    matched: new Uint8Array(size),
  };
}

/**
 * Scores every document that has a word of the query.
 * The arrays are indexed by document, and hold until `release` is called, which must be.
 */
export function matchGroups(groups: readonly Group[], source: MatchSource, isShort: boolean): Matches {
  if (pool.scores.length < source.limit) pool = makeAccumulators(Math.ceil(source.limit * 1.25));
  const { docs, own, scores, words, titles, titleSums, titleHits, matched } = pool;
  let count = 0;
  const order = groups
    .map((group) => ({ group, documents: documentsOf(group) }))
    .sort((a, b) => a.documents - b.documents);
  let read = 0;
  for (const { group, documents } of order) {
    const onlyCandidates = count > 0 && read + documents > MOST_POSTINGS;
    let ownCount = 0;
    let reached = 0;
    let sure = 0;
    for (const { postings, weight, isGuess } of listsOf(group, source, MOST_POSTINGS)) {
      ownCount = addList(postings, weight, pool, ownCount, onlyCandidates ? matched : null);
      reached += postings.count;
      if (!isGuess) sure = ownCount;
    }
    read += reached;
    const frequency = Math.max(sure > 0 ? sure : ownCount, frequentDocuments(group));
    const inverse = inverseFrequency(frequency, source.pages) * group.weight;
    const inTitles = isShort ? titleWeight(own, ownCount, titles, source.pages) * group.weight : 0;
    for (let i = 0; i < ownCount; i++) {
      const doc = own[i];
      const weight = words[doc];
      const title = titles[doc];
      words[doc] = 0;
      titles[doc] = 0;
      // Every word adds something to a score.
      if (scores[doc] === 0) docs[count++] = doc;
      scores[doc] += (inverse * weight * (K1 + 1)) / (weight + K1);
      if (inTitles > 0 && title > 0) {
        titleSums[doc] += (inTitles * title * (TITLE_K1 + 1)) / (title + TITLE_K1);
        if (!group.isOptional) titleHits[doc]++;
      }
      if (!group.isOptional) matched[doc]++;
    }
  }
  const found = docs.subarray(0, count);
  if (isShort) addTitles(found, groups, pool);
  return { docs: found, scores, matched };
}

function addTitles(
  docs: Uint32Array,
  groups: readonly Group[],
  { scores, titleSums, titleHits }: Accumulators,
): void {
  const required = Math.max(1, groups.filter(({ isOptional }) => !isOptional).length);
  for (const doc of docs) {
    if (titleSums[doc] === 0) continue;
    scores[doc] += titleSums[doc] * (titleHits[doc] / required) ** TITLE_COVERAGE_POWER;
    titleSums[doc] = 0;
    titleHits[doc] = 0;
  }
}

function titleWeight(own: Uint32Array, count: number, titles: Float64Array, pages: number): number {
  let titled = 0;
  for (let i = 0; i < count; i++) if (titles[own[i]] > 0) titled++;
  return TITLE_EVIDENCE * inverseFrequency(titled, pages);
}

/** Gives the arrays back. */
export function release({ docs, scores, matched }: Matches): void {
  for (const doc of docs) {
    scores[doc] = 0;
    matched[doc] = 0;
  }
}

/** ln(1 + (N - n + ½) / (n + ½)): never negative, also for words that most pages have. */
export const inverseFrequency = (documents: number, pages: number): number =>
  Math.log(1 + (Math.max(0, pages - documents) + 0.5) / (documents + 0.5));

const documentsOf = (group: Group): number =>
  group.variants.reduce((sum, { documents }) => sum + documents, 0);

// How often a word stands in the site is asked of the word and its forms: a frequent word next to it must not make a rare
// one look frequent. Where all is guessed, a guess that happens to be rare must not make the word look rare.
function frequentDocuments({ variants }: Group): number {
  const isSure = variants.some(({ isGuess }) => !isGuess);
  return variants.reduce(
    (most, { documents, isGuess }) => (isSure && isGuess ? most : Math.max(most, documents)),
    0,
  );
}

function* listsOf(
  group: Group,
  source: MatchSource,
  mostPostings: number,
): Generator<{ postings: Weighed; weight: number; isGuess: boolean }> {
  let read = 0;
  for (const variant of byWeight(group.variants)) {
    // Always the first: a word alone must find its pages, however many.
    if (read > 0 && read + variant.documents > mostPostings) continue;
    read += variant.documents;
    yield { postings: source.postings(variant.number), weight: variant.weight, isGuess: variant.isGuess };
  }
  for (const { phrase, weight } of group.phrases) {
    yield { postings: weighPhrase(phrasePostings(phrase, source), source), weight, isGuess: false };
  }
}

// What is sure, first.
const byWeight = (variants: readonly Variant[]): Variant[] =>
  [...variants].sort((a, b) => Number(a.isGuess) - Number(b.isGuess) || b.weight - a.weight);

/** The documents in which `phrase` stands. */
export function phrasePostings(
  phrase: Phrase,
  source: Pick<MatchSource, 'postings' | 'numberOf'>,
): Postings | FoundPhrase {
  return findPhrase(phrase, (term) => {
    const number = source.numberOf(term);
    return number < 0 ? null : source.postings(number);
  });
}

/** weight / (1 - b + b · length / average) for each field and norm, from the words per field in an average page. */
export function lengthFactors(averages: readonly number[]): Float64Array {
  const factors = new Float64Array(TITLE_FACTORS + 256);
  for (let field = 0; field < FIELD_COUNT; field++) {
    const share = LENGTH_SHARES[field];
    const average = Math.max(1, averages[field]);
    for (let norm = 0; norm < 256; norm++) {
      factors[field * 256 + norm] = WEIGHTS[field] / (1 - share + (share * normToLength(norm)) / average);
    }
  }
  for (let norm = 0; norm < 256; norm++) {
    const length = normToLength(norm) / Math.max(1, averages[0]);
    factors[TITLE_FACTORS + norm] = 1 / (1 - TITLE_SHARE + TITLE_SHARE * length);
  }
  return factors;
}

type Weighed = Documents & { sums: Float32Array; titles: Float32Array };

function addList(
  { docs, count, sums, titles: inTitle }: Weighed,
  weight: number,
  { words, titles, own }: Accumulators,
  before: number,
  candidates: Uint8Array | null,
): number {
  let ownCount = before;
  for (let entry = 0; entry < count; entry++) {
    const doc = docs[entry];
    if (candidates !== null && candidates[doc] === 0) continue;
    if (words[doc] === 0) own[ownCount++] = doc;
    words[doc] += sums[entry] * weight;
    titles[doc] += inTitle[entry] * weight;
  }
  return ownCount;
}

function weighPhrase(found: Postings | FoundPhrase, { factors, normOf }: MatchSource): Weighed {
  if (!('counts' in found)) return found;
  const { docs, counts, count } = found;
  const sums = new Float32Array(count);
  const titles = new Float32Array(count);
  for (let entry = 0; entry < count; entry++) {
    for (let field = 0; field < FIELD_COUNT; field++) {
      const occurrences = counts[entry * FIELD_COUNT + field];
      if (occurrences === 0) continue;
      const norm = normOf(docs[entry], field);
      sums[entry] += occurrences * factors[field * 256 + norm];
      if (field === 0) titles[entry] = occurrences * factors[TITLE_FACTORS + norm];
    }
  }
  return { docs, count, sums, titles };
}
