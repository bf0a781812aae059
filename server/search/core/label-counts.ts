import { LABEL_MARK } from './page-postings.ts';
import type { Documents } from './postings.ts';
import { type Vocabulary, walkFrom } from './vocabulary.ts';

/** Our choice: labels that are counted in one answer, and postings read for it. */
export const LABELS_MOST = 1_000;
const MOST_POSTINGS = 1_000_000;

/** How many of `docs` have each label, the most frequent first. */
export function countLabels(
  docs: Uint32Array,
  source: { vocabulary: Vocabulary; limit: number; postings(number: number): Documents },
  most: number,
): { label: string; count: number }[] {
  const counted: { label: string; count: number }[] = [];
  if (docs.length === 0) return counted;
  let isAmong: Uint8Array | null = null;
  let read = 0;
  walkFrom(source.vocabulary, LABEL_MARK, (term, number) => {
    if (!term.startsWith(LABEL_MARK) || counted.length >= most || read > MOST_POSTINGS) return false;
    if (isAmong === null) {
      isAmong = new Uint8Array(source.limit);
      for (const doc of docs) isAmong[doc] = 1;
    }
    const postings = source.postings(number);
    let count = 0;
    for (let entry = 0; entry < postings.count; entry++) count += isAmong[postings.docs[entry]];
    read += postings.count;
    if (count > 0) counted.push({ label: term.slice(LABEL_MARK.length), count });
    return true;
  });
  return counted.sort((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1));
}
