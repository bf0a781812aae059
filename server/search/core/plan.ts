import { editsAllowed, expandPrefix, expandStem, expandTypos } from './expansions.ts';
import { makePhrase, type ParsedQuery, type Phrase, type QueryTerm } from './query-parse.ts';
import type { TextTools } from './text-tools.ts';
import { BIGRAM, CAMEL_PART, COMPOUND, PLAIN } from './tokens.ts';
import { numberOf, type Vocabulary } from './vocabulary.ts';

/** A term of the vocabulary that counts for a word of the query, by this much. */
export type Variant = {
  term: string;
  number: number;
  weight: number;
  documents: number;
  /** An end or a correction that we thought of: not the word, a form of it or its synonym. */
  isGuess: boolean;
};

/** A word of the query with everything that counts for it. */
export type Group = {
  variants: Variant[];
  /** Other wordings of several words that count for it. */
  phrases: { phrase: Phrase; weight: number }[];
  position: number;
  /** How much the whole word counts. */
  weight: number;
  /** One that a page need not have to match all of the query. */
  isOptional: boolean;
};

export type Plan = {
  groups: Group[];
  /** Stop words beside other words: they find nothing, but tell which of the pages is meant. */
  stopWords: readonly QueryTerm[];
  /** Set where every word is a stop word: their order is then what counts. */
  isStopWordsOnly: boolean;
  /** Up to four words: keywords, all of which are meant. More are a description. */
  isShort: boolean;
  /** Words that stand in no page, and what was likely meant. */
  corrections: { start: number; end: number; term: string }[];
};

export type PlanSource = {
  vocabulary: Vocabulary;
  /** In how many documents the term of this number stands. */
  documents(number: number): number;
  /** Languages of the site, the most frequent first. */
  languages: readonly string[];
  synonyms: readonly (readonly string[])[];
  /** What `compute` gives for `key`, which may be kept while the vocabulary is the same. */
  remember<Value extends object>(key: string, compute: () => Value): Value;
};

/** What is read once for all words of a query, and what they have used of its limits. */
type Prepared = PlanSource & {
  wordings: ReadonlyMap<string, Phrase[][]>;
  corrected: number;
  synonymsLeft: number;
};

// Our choice of weights: a form of the same word counts little less than the word, a guess counts half.
// Who types one word types the form that is meant; a sentence has whatever form its grammar asks for.
const STEM_WEIGHTS = { keywords: 0.4, sentence: 0.8 };
const SYNONYM_WEIGHT = 0.8;
const PREFIX_WEIGHT = 0.5;
const TYPO_WEIGHTS = [1, 0.5, 0.3];
const OPTIONAL_WEIGHT = 0.25;
const MOST_KEYWORDS = 4;
const MOST_STEMS = 16;
const MOST_PREFIXES = 48;
const MOST_TYPOS = 12;
const MOST_SYNONYMS = 32;
const MOST_SYNONYMS_OF_QUERY = 128;
const MOST_GROUPS = 128;
// Looking for what was meant walks the vocabulary: a query of a hundred unknown words is no typing error.
const MOST_CORRECTED = 16;
// A word that hardly a page has is a typing error of the page, too, where a much more frequent word is next to it.
const RARE_DOCUMENTS = 2;
const FREQUENT_CLASS = 3;

/** Turns a parsed query into groups of terms that are in the vocabulary. */
export function planQuery(query: ParsedQuery, source: PlanSource, tools: TextTools): Plan {
  const { vocabulary } = source;
  // A compound that the vocabulary does not know is left to its parts.
  const words = query.terms.filter(
    (word) => word.role !== CAMEL_PART && (word.role !== COMPOUND || numberOf(vocabulary, word.term) >= 0),
  );
  const spoken = tools.detect(words.map(({ term }) => term));
  const stopLanguages = spoken === null ? source.languages.slice(0, 1) : [spoken];
  const isStop = ({ term, role }: QueryTerm) =>
    role === PLAIN && stopLanguages.some((language) => tools.isStopWord(language, term));
  const content = words.filter((word) => !isStop(word));
  const isStopWordsOnly = content.length === 0;
  const used = isStopWordsOnly ? words : content;

  const required = new Set(
    used.filter((word) => !isOptional(word, query.terms, vocabulary)).map(({ term }) => term),
  );
  const isShort = required.size <= MOST_KEYWORDS;
  const stopWords = isStopWordsOnly ? [] : words.filter(isStop);
  const prepared = {
    ...source,
    wordings: readSynonyms(source.synonyms, query, tools),
    corrected: 0,
    synonymsLeft: MOST_SYNONYMS_OF_QUERY,
  };
  const plan: Plan = { groups: [], stopWords, isStopWordsOnly, isShort, corrections: [] };
  const seen = new Map<string, Group>();
  for (const word of used) {
    const known = seen.get(word.term);
    if (known) {
      known.weight += known.isOptional ? 0 : 1;
      continue;
    }
    if (plan.groups.length >= MOST_GROUPS) break;
    const isLast = query.isOpen && word === used.at(-1) && word.term === query.terms.at(-1)?.term;
    const group = makeGroup(word, isLast, query, prepared, tools, plan);
    group.isOptional = isOptional(word, query.terms, vocabulary);
    if (group.isOptional) group.weight = OPTIONAL_WEIGHT;
    seen.set(word.term, group);
    plan.groups.push(group);
  }
  return plan;
}

// Words that a hyphen joins are words of their own; other joints, and digits, make a name.
const HYPHENATED = /^[\p{L}\p{M}]+(-[\p{L}\p{M}]+)+$/u;

