/** Terms in a chunk of the vocabulary, and UTF-16 units of them together: beyond either it is divided. Our choice. */
const MOST_TERMS = 256;
const MOST_UNITS = 3_000;

/** A run of the sorted vocabulary. Terms are in the order of their UTF-16 units. */
export type Chunk = {
  terms: string[];
  /** The number under which a term's postings are kept. */
  numbers: number[];
  /** In how many documents, as the floor of its logarithm to base 4: rough, since it is renewed only now and then. */
  classes: number[];
};

/** The sorted vocabulary of a site, in chunks that are fetched as they are needed. */
export type Vocabulary = {
  /** The first term of each chunk, ascending. */
  firsts: readonly string[];
  chunk(i: number): Chunk;
};

export const frequencyClass = (documents: number): number =>
  Math.floor(Math.log2(Math.max(1, documents)) / 2);

/** The last chunk whose first term is not above `term`, or 0. */
export function chunkOf(firsts: readonly string[], term: string): number {
  let low = 0;
  let high = firsts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (firsts[middle] <= term) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** The place of `term` in ascending `terms`, or where it would stand. */
export function placeOf(terms: readonly string[], term: string): number {
  let low = 0;
  let high = terms.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (terms[middle] < term) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The number of `term`, or -1. */
export function numberOf(vocabulary: Vocabulary, term: string): number {
  if (vocabulary.firsts.length === 0) return -1;
  const chunk = vocabulary.chunk(chunkOf(vocabulary.firsts, term));
  const place = placeOf(chunk.terms, term);
  return chunk.terms[place] === term ? chunk.numbers[place] : -1;
}

/**
 * Walks the terms from `start` on, in order, until `visit` gives false.
 * @param visit told the term, its number and its class of frequency
 */
export function walkFrom(
  vocabulary: Vocabulary,
  start: string,
  visit: (term: string, number: number, frequency: number) => boolean,
): void {
  const { firsts } = vocabulary;
  for (let i = chunkOf(firsts, start); i < firsts.length; i++) {
    const chunk = vocabulary.chunk(i);
    for (let k = placeOf(chunk.terms, start); k < chunk.terms.length; k++) {
      if (!visit(chunk.terms[k], chunk.numbers[k], chunk.classes[k])) return;
    }
  }
}

/** Divides `chunk` where it has grown too large; gives it back whole where it has not. */
export function divideChunk(chunk: Chunk): Chunk[] {
  const { terms, numbers, classes } = chunk;
  const parts: Chunk[] = [];
  let units = 0;
  for (const term of terms) units += term.length;
  const wanted = Math.max(Math.ceil(terms.length / MOST_TERMS), Math.ceil(units / MOST_UNITS));
  const unitsEach = units / wanted;
  let from = 0;
  let filled = 0;
  for (let i = 0; i < terms.length; i++) {
    filled += terms[i].length;
    const isFull = filled >= unitsEach || i + 1 - from >= MOST_TERMS;
    if (!isFull && i + 1 < terms.length) continue;
    parts.push({
      terms: terms.slice(from, i + 1),
      numbers: numbers.slice(from, i + 1),
      classes: classes.slice(from, i + 1),
    });
    from = i + 1;
    filled = 0;
  }
  return parts;
}
