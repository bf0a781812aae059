import { createByteWriter, reserve, writeBytes, writeVarint } from '../../search/core/varint.ts';

/**
 * A segment in bytes, one after another:
 * head: six u32, little-endian: documents, chunks, bytes of the directory, of the vocabulary, of the postings, of the places;
 * records: `RECORD_BYTES` for each document, as `writeRecord` says;
 * directory: for each chunk the units that its first term shares with the one before, those that follow, its terms, the
 * bytes of the chunk, of its postings and of its places, as varints; then what follows of all first terms, in UTF-8;
 * vocabulary, in chunks of `CHUNK_TERMS` terms in the order of their UTF-16 units: for each term units shared, units that
 * follow, documents, bytes of its postings, bytes of its places, as varints; then what follows of all terms;
 * postings: for each term its documents as differences, then their occurrences; places: for each term their positions.
 */
export const HEAD_BYTES = 24;
export const CHUNK_TERMS = 128;

/** u32 serial number, u16 less that of the first page in its block of texts, a norm for each of five fields, u32 date. */
export const RECORD_BYTES = 15;
export const BLOCK_AT = 4;
export const NORMS_AT = 6;
export const DATE_AT = 11;

const encoder = new TextEncoder();

/** Two surrogates are never parted: UTF-8 has no form for a half. */
export function unitsShared(last: string, term: string): number {
  const most = Math.min(last.length, term.length);
  let shared = 0;
  while (shared < most && last.charCodeAt(shared) === term.charCodeAt(shared)) shared++;
  return shared > 0 && (term.charCodeAt(shared - 1) & 0xfc00) === 0xd800 ? shared - 1 : shared;
}

/**
 * Takes the terms of a segment in ascending order: their postings and places are written to the two writers, then
 * `endTerm` is called.
 */
export function createSegmentWriter(sizeBytes = 4_096) {
  const postings = createByteWriter(sizeBytes);
  const places = createByteWriter(sizeBytes);
  const vocabulary = createByteWriter(sizeBytes);
  const directory = createByteWriter(256);
  let firstRests = '';
  let lastFirst = '';
  let chunks = 0;
  // Of the chunk that is being filled.
  let terms = 0;
  let rests = '';
  let last = '';
  let vocabularyFrom = 0;
  let postingsFrom = 0;
  let placesFrom = 0;
  let postingsAt = 0;
  let placesAt = 0;

  function endChunk(): void {
    if (terms === 0) return;
    writeBytes(vocabulary, encoder.encode(rests));
    writeVarint(directory, terms);
    writeVarint(directory, vocabulary.at - vocabularyFrom);
    // Without the term that is being ended, which begins the next.
    writeVarint(directory, postingsAt - postingsFrom);
    writeVarint(directory, placesAt - placesFrom);
    chunks++;
    terms = 0;
    rests = '';
    last = '';
  }

  return {
    postings,
    places,
    endTerm(term: string, documents: number): void {
      if (terms === CHUNK_TERMS) endChunk();
      if (terms === 0) {
        const shared = unitsShared(lastFirst, term);
        writeVarint(directory, shared);
        writeVarint(directory, term.length - shared);
        firstRests += term.slice(shared);
        lastFirst = term;
        vocabularyFrom = vocabulary.at;
        postingsFrom = postingsAt;
        placesFrom = placesAt;
      }
      const shared = unitsShared(last, term);
      writeVarint(vocabulary, shared);
      writeVarint(vocabulary, term.length - shared);
      writeVarint(vocabulary, documents);
      writeVarint(vocabulary, postings.at - postingsAt);
      writeVarint(vocabulary, places.at - placesAt);
      rests += term.slice(shared);
      last = term;
      terms++;
      postingsAt = postings.at;
      placesAt = places.at;
    },
    /** The segment of these records. */
    finish(records: Uint8Array): Uint8Array {
      endChunk();
      writeBytes(directory, encoder.encode(firstRests));
      const streams = [directory, vocabulary, postings, places];
      const sizes = [records.length / RECORD_BYTES, chunks, ...streams.map(({ at }) => at)];
      const bytes = createByteWriter(0);
      reserve(bytes, HEAD_BYTES + records.length + streams.reduce((sum, { at }) => sum + at, 0));
      const head = new DataView(bytes.bytes.buffer);
      for (const [i, size] of sizes.entries()) head.setUint32(i * 4, size, true);
      bytes.at = HEAD_BYTES;
      writeBytes(bytes, records);
      for (const stream of streams) writeBytes(bytes, stream.bytes, 0, stream.at);
      return bytes.bytes.subarray(0, bytes.at);
    },
  };
}

/** Writes the record of document `doc`. */
export function writeRecord(
  records: Uint8Array,
  doc: number,
  record: { serial: number; block: number; norms: ArrayLike<number>; dateSecs: number },
): void {
  const view = new DataView(records.buffer, records.byteOffset + doc * RECORD_BYTES, RECORD_BYTES);
  view.setUint32(0, record.serial, true);
  view.setUint16(BLOCK_AT, record.serial - record.block, true);
  for (let field = 0; field < record.norms.length; field++)
    view.setUint8(NORMS_AT + field, record.norms[field]);
  view.setUint32(DATE_AT, Math.min(0xffff_ffff, Math.max(0, Math.floor(record.dateSecs))), true);
}
