import { BODY, FIELD_COUNT } from './norms.ts';
import { type ByteWriter, readVarint, reserve, writeBytes, writeVarint } from './varint.ts';

/** Documents in a block, at most. */
export const BLOCK_DOCUMENTS = 128;
/** Our choice: of a word that stands more often in a field only the first are kept, so that a posting stays small. */
export const MOST_POSITIONS = 256;

// Occurrences are held in 16 bits; a word that stands 65,535 times in a page says nothing more by the next.
const MOST_COUNTED = 65_535;

const ONLY_BODY = 1 << BODY;
const MASK = (1 << FIELD_COUNT) - 1;
const HIGH = 8 - FIELD_COUNT;
const SPILLED = (1 << HIGH) - 1;
// From this number of positions on their length in bytes is written before them, to skip them at once.
const MEASURED = 8;

/**
 * Writes the posting of one term in one document:
 * a byte (bits 0..4: fields; bits 5..7, where the body is the only one: occurrences - 1, 7 = more), occurrences per field
 * as varints where they are not in that byte, the length of the positions where there are 8 or more, and the positions of
 * each field as differences.
 * @param positions ascending, field after field; `counts[field]` of them belong to each
 */
export function writePosting(
  writer: ByteWriter,
  counts: ArrayLike<number>,
  positions: ArrayLike<number>,
  start: number,
  scratch: ByteWriter,
): void {
  let mask = 0;
  for (let field = 0; field < FIELD_COUNT; field++) if (counts[field] > 0) mask |= 1 << field;
  if (mask === ONLY_BODY) {
    const occurrences = Math.min(counts[BODY], MOST_COUNTED);
    const beyond = Math.min(occurrences - 1, SPILLED);
    writeByte(writer, mask | (beyond << FIELD_COUNT));
    if (beyond === SPILLED) writeVarint(writer, occurrences - 1 - SPILLED);
  } else {
    writeByte(writer, mask);
    for (let field = 0; field < FIELD_COUNT; field++) {
      if (counts[field] > 0) writeVarint(writer, Math.min(counts[field], MOST_COUNTED));
    }
  }
  scratch.at = 0;
  let at = start;
  let kept = 0;
  for (let field = 0; field < FIELD_COUNT; field++) {
    const count = counts[field];
    let last = 0;
    for (let i = 0; i < count && i < MOST_POSITIONS; i++) {
      writeVarint(scratch, positions[at + i] - last);
      last = positions[at + i];
      kept++;
    }
    at += count;
  }
  if (kept >= MEASURED) writeVarint(writer, scratch.at);
  writeBytes(writer, scratch.bytes, 0, scratch.at);
}

function writeByte(writer: ByteWriter, byte: number): void {
  reserve(writer, 1);
  writer.bytes[writer.at++] = byte;
}

/** Blocks read one after another into arrays that are as long as all of them together. */
export type Postings = {
  count: number;
  docs: Uint32Array;
  /** Occurrences: `FIELD_COUNT` for each document. */
  counts: Uint16Array;
  /** Where in `bytes` of the same block the positions begin. */
  at: Uint32Array;
  /** Which block, an index into `blocks`. */
  blockOf: Uint16Array;
  blocks: Uint8Array[];
  /** What `weighPostings` computed once; it holds for these factors alone. */
  impacts?: { factors: Float64Array; sums: Float32Array; titles: Float32Array };
};

/** Bytes that postings read from a store take in memory, roughly. */
export const postingsBytes = ({ docs, blocks }: Postings): number =>
  blocks.reduce((sum, block) => sum + block.length, 600 + docs.length * (16 + 2 * FIELD_COUNT + 2));

export const createPostings = (size: number): Postings => ({
  count: 0,
  docs: new Uint32Array(size),
  counts: new Uint16Array(size * FIELD_COUNT),
  at: new Uint32Array(size),
  blockOf: new Uint16Array(size),
  blocks: [],
});

/**
 * Appends a block to `into`: how many documents as a varint, the first document, the differences of the others, and the
 * postings one after another.
 */
