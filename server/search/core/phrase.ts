import { FIELD_COUNT } from './norms.ts';
import { createPostings, type Postings, readPositions } from './posting-block.ts';
import type { Phrase } from './query-parse.ts';

// Our choice: documents whose positions are compared for one phrase.
const MOST_COMPARED = 20_000;

/**
 * The documents in which `phrase` stands, with how often per field.
 * @param postingsOf the postings of a term, or null where no document has it
 */
export function findPhrase(phrase: Phrase, postingsOf: (term: string) => Postings | null): Postings {
  const lists: { postings: Postings; offset: number }[] = [];
  for (const { term, offset } of phrase) {
    const postings = postingsOf(term);
    if (!postings) return createPostings(0);
    lists.push({ postings, offset });
  }
  if (lists.length === 1) return lists[0].postings;
  lists.sort((a, b) => a.postings.count - b.postings.count);
  const [rarest, ...others] = lists;
  const found = createPostings(rarest.postings.count);
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
  if (rarest.postings.counts[entry * FIELD_COUNT + field] === 0) return 0;
  let starts = readPositions(rarest.postings, entry, field).map((position) => position - rarest.offset);
  for (const [i, { postings, offset }] of others.entries()) {
    if (starts.length === 0 || postings.counts[cursors[i] * FIELD_COUNT + field] === 0) return 0;
    const positions = readPositions(postings, cursors[i], field);
    let at = 0;
    starts = starts.filter((start) => {
      while (at < positions.length && positions[at] < start + offset) at++;
      return positions[at] === start + offset;
    });
  }
  return starts.length;
}

/** The first entry at or after `from` whose document is not below `doc`: in steps that double, then by halves. */
export function seek({ docs, count }: Postings, doc: number, from: number): number {
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
