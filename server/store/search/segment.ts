import { type ByteReader, readVarint } from '../../search/core/varint.ts';
import { BLOCK_AT, CHUNK_TERMS, DATE_AT, HEAD_BYTES, NORMS_AT, RECORD_BYTES } from './segment-writer.ts';

/** Terms that follow one another, with where their bytes stand in the segment: those of term i end where those of the next begin. */
export type SegmentChunk = {
  terms: string[];
  documents: Uint32Array;
  postingsAt: Uint32Array;
  placesAt: Uint32Array;
};

/** A segment that is read as it is needed. Nothing of it ever changes. */
export type Segment = {
  docs: number;
  /** The first term of each chunk. */
  firsts: readonly string[];
  chunk(i: number): SegmentChunk;
  /** The same, and not remembered. */
  peek(i: number): SegmentChunk;
  /** Bytes of the segment, a copy of their own. */
  bytes(from: number, to: number): Uint8Array;
  records(): Uint8Array;
  /** Bytes that it takes in memory, roughly. */
  sizeBytes(): number;
};

// Our estimates: a term as a JavaScript string with its slots, a chunk's own objects.
const TERM_BYTES = 64;
const CHUNK_BYTES = 1_000;
const SEGMENT_BYTES = 1_000;

const decoder = new TextDecoder();

/** @param read gives the bytes of the segment from `from`, below `to`, not to be kept */
export function openSegment(read: (from: number, to: number) => Uint8Array): Segment {
  const headBytes = read(0, HEAD_BYTES);
  const head = new DataView(headBytes.buffer, headBytes.byteOffset, HEAD_BYTES);
  const [docs, chunkCount, directoryBytes, vocabularyBytes, postingsBytes] = [0, 4, 8, 12, 16].map((at) =>
    head.getUint32(at, true),
  );
  const directoryAt = HEAD_BYTES + docs * RECORD_BYTES;
  const vocabularyAt = directoryAt + directoryBytes;
  const postingsAt = vocabularyAt + vocabularyBytes;
  const directory = readDirectory(read(directoryAt, vocabularyAt), chunkCount);
  const chunks = new Map<number, SegmentChunk>();
  let records: Uint8Array | null = null;
  // Most are a few bytes, for which Node's pool takes a tenth of the time of memory of their own.
  const bytes = (from: number, to: number): Uint8Array => {
    const copy = Buffer.allocUnsafe(to - from);
    copy.set(read(from, to));
    return copy;
  };
  const chunkAts = sumsFrom(vocabularyAt, directory.sizes);
  const postingsAts = sumsFrom(postingsAt, directory.postings);
  const placesAts = sumsFrom(postingsAt + postingsBytes, directory.places);
  const peek = (i: number) =>
    chunks.get(i) ??
    readChunk(read(chunkAts[i], chunkAts[i + 1]), directory.counts[i], postingsAts[i], placesAts[i]);
  return {
    docs,
    firsts: directory.firsts,
    chunk(i) {
      const chunk = peek(i);
      chunks.set(i, chunk);
      return chunk;
    },
    peek,
    bytes,
    records() {
      records ??= bytes(HEAD_BYTES, directoryAt);
      return records;
    },
    sizeBytes: () =>
      SEGMENT_BYTES +
      chunkCount * 120 +
      chunks.size * (CHUNK_BYTES + CHUNK_TERMS * TERM_BYTES) +
      (records?.length ?? 0),
  };
}

function sumsFrom(start: number, sizes: readonly number[]): number[] {
  const sums = [start];
  for (const size of sizes) sums.push((sums.at(-1) as number) + size);
  return sums;
}

function readDirectory(bytes: Uint8Array, count: number) {
  const reader = { bytes, at: 0 };
  const fronts: number[] = [];
  const lengths: number[] = [];
  const counts: number[] = [];
  const sizes: number[] = [];
  const postings: number[] = [];
  const places: number[] = [];
  for (let i = 0; i < count; i++) {
    fronts.push(readVarint(reader));
    lengths.push(readVarint(reader));
    counts.push(readVarint(reader));
    sizes.push(readVarint(reader));
    postings.push(readVarint(reader));
    places.push(readVarint(reader));
  }
  return { firsts: readTerms(reader, fronts, lengths), counts, sizes, postings, places };
}

function readTerms(reader: ByteReader, fronts: readonly number[], lengths: readonly number[]): string[] {
  const text = decoder.decode(reader.bytes.subarray(reader.at));
  const terms: string[] = [];
  let at = 0;
  let last = '';
  for (let i = 0; i < lengths.length; i++) {
    last = last.slice(0, fronts[i]) + text.slice(at, at + lengths[i]);
    terms.push(last);
    at += lengths[i];
  }
  return terms;
}

function readChunk(bytes: Uint8Array, count: number, postingsFrom: number, placesFrom: number): SegmentChunk {
  const reader = { bytes, at: 0 };
  const fronts: number[] = [];
  const lengths: number[] = [];
  const documents = new Uint32Array(count);
  const postingsAt = new Uint32Array(count + 1);
  const placesAt = new Uint32Array(count + 1);
  postingsAt[0] = postingsFrom;
  placesAt[0] = placesFrom;
  for (let i = 0; i < count; i++) {
    fronts.push(readVarint(reader));
    lengths.push(readVarint(reader));
    documents[i] = readVarint(reader);
    postingsAt[i + 1] = postingsAt[i] + readVarint(reader);
    placesAt[i + 1] = placesAt[i] + readVarint(reader);
  }
  return { terms: readTerms(reader, fronts, lengths), documents, postingsAt, placesAt };
}

/** What the record of document `doc` says; its norms stand from `at` on in the records. */
export function readRecord(records: Uint8Array, doc: number) {
  const view = new DataView(records.buffer, records.byteOffset + doc * RECORD_BYTES, RECORD_BYTES);
  const serial = view.getUint32(0, true);
  return {
    serial,
    block: serial - view.getUint16(BLOCK_AT, true),
    norms: records.subarray(doc * RECORD_BYTES + NORMS_AT, doc * RECORD_BYTES + DATE_AT),
    dateSecs: view.getUint32(DATE_AT, true),
  };
}

/** The document with this serial number, or -1. */
export function documentOfSerial(records: Uint8Array, serial: number): number {
  const view = new DataView(records.buffer, records.byteOffset, records.length);
  let low = 0;
  let high = records.length / RECORD_BYTES;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (view.getUint32(middle * RECORD_BYTES, true) < serial) low = middle + 1;
    else high = middle;
  }
  const isThere = low * RECORD_BYTES < records.length && view.getUint32(low * RECORD_BYTES, true) === serial;
  return isThere ? low : -1;
}
