import { chunkOf, frequencyClass, placeOf } from '../../search/core/vocabulary.ts';
import type { Segment } from './segment.ts';
import { CHUNK_TERMS } from './segment-writer.ts';
import { countLiving } from './term-postings.ts';

/** A segment as it stands in a site now. */
export type LivingSegment = {
  segment: Segment;
  dead: Uint8Array | null;
  /** The number of its first document in the site. */
  base: number;
};

const MOST_CHUNKS = 2 ** 20;

/** A term in one of the segments, in one number: which, and its chunk and place there. */
const sourceOf = (segment: number, chunk: number, place: number): number =>
  (segment * MOST_CHUNKS + chunk) * CHUNK_TERMS + place;

export function readSource(source: number): { segment: number; chunk: number; place: number } {
  const chunks = Math.floor(source / CHUNK_TERMS);
  return {
    segment: Math.floor(chunks / MOST_CHUNKS),
    chunk: chunks % MOST_CHUNKS,
    place: source % CHUNK_TERMS,
  };
}

/** A run of the vocabulary of all segments together. */
export type SiteChunk = {
  terms: string[];
  numbers: number[];
  classes: number[];
  /** Pages that have the term. */
  documents: number[];
  /** The sources of term i are sources[starts[i]] to sources[starts[i + 1]]. */
  sources: number[];
  starts: number[];
};

// Our choice: a segment of fewer chunks adds its terms to the chunks of larger ones.
const LEAST_CHUNKS = 4;
/** Terms that a chunk of a site may have: its number times this, plus the place, is the number of a term. */
export const NUMBERS_A_CHUNK = 65_536;

export const isLarge = ({ segment }: LivingSegment): boolean => segment.firsts.length >= LEAST_CHUNKS;

/** The first terms of the chunks in which the vocabulary of all segments is read together. @param large those that are */
export function firstsOf(large: readonly LivingSegment[]): readonly string[] {
  if (large.length === 1) return ['', ...large[0].segment.firsts.slice(1)];
  const firsts = new Set(large.flatMap(({ segment }) => segment.firsts));
  firsts.delete('');
  return ['', ...[...firsts].sort()];
}

type Cursor = {
  index: number;
  chunkAt: number;
  place: number;
  terms: readonly string[];
  living: Uint32Array;
  term: string;
};

/** The terms of all segments from `from` on, below `to` where it is given. */
export function readSiteChunk(
  segments: readonly LivingSegment[],
  number: number,
  from: string,
  to: string | undefined,
): SiteChunk {
  const chunk: SiteChunk = { terms: [], numbers: [], classes: [], documents: [], sources: [], starts: [0] };
  const next = (cursor: Cursor): boolean => {
    cursor.place++;
    if (cursor.place >= cursor.terms.length) {
      const { segment, dead } = segments[cursor.index];
      cursor.chunkAt++;
      cursor.place = 0;
      if (cursor.chunkAt >= segment.firsts.length) return false;
      if (to !== undefined && segment.firsts[cursor.chunkAt] >= to) return false;
      cursor.terms = segment.chunk(cursor.chunkAt).terms;
      cursor.living = livingOf(segment, cursor.chunkAt, dead);
    }
    cursor.term = cursor.terms[cursor.place];
    return to === undefined || cursor.term < to;
  };
  let cursors: Cursor[] = [];
  for (const [index, { segment, dead }] of segments.entries()) {
    if (segment.firsts.length === 0) continue;
    const chunkAt = chunkOf(segment.firsts, from);
    const { terms } = segment.chunk(chunkAt);
    const place = placeOf(terms, from) - 1;
    const cursor = { index, chunkAt, place, terms, living: livingOf(segment, chunkAt, dead), term: '' };
    if (next(cursor)) cursors.push(cursor);
  }
  while (cursors.length > 0) {
    let least = cursors[0].term;
    for (let i = 1; i < cursors.length; i++) if (cursors[i].term < least) least = cursors[i].term;
    let documents = 0;
    let isEnded = false;
    for (const cursor of cursors) {
      if (cursor.term !== least) continue;
      const living = cursor.living[cursor.place];
      if (living > 0) {
        documents += living;
        chunk.sources.push(sourceOf(cursor.index, cursor.chunkAt, cursor.place));
      }
      if (!next(cursor)) {
        cursor.index = -1;
        isEnded = true;
      }
    }
    if (isEnded) cursors = cursors.filter(({ index }) => index >= 0);
    if (documents === 0) continue;
    chunk.numbers.push(number * NUMBERS_A_CHUNK + chunk.terms.length);
    chunk.terms.push(least);
    chunk.classes.push(frequencyClass(documents));
    chunk.documents.push(documents);
    chunk.starts.push(chunk.sources.length);
  }
  return chunk;
}

// Documents of each term that are not deleted.
function livingOf(segment: Segment, i: number, dead: Uint8Array | null): Uint32Array {
  const { terms, documents, postingsAt } = segment.chunk(i);
  if (dead === null) return documents;
  const bytes = segment.bytes(postingsAt[0], postingsAt[terms.length]);
  return documents.map((count, k) => countLiving(bytes, postingsAt[k] - postingsAt[0], count, dead));
}
