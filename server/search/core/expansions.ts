import type { TextTools } from './text-tools.ts';
import { numberOf, type Vocabulary, walkFrom } from './vocabulary.ts';

/** A term of the vocabulary that stands for a word of the query. */
export type Expansion = { term: string; number: number; frequency: number };

// Our choice: what one word of a query may look at in the vocabulary, however large the site.
const MOST_WALKED = 20_000;

/** Terms that begin with `prefix` and are not it: the most frequent, and of equal ones the shortest, at most `most`. */
export function expandPrefix(vocabulary: Vocabulary, prefix: string, most: number): Expansion[] {
  const found: Expansion[] = [];
  let walked = 0;
  walkFrom(vocabulary, prefix, (term, number, frequency) => {
    if (!term.startsWith(prefix)) return false;
    if (term !== prefix) found.push({ term, number, frequency });
    return ++walked < MOST_WALKED;
  });
  return mostFrequent(found, most);
}

function mostFrequent(found: Expansion[], most: number): Expansion[] {
  found.sort(
    (a, b) => b.frequency - a.frequency || a.term.length - b.term.length || (a.term < b.term ? -1 : 1),
  );
  return found.slice(0, most);
}

/** A stemmer takes away an ending and may change the letter before it (happy, happi), so this much stays in front. */
const STEM_TAIL = 1;
const SHORTEST_FRONT = 2;
// English "-ization" fits; a longer word with the same front is likely another word.
const LONGEST_ENDING = 7;
// A stem takes some µs, and most neighbours of a word in technical texts are names with digits and joints.
const NAME = /[^\p{L}\p{M}]/u;

/**
 * Terms other than `word` that share its stem in one of `languages`, at most `most`.
 * They are found among their neighbours: words of one stem begin alike, so that no second table is kept.
 */
export function expandStem(
  vocabulary: Vocabulary,
  word: string,
  languages: readonly string[],
  tools: Pick<TextTools, 'stem'>,
  most: number,
): Expansion[] {
  const found = new Map<string, Expansion>();
  const byFront = new Map<string, { language: string; stem: string }[]>();
  for (const language of languages) {
    const stem = tools.stem(language, word);
    let front = stem.slice(0, Math.max(SHORTEST_FRONT, stem.length - STEM_TAIL));
    if (!word.startsWith(front)) front = commonFront(word, stem);
    if (front.length < SHORTEST_FRONT) continue;
    const same = byFront.get(front);
    if (same) same.push({ language, stem });
    else byFront.set(front, [{ language, stem }]);
  }
  for (const [front, wanted] of byFront) {
    const isStem =
      (term: string) =>
      ({ language, stem }: { language: string; stem: string }) =>
        term.length <= stem.length + LONGEST_ENDING && tools.stem(language, term) === stem;
    const longest = LONGEST_ENDING + wanted.reduce((most, { stem }) => Math.max(most, stem.length), 0);
    let walked = 0;
    walkFrom(vocabulary, front, (term, number, frequency) => {
      if (!term.startsWith(front)) return false;
      if (term.length <= longest && term !== word && !NAME.test(term) && wanted.some(isStem(term)))
        found.set(term, { term, number, frequency });
      return ++walked < MOST_WALKED;
    });
  }
  return mostFrequent([...found.values()], most);
}

function commonFront(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}

/** Mistypings forgiven in a word of this many letters. */
export const editsAllowed = (word: string): number => (word.length < 5 ? 0 : word.length < 9 ? 1 : 2);

export type Correction = Expansion & { edits: number };

// First letters that are tried in the place of a wrong one.
const FIRST_LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz0123456789абвгдежзийклмнопрстуфхцчшщэюя');

/**
 * Terms within `edits` mistypings of `word`: a letter missing, added or replaced, or two neighbours exchanged, counts one;
 * where the first letter is wrong it counts two.
 * @returns the nearest first, then the most frequent, at most `most`
 */
export function expandTypos(vocabulary: Vocabulary, word: string, edits: number, most: number): Correction[] {
  if (edits === 0) return [];
  const found = walkSimilar(vocabulary, word, edits);
  if (edits > 1) {
    const rest = word.slice(1);
    const others = [rest, word[1] + word[0] + word.slice(2)];
    for (const letter of FIRST_LETTERS) others.push(letter + rest, letter + word);
    for (const term of new Set(others)) {
      if (term === word || term[0] === word[0]) continue;
      const number = numberOf(vocabulary, term);
      if (number >= 0) found.push({ term, number, frequency: 0, edits: 2 });
    }
  }
  found.sort((a, b) => a.edits - b.edits || b.frequency - a.frequency || (a.term < b.term ? -1 : 1));
  return found.slice(0, most);
}

// One pass over the terms with the first letter. The rows of the edit distance (optimal string alignment) are kept for
// the letters that a term shares with the one before it, and what shares a hopeless front is passed over.
function walkSimilar(vocabulary: Vocabulary, word: string, edits: number): Correction[] {
  const found: Correction[] = [];
  const width = word.length + 1;
  const longest = word.length + edits;
  const rows = new Uint8Array((longest + 2) * width);
  for (let i = 0; i < width; i++) rows[i] = i;
  let last = '';
  // Rows 0..ready hold for `last`; with `hopeless` letters of it nothing can be found any more.
  let ready = 0;
  let hopeless = Number.POSITIVE_INFINITY;
  const first = word[0];
  walkFrom(vocabulary, first, (term, number, frequency) => {
    if (term[0] !== first) return false;
    let shared = 0;
    const most = Math.min(term.length, last.length);
    while (shared < most && term.charCodeAt(shared) === last.charCodeAt(shared)) shared++;
    if (shared >= hopeless) return true;
    hopeless = Number.POSITIVE_INFINITY;
    ready = Math.min(ready, shared);
    last = term;
    while (ready < term.length) {
      if (ready >= longest) {
        hopeless = ready + 1;
        return true;
      }
      const least = fillRow(rows, width, ready + 1, term, word, edits);
      ready++;
      if (least > edits) {
        hopeless = ready;
        return true;
      }
    }
    const distance = rows[term.length * width + word.length];
    if (distance > 0 && distance <= edits) found.push({ term, number, frequency, edits: distance });
    return true;
  });
  return found;
}

// Row `row` of the table: the distances of the first `row` letters of `term` to each front of `word`. Gives the least.
function fillRow(
  rows: Uint8Array,
  width: number,
  row: number,
  term: string,
  word: string,
  edits: number,
): number {
  const here = row * width;
  const above = here - width;
  const letter = term.charCodeAt(row - 1);
  rows[here] = row;
  let least = row;
  const from = Math.max(1, row - edits - 1);
  const to = Math.min(width - 1, row + edits + 1);
  if (from > 1) rows[here + from - 1] = edits + 1;
  for (let i = from; i <= to; i++) {
    const same = letter === word.charCodeAt(i - 1);
    let distance = Math.min(
      rows[above + i - 1] + (same ? 0 : 1),
      rows[above + i] + 1,
      rows[here + i - 1] + 1,
    );
    // Both words keep their first letter: an exchange of the first two is another word's business.
    if (
      row > 2 &&
      i > 2 &&
      letter === word.charCodeAt(i - 2) &&
      term.charCodeAt(row - 2) === word.charCodeAt(i - 1)
    ) {
      distance = Math.min(distance, rows[above - width + i - 2] + 1);
    }
    rows[here + i] = distance;
    if (distance < least) least = distance;
  }
  if (to < width - 1) rows[here + to + 1] = edits + 1;
  return least;
}
