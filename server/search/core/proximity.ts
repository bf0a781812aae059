import { BODY } from './norms.ts';
import { seek } from './phrase.ts';
import type { Postings } from './postings.ts';

/** A word of the query as it stands in pages: its place in the query, its worth, and the lists of its forms. */
export type PlacedWord = { position: number; worth: number; lists: readonly Postings[] };

const FURTHEST = 8;
const FIELDS_READ = [0, BODY];
// A pair in the title is worth this much of one in the body.
const FIELD_WORTH = [1.5, 0, 1, 0, 0];

/**
 * How near the words of the query stand together in `doc`, in the order of the query: for each two that follow one
 * another, the lesser worth of both divided by the square of how much further apart they are than in the query.
 */
export function proximityOf(words: readonly PlacedWord[], doc: number): number {
  const entries = words.map(({ lists }) => lists.map((postings) => entryOf(postings, doc)));
  let sum = 0;
  for (const field of FIELDS_READ) {
    let before = positionsOf(words[0], entries[0], field);
    for (let i = 1; i < words.length; i++) {
      const here = positionsOf(words[i], entries[i], field);
      if (before.length > 0 && here.length > 0) {
        const wanted = words[i].position - words[i - 1].position;
        const excess = nearest(before, here, wanted);
        if (excess <= FURTHEST) {
          sum += (FIELD_WORTH[field] * Math.min(words[i].worth, words[i - 1].worth)) / (1 + excess) ** 2;
        }
      }
      before = here;
    }
  }
  return sum;
}

function entryOf(postings: Postings, doc: number): number {
  const entry = seek(postings, doc, 0);
  return entry < postings.count && postings.docs[entry] === doc ? entry : -1;
}

/** Where the forms of a word stand in `field`, ascending. */
function positionsOf(
  { lists }: PlacedWord,
  entries: readonly number[],
  field: number,
  most?: number,
): number[] {
  let found: number[] = [];
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i];
    const postings = lists[i];
    if (entry < 0) continue;
    const positions = postings.positionsIn(entry, field, most);
    if (positions.length === 0) continue;
    found = found.length === 0 ? positions : [...found, ...positions].sort((a, b) => a - b);
  }
  return found;
}

// The least difference from the distance wanted; words the other way round count three more.
function nearest(before: readonly number[], here: readonly number[], wanted: number): number {
  let least = Number.POSITIVE_INFINITY;
  let at = 0;
  for (const position of here) {
    while (at < before.length && before[at] < position) at++;
    if (at > 0) least = Math.min(least, Math.abs(position - before[at - 1] - wanted));
    if (at < before.length) least = Math.min(least, before[at] - position + 3);
    if (least === 0) return 0;
  }
  return least;
}

/** All positions in the body of `doc` at which a word of the query stands, ascending, with the word's worth. */
export function bodyPositions(
  words: readonly PlacedWord[],
  doc: number,
  most: number,
): { position: number; word: number }[] {
  const found: { position: number; word: number }[] = [];
  for (const [word, placed] of words.entries()) {
    const entries = placed.lists.map((postings) => entryOf(postings, doc));
    const positions = positionsOf(placed, entries, BODY, most);
    for (let i = 0; i < positions.length && i < most; i++) found.push({ position: positions[i], word });
  }
  return words.length > 1 ? found.sort((a, b) => a.position - b.position) : found;
}