export function readBlock(bytes: Uint8Array, start: number, into: Postings): void {
  const reader = { bytes, at: start };
  const count = readVarint(reader);
  const { docs, counts, at, blockOf } = into;
  const block = into.blocks.push(bytes) - 1;
  let doc = 0;
  let entry = into.count;
  for (let i = 0; i < count; i++) {
    doc += readVarint(reader);
    docs[entry + i] = doc;
  }
  for (let i = 0; i < count; i++, entry++) {
    const head = bytes[reader.at++];
    const base = entry * FIELD_COUNT;
    let positions = 0;
    if ((head & MASK) === ONLY_BODY) {
      let occurrences = (head >> FIELD_COUNT) + 1;
      if (occurrences > SPILLED) occurrences += readVarint(reader);
      counts[base + BODY] = occurrences;
      positions = occurrences < MOST_POSITIONS ? occurrences : MOST_POSITIONS;
    } else {
      for (let field = 0; field < FIELD_COUNT; field++) {
        if ((head & (1 << field)) === 0) continue;
        const occurrences = readVarint(reader);
        counts[base + field] = occurrences;
        positions += occurrences < MOST_POSITIONS ? occurrences : MOST_POSITIONS;
      }
    }
    blockOf[entry] = block;
    if (positions >= MEASURED) {
      const length = readVarint(reader);
      at[entry] = reader.at;
      reader.at += length;
    } else {
      at[entry] = reader.at;
      for (let k = 0; k < positions; k++) while (bytes[reader.at++] > 127);
    }
  }
  into.count = entry;
}

/** The positions of entry `entry` in `field`, ascending, the first `most`. */
export function readPositions(
  postings: Postings,
  entry: number,
  field: number,
  most = MOST_POSITIONS,
): number[] {
  const base = entry * FIELD_COUNT;
  const reader = { bytes: postings.blocks[postings.blockOf[entry]], at: postings.at[entry] };
  for (let before = 0; before < field; before++) {
    const skipped = Math.min(postings.counts[base + before], MOST_POSITIONS);
    for (let k = 0; k < skipped; k++) readVarint(reader);
  }
  const positions: number[] = [];
  const count = Math.min(postings.counts[base + field], most, MOST_POSITIONS);
  let last = 0;
  for (let k = 0; k < count; k++) {
    last += readVarint(reader);
    positions.push(last);
  }
  return positions;
}

/** A posting that stands in some bytes, to be copied as it is. */
export type PostingSpan = { doc: number; bytes: Uint8Array; start: number; end: number };

/** The postings of a block, to be put together anew. */
export function readSpans(bytes: Uint8Array, start: number): PostingSpan[] {
  const postings = createPostings(BLOCK_DOCUMENTS);
  readBlock(bytes, start, postings);
  const spans: PostingSpan[] = [];
  const reader = { bytes, at: start };
  for (let i = readVarint(reader); i > 0; i--) readVarint(reader);
  let from = reader.at;
  for (let entry = 0; entry < postings.count; entry++) {
    const end = endOfPosting(postings, entry);
    spans.push({ doc: postings.docs[entry], bytes, start: from, end });
    from = end;
  }
  return spans;
}

function endOfPosting(postings: Postings, entry: number): number {
  let positions = 0;
  for (let field = 0; field < FIELD_COUNT; field++) {
    positions += Math.min(postings.counts[entry * FIELD_COUNT + field], MOST_POSITIONS);
  }
  const bytes = postings.blocks[postings.blockOf[entry]];
  let at = postings.at[entry];
  for (let k = 0; k < positions; k++) while (bytes[at++] > 127);
  return at;
}

export function writeBlock(writer: ByteWriter, spans: readonly PostingSpan[]): void {
  writeVarint(writer, spans.length);
  let last = 0;
  for (const { doc } of spans) {
    writeVarint(writer, doc - last);
    last = doc;
  }
  for (const { bytes, start, end } of spans) writeBytes(writer, bytes, start, end);
}
