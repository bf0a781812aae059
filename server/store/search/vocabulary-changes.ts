import {
  type Chunk,
  chunkOf,
  divideChunk,
  frequencyClass,
  placeOf,
  type Vocabulary,
} from '../../search/core/vocabulary.ts';

/** What a batch of writes does to the vocabulary of a site. */
export type TermChange = { term: string; number: number; documents: number };

/**
 * The chunks that `changes` touch, as they are afterwards: terms that are new come in, terms that no document has any
 * more go, and classes of frequency are renewed.
 * A chunk whose terms stay and whose classes stay is left alone.
 * @param changes in any order, a term once
 */
export function changeVocabulary(
  vocabulary: Vocabulary,
  changes: readonly TermChange[],
): { gone: string[]; chunks: Chunk[] } {
  const sorted = [...changes].sort((a, b) => (a.term < b.term ? -1 : 1));
  const gone: string[] = [];
  const chunks: Chunk[] = [];
  const { firsts } = vocabulary;
  let at = 0;
  for (let i = firsts.length === 0 ? 0 : chunkOf(firsts, sorted[0]?.term ?? ''); at < sorted.length; i++) {
    const end = i + 1 < firsts.length ? firsts[i + 1] : null;
    const from = at;
    while (at < sorted.length && (end === null || sorted[at].term < end)) at++;
    if (at === from) continue;
    const old: Chunk = i < firsts.length ? vocabulary.chunk(i) : { terms: [], numbers: [], classes: [] };
    const own = sorted.slice(from, at);
    if (!isTouched(old, own)) continue;
    const changed = mergeChunk(old, own);
    if (i < firsts.length) gone.push(firsts[i]);
    if (changed.terms.length > 0) chunks.push(...divideChunk(changed));
  }
  return { gone, chunks };
}

function isTouched(chunk: Chunk, changes: readonly TermChange[]): boolean {
  return changes.some(({ term, documents }) => {
    const place = placeOf(chunk.terms, term);
    const isThere = chunk.terms[place] === term;
    return isThere !== documents > 0 || (isThere && chunk.classes[place] !== frequencyClass(documents));
  });
}

function mergeChunk(old: Chunk, changes: readonly TermChange[]): Chunk {
  const merged: Chunk = { terms: [], numbers: [], classes: [] };
  const push = (term: string, number: number, frequency: number) => {
    merged.terms.push(term);
    merged.numbers.push(number);
    merged.classes.push(frequency);
  };
  let at = 0;
  for (const { term, number, documents } of changes) {
    for (; at < old.terms.length && old.terms[at] < term; at++)
      push(old.terms[at], old.numbers[at], old.classes[at]);
    if (old.terms[at] === term) at++;
    if (documents > 0) push(term, number, frequencyClass(documents));
  }
  for (; at < old.terms.length; at++) push(old.terms[at], old.numbers[at], old.classes[at]);
  return merged;
}
