import { BODY, FIELD_COUNT } from './norms.ts';
import { type ByteReader, type ByteWriter, readVarint, reserve, writeVarint } from './varint.ts';

/** Our choice: of a word that stands more often in a field only the first are kept, so that a posting stays small. */
export const MOST_POSITIONS = 256;

// A word that stands 65,535 times in a page says nothing more by the next.
const MOST_COUNTED = 65_535;

const ONLY_BODY = 1 << BODY;
const MASK = (1 << FIELD_COUNT) - 1;
const HIGH = 8 - FIELD_COUNT;
const SPILLED = (1 << HIGH) - 1;

/** Documents, ascending. */
export type Documents = { count: number; docs: Uint32Array };

/** The documents of a term with what they score for it, and where it stands in them. Not to be changed. */
export type Postings = Documents & {
  /** Weighed occurrences in all fields, and in the title by itself. */
  sums: Float32Array;
  titles: Float32Array;
  /** How often the term stands in a field of the document of `entry`. */
  countIn(entry: number, field: number): number;
  /** Where it stands there, ascending, the first `most`. */
  positionsIn(entry: number, field: number, most?: number): number[];
};

export const noPostings = (): Postings => ({
  count: 0,
  docs: new Uint32Array(0),
  sums: new Float32Array(0),
  titles: new Float32Array(0),
  countIn: () => 0,
  positionsIn: () => [],
});

/**
 * Writes the occurrences of one term in one document, and their positions apart from them, since scores need none.
 * Occurrences: a byte (bits 0..4: fields; bits 5..7, where the body is the only one: occurrences - 1, 7 = more), then as
 * varints what is not in that byte. Positions: the differences in each field, as varints.
 * @param positions ascending, field after field; `counts[field]` of them belong to each, from `start` on
 */
export function writePosting(
  occurrences: ByteWriter,
  places: ByteWriter,
  counts: ArrayLike<number>,
  positions: ArrayLike<number>,
  start: number,
): void {
  let mask = 0;
  for (let field = 0; field < FIELD_COUNT; field++) if (counts[field] > 0) mask |= 1 << field;
  reserve(occurrences, 1);
  if (mask === ONLY_BODY) {
    const beyond = Math.min(counts[BODY] - 1, SPILLED);
    occurrences.bytes[occurrences.at++] = mask | (beyond << FIELD_COUNT);
    if (beyond === SPILLED) writeVarint(occurrences, Math.min(counts[BODY], MOST_COUNTED) - 1 - SPILLED);
  } else {
    occurrences.bytes[occurrences.at++] = mask;
    for (let field = 0; field < FIELD_COUNT; field++) {
      if (counts[field] > 0) writeVarint(occurrences, Math.min(counts[field], MOST_COUNTED));
    }
  }
  let at = start;
  for (let field = 0; field < FIELD_COUNT; field++) {
    const count = counts[field];
    let last = 0;
    for (let i = 0; i < count && i < MOST_POSITIONS; i++) {
      writeVarint(places, positions[at + i] - last);
      last = positions[at + i];
    }
    at += count;
  }
}

/** Reads over the occurrences of one document. @returns how many positions belong to them */
export function skipOccurrences(reader: ByteReader): number {
  const head = reader.bytes[reader.at++];
  if ((head & MASK) === ONLY_BODY) {
    const occurrences = (head >> FIELD_COUNT) + 1;
    if (occurrences <= SPILLED) return occurrences;
    return Math.min(MOST_POSITIONS, occurrences + readVarint(reader));
  }
  let positions = 0;
  for (let field = 0; field < FIELD_COUNT; field++) {
    if ((head & (1 << field)) !== 0) positions += Math.min(MOST_POSITIONS, readVarint(reader));
  }
  return positions;
}

/** The place behind `positions` varints that begin at `from`. */
export function skipPositions(bytes: Uint8Array, from: number, positions: number): number {
  let at = from;
  for (let left = positions; left > 0; left--) while (bytes[at++] > 127);
  return at;
}

/** How often the term of the occurrences at `at` stands in `field`. */
export function countAt(bytes: Uint8Array, at: number, field: number): number {
  const head = bytes[at];
  if ((head & (1 << field)) === 0) return 0;
  const reader = { bytes, at: at + 1 };
  if ((head & MASK) === ONLY_BODY) {
    const occurrences = (head >> FIELD_COUNT) + 1;
    return occurrences <= SPILLED ? occurrences : occurrences + readVarint(reader);
  }
  for (let before = 0; before < field; before++) if ((head & (1 << before)) !== 0) readVarint(reader);
  return readVarint(reader);
}

/** The positions in `field` of the document whose occurrences stand at `at`, and its positions in `places` at `placesAt`. */
export function positionsAt(
  bytes: Uint8Array,
  at: number,
  places: Uint8Array,
  placesAt: number,
  field: number,
  most: number,
): number[] {
  const head = bytes[at];
  if ((head & (1 << field)) === 0) return [];
  const counts = { bytes, at: at + 1 };
  let from = placesAt;
  let count = (head >> FIELD_COUNT) + 1;
  if ((head & MASK) !== ONLY_BODY) {
    for (let before = 0; before < field; before++) {
      if ((head & (1 << before)) !== 0)
        from = skipPositions(places, from, Math.min(MOST_POSITIONS, readVarint(counts)));
    }
    count = readVarint(counts);
  } else if (count > SPILLED) count += readVarint(counts);
  count = Math.min(MOST_POSITIONS, most, count);
  const reader = { bytes: places, at: from };
  const positions: number[] = [];
  let last = 0;
  for (let i = 0; i < count; i++) {
    last += readVarint(reader);
    positions.push(last);
  }
  return positions;
}

/**
 * Weighs the occurrences at the reader, and reads over them.
 * @param factors from `lengthFactors`; `norms[at]` are those of the document's fields
 * @param sums, titles the weights are written to place `entry`
 */
export function weighOccurrences(
  reader: ByteReader,
  factors: Float64Array,
  norms: Uint8Array,
  at: number,
  sums: Float32Array,
  titles: Float32Array,
  entry: number,
): void {
  const head = reader.bytes[reader.at++];
  if ((head & MASK) === ONLY_BODY) {
    let occurrences = (head >> FIELD_COUNT) + 1;
    if (occurrences > SPILLED) occurrences += readVarint(reader);
    sums[entry] = occurrences * factors[BODY * 256 + norms[at + BODY]];
    return;
  }
  let sum = 0;
  for (let field = 0; field < FIELD_COUNT; field++) {
    if ((head & (1 << field)) === 0) continue;
    const occurrences = readVarint(reader);
    sum += occurrences * factors[field * 256 + norms[at + field]];
    if (field === 0) titles[entry] = occurrences * factors[FIELD_COUNT * 256 + norms[at]];
  }
  sums[entry] = sum;
}
