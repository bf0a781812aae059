import { FIELD_COUNT } from './norms.ts';
import { type Documents, noPostings, type Postings } from './postings.ts';
import type { Phrase } from './query-parse.ts';

// Our choice: documents whose positions are compared for one phrase.
const MOST_COMPARED = 20_000;

/** Documents, and how often a phrase stands in each of their fields: `FIELD_COUNT` numbers for each. */
export type FoundPhrase = Documents & { counts: Uint16Array };

/**
 * The documents in which `phrase` stands: the postings of the word where it is only one.
 * @param postingsOf the postings of a term, or null where no document has it
 */
export function findPhrase(
  phrase: Phrase,
  postingsOf: (term: string) => Postings | null,
): Postings | FoundPhrase {
  const lists: { postings: Postings; offset: number }[] = [];
  for (const { term, offset } of phrase) {
    const postings = postingsOf(term);
    if (!postings) return noPostings();
    lists.push({ postings, offset });
  }
  if (lists.length === 0) return noPostings();
  if (lists.length === 1) return lists[0].postings;
  lists.sort((a, b) => a.postings.count - b.postings.count);
  const [rarest, ...others] = lists;
  const most = Math.min(rarest.postings.count, MOST_COMPARED);
  const found = { count: 0, docs: new Uint32Array(most), counts: new Uint16Array(most * FIELD_COUNT) };
  const cursors = others.map(() => 0);
  let compared = 0;
  for (let entry = 0; entry < rarest.postings.count; entry++) {
    const doc = rarest.postings.docs[entry];
    let isInAll = true;
    for (const [i, { postings }] of others.entries()) {
      cursors[i] = seek(postings, doc, cursors[i]);
      if (cursors[i] >= postings.count || postings.docs[cursors[i]] !== doc) {
        isInAll = false;
        break;
      }
    }
    if (!isInAll) continue;
    if (++compared > MOST_COMPARED) break;
    const base = found.count * FIELD_COUNT;
    let total = 0;
    for (let field = 0; field < FIELD_COUNT; field++) {
      const count = countInField(rarest, entry, others, cursors, field);
      found.counts[base + field] = count;
      total += count;
    }
    if (total > 0) found.docs[found.count++] = doc;
  }
  return found;
}

type Shifted = { postings: Postings; offset: number };

function countInField(
  rarest: Shifted,
  entry: number,
  others: readonly Shifted[],
  cursors: readonly number[],
  field: number,
): number {
  if (rarest.postings.countIn(entry, field) === 0) return 0;
  let starts = rarest.postings.positionsIn(entry, field).map((position) => position - rarest.offset);
  for (const [i, { postings, offset }] of others.entries()) {
    if (starts.length === 0 || postings.countIn(cursors[i], field) === 0) return 0;
    const positions = postings.positionsIn(cursors[i], field);
    let at = 0;
    starts = starts.filter((start) => {
      while (at < positions.length && positions[at] < start + offset) at++;
      return positions[at] === start + offset;
    });
  }
  return starts.length;
}

/** The first entry at or after `from` whose document is not below `doc`: in steps that double, then by halves. */
export function seek({ docs, count }: Documents, doc: number, from: number): number {
  let low = from;
  let step = 1;
  while (low + step < count && docs[low + step] < doc) {
    low += step;
    step *= 2;
  }
  let high = Math.min(count, low + step);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (docs[middle] < doc) low = middle + 1;
    else high = middle;
  }
  return low;
}
