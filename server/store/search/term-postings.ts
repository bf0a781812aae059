import {
  countAt,
  MOST_POSITIONS,
  type Postings,
  positionsAt,
  skipOccurrences,
  skipPositions,
  weighOccurrences,
} from '../../search/core/postings.ts';
import { readVarint } from '../../search/core/varint.ts';
import { NORMS_AT, RECORD_BYTES } from './segment-writer.ts';

/** The postings of a term in one segment. */
export type PostingsPart = {
  /** How many documents, the deleted ones among them. */
  documents: number;
  bytes: Uint8Array;
  /** Reads where the term stands in them. */
  places(): Uint8Array;
  placesBytes: number;
  records: Uint8Array;
  /** A mark at each deleted document of the segment. */
  dead: Uint8Array | null;
  /** The number of its first document in the site. */
  base: number;
};

/** How many documents of a term are not deleted. */
export function countLiving(bytes: Uint8Array, from: number, documents: number, dead: Uint8Array): number {
  const reader = { bytes, at: from };
  let living = 0;
  for (let left = documents, doc = 0; left > 0; left--) {
    doc += readVarint(reader);
    living += 1 - dead[doc];
  }
  return living;
}

/** The postings of a term in a site: those of its segments, one after another. */
export function readPostings(parts: readonly PostingsPart[], factors: Float64Array): Postings {
  const most = parts.reduce((sum, { documents }) => sum + documents, 0);
  const docs = new Uint32Array(most);
  const sums = new Float32Array(most);
  const titles = new Float32Array(most);
  // Where the occurrences of each entry begin in the bytes of its part.
  const starts = new Uint32Array(most);
  const ends: number[] = [];
  let count = 0;
  for (const { documents, bytes, records, dead, base } of parts) {
    const reader = { bytes, at: 0 };
    const from = count;
    for (let i = 0, doc = 0; i < documents; i++) {
      doc += readVarint(reader);
      docs[from + i] = doc;
    }
    for (let i = 0; i < documents; i++) {
      const doc = docs[from + i];
      if (dead?.[doc]) {
        skipOccurrences(reader);
        continue;
      }
      starts[count] = reader.at;
      weighOccurrences(reader, factors, records, doc * RECORD_BYTES + NORMS_AT, sums, titles, count);
      docs[count++] = base + doc;
    }
    ends.push(count);
  }
  const places: ({ bytes: Uint8Array; starts: Uint32Array } | undefined)[] = [];
  const partOf = (entry: number): number => {
    let part = 0;
    while (entry >= ends[part]) part++;
    return part;
  };
  return {
    count,
    docs,
    sums,
    titles,
    countIn(entry, field) {
      return countAt(parts[partOf(entry)].bytes, starts[entry], field);
    },
    positionsIn(entry, field, limit = MOST_POSITIONS) {
      const part = partOf(entry);
      const from = part === 0 ? 0 : ends[part - 1];
      places[part] ??= findPlaces(parts[part], starts, from, ends[part]);
      const { bytes, starts: placeStarts } = places[part];
      return positionsAt(parts[part].bytes, starts[entry], bytes, placeStarts[entry - from], field, limit);
    },
  };
}

// Where the positions of each entry begin: found once, for all of a part.
function findPlaces(
  { documents, bytes, places }: PostingsPart,
  starts: Uint32Array,
  from: number,
  to: number,
): { bytes: Uint8Array; starts: Uint32Array } {
  const placeBytes = places();
  const placeStarts = new Uint32Array(to - from);
  const reader = { bytes, at: 0 };
  for (let left = documents; left > 0; left--) while (bytes[reader.at++] > 127);
  let at = 0;
  for (let left = documents, entry = from; left > 0; left--) {
    if (entry < to && starts[entry] === reader.at) placeStarts[entry++ - from] = at;
    at = skipPositions(placeBytes, at, skipOccurrences(reader));
  }
  return { bytes: placeBytes, starts: placeStarts };
}

/** Bytes that postings take in memory, roughly, with their positions. */
export const postingsBytes = (parts: readonly PostingsPart[]): number =>
  parts.reduce(
    (sum, { documents, bytes, placesBytes }) => sum + documents * 20 + bytes.length + placesBytes + 400,
    800,
  );