// Parts of a name that is known itself, words with hyphens beside their parts, and segments beside their pairs.
function isOptional(word: QueryTerm, all: readonly QueryTerm[], vocabulary: Vocabulary): boolean {
  if (word.role === COMPOUND) return HYPHENATED.test(word.term);
  if (word.role !== PLAIN) return false;
  return all.some(({ role, term, start, end }) => {
    if (role === BIGRAM) return start >= word.start && end <= word.end;
    const isAround = role === COMPOUND && start <= word.start && end >= word.end;
    return isAround && !HYPHENATED.test(term) && numberOf(vocabulary, term) >= 0;
  });
}

function makeGroup(
  word: QueryTerm,
  isLast: boolean,
  query: ParsedQuery,
  source: Prepared,
  tools: TextTools,
  plan: Plan,
): Group {
  const { vocabulary } = source;
  const group: Group = { variants: [], phrases: [], position: word.position, weight: 1, isOptional: false };
  const add = (term: string, number: number, weight: number, isGuess = false) => {
    const known = group.variants.find((variant) => variant.number === number);
    if (known) known.weight = Math.max(known.weight, weight);
    else group.variants.push({ term, number, weight, documents: source.documents(number), isGuess });
  };
  const addWord = (term: string, weight: number) => {
    const number = numberOf(vocabulary, term);
    if (number >= 0) add(term, number, weight);
    if (/^[\p{L}\p{M}]+$/u.test(term) && word.role === PLAIN) {
      const expand = () => expandStem(vocabulary, term, source.languages, tools, MOST_STEMS);
      for (const form of source.remember(`form ${term}`, expand)) {
        add(form.term, form.number, weight * (plan.isShort ? STEM_WEIGHTS.keywords : STEM_WEIGHTS.sentence));
      }
    }
  };

  addWord(word.term, 1);
  const documents = group.variants.reduce((sum, variant) => sum + variant.documents, 0);
  addSynonyms(word, query, source, group, addWord);
  const hasForms = group.variants.length > 0;
  let completes = 0;
  if (isLast && word.role !== BIGRAM) {
    const expand = () => expandPrefix(vocabulary, word.term, MOST_PREFIXES);
    for (const { term, number } of source.remember(`front ${word.term}`, expand)) {
      completes++;
      // The nearer the word is to its end, the likelier it is meant.
      add(term, number, PREFIX_WEIGHT * (0.5 + (0.5 * word.term.length) / term.length), true);
    }
  }
  if (word.role === PLAIN && /^[\p{L}\p{M}]+$/u.test(word.term)) {
    const isRare = hasForms && documents <= RARE_DOCUMENTS;
    if (((!hasForms && completes === 0) || isRare) && source.corrected++ < MOST_CORRECTED) {
      const expand = () => expandTypos(vocabulary, word.term, editsAllowed(word.term), MOST_TYPOS);
      const found = source.remember(`typo ${word.term}`, expand);
      const meant = isRare ? found.filter(({ frequency }) => frequency >= FREQUENT_CLASS) : found;
      for (const { term, number, edits } of meant)
        add(term, number, TYPO_WEIGHTS[edits] * (isRare ? 0.5 : 1), true);
      if (meant.length > 0 && !hasForms) {
        plan.corrections.push({ start: word.start, end: word.end, term: likeliest(meant, source).term });
      }
    }
  }
  return group;
}

function likeliest<T extends { number: number; edits: number }>(found: readonly T[], source: PlanSource): T {
  const least = found[0].edits;
  const nearest = found.filter(({ edits }) => edits === least);
  return nearest.reduce((best, one) =>
    source.documents(one.number) > source.documents(best.number) ? one : best,
  );
}

// The wordings of every synonym that begins with a word of the query, by that word: read once, since a site may have
// thirty thousand of them.
function readSynonyms(
  synonyms: PlanSource['synonyms'],
  query: ParsedQuery,
  tools: TextTools,
): ReadonlyMap<string, Phrase[][]> {
  const wordings = new Map<string, Phrase[][]>();
  if (synonyms.length === 0) return wordings;
  for (const { term } of query.terms) wordings.set(term, []);
  for (const entry of synonyms) {
    const phrases = entry.map((text) => makePhrase(text, tools)).filter((phrase) => phrase.length > 0);
    for (const first of new Set(phrases.map((phrase) => phrase[0].term))) wordings.get(first)?.push(phrases);
  }
  return wordings;
}

function addSynonyms(
  word: QueryTerm,
  query: ParsedQuery,
  source: Prepared,
  group: Group,
  addWord: (term: string, weight: number) => void,
): void {
  let added = 0;
  for (const wordings of source.wordings.get(word.term) ?? []) {
    if (!wordings.some((phrase) => startsHere(phrase, word, query))) continue;
    for (const phrase of wordings) {
      if (added++ >= MOST_SYNONYMS || source.synonymsLeft-- <= 0) return;
      if (phrase.length > 1) group.phrases.push({ phrase, weight: SYNONYM_WEIGHT });
      else if (phrase[0].term !== word.term) addWord(phrase[0].term, SYNONYM_WEIGHT);
    }
  }
}

function startsHere(phrase: Phrase, word: QueryTerm, query: ParsedQuery): boolean {
  return (
    phrase[0].term === word.term &&
    phrase.every(({ term, offset }) =>
      query.terms.some((other) => other.term === term && other.position === word.position + offset),
    )
  );
}
