import { skipOccurrences, skipPositions } from '../../search/core/postings.ts';
import { readVarint, writeBytes, writeVarint } from '../../search/core/varint.ts';
import type { Segment, SegmentChunk } from './segment.ts';
import { readRecord } from './segment.ts';
import { createSegmentWriter, RECORD_BYTES, writeRecord } from './segment-writer.ts';

/** A segment that goes into a merge, with a mark at each of its deleted documents. */
export type MergeInput = { segment: Segment; dead: Uint8Array | null };

export type Merged = {
  bytes: Uint8Array;
  docs: number;
  /** For each input, the new number of each of its documents, or -1. */
  renumbered: Int32Array[];
};

/** Where a merge has come to in one of its inputs. */
type Cursor = {
  input: MergeInput;
  renumbered: Int32Array;
  chunkAt: number;
  chunk: SegmentChunk;
  /** The bytes of the chunk's postings and places. */
  postings: Uint8Array;
  places: Uint8Array;
  at: number;
  term: string;
};

/** Terms after which others get their turn. Our choice: some ms. */
const TERMS_A_TURN = 4_000;

/**
 * One segment in the place of several that follow one another, without their deleted documents. Bytes of postings are
 * copied as they are, and nothing is analysed again.
 * @param blockOf the block in which the texts of a page are afterwards
 * @yields now and then, so that others get their turn
 */
export function* mergeSegments(
  inputs: readonly MergeInput[],
  blockOf: (serial: number, block: number) => number,
): Generator<void, Merged> {
  let docs = 0;
  const renumbered = inputs.map(({ segment, dead }) =>
    Int32Array.from({ length: segment.docs }, (_, doc) => (dead?.[doc] ? -1 : docs++)),
  );
  const records = new Uint8Array(docs * RECORD_BYTES);
  for (const [i, { segment }] of inputs.entries()) {
    const from = segment.records();
    for (let doc = 0; doc < segment.docs; doc++) {
      if (renumbered[i][doc] < 0) continue;
      const record = readRecord(from, doc);
      writeRecord(records, renumbered[i][doc], { ...record, block: blockOf(record.serial, record.block) });
    }
    yield;
  }
  const writer = createSegmentWriter(65_536);
  let cursors = inputs.flatMap((input, i) => startCursor(input, renumbered[i]) ?? []);
  for (let terms = 1; cursors.length > 0; terms++) {
    let least = cursors[0].term;
    for (let i = 1; i < cursors.length; i++) if (cursors[i].term < least) least = cursors[i].term;
    const own = cursors.filter(({ term }) => term === least);
    writeTerm(writer, least, own);
    let isEnded = false;
    for (const cursor of own) if (!advance(cursor)) isEnded = true;
    if (isEnded) cursors = cursors.filter(({ at }) => at >= 0);
    if (terms % TERMS_A_TURN === 0) yield;
  }
  return { bytes: writer.finish(records), docs, renumbered };
}

function startCursor(input: MergeInput, renumbered: Int32Array): Cursor | null {
  if (input.segment.firsts.length === 0) return null;
  const cursor: Cursor = {
    input,
    renumbered,
    chunkAt: -1,
    chunk: {
      terms: [],
      documents: new Uint32Array(0),
      postingsAt: new Uint32Array(0),
      placesAt: new Uint32Array(0),
    },
    postings: new Uint8Array(0),
    places: new Uint8Array(0),
    at: -1,
    term: '',
  };
  advance(cursor);
  return cursor;
}

/** Goes to the next term. At the end `at` is -1 and false is given. */
function advance(cursor: Cursor): boolean {
  const { segment } = cursor.input;
  cursor.at++;
  if (cursor.at >= cursor.chunk.terms.length) {
    cursor.chunkAt++;
    if (cursor.chunkAt >= segment.firsts.length) {
      cursor.at = -1;
      return false;
    }
    cursor.chunk = segment.peek(cursor.chunkAt);
    const { postingsAt, placesAt, terms } = cursor.chunk;
    cursor.postings = segment.bytes(postingsAt[0], postingsAt[terms.length]);
    cursor.places = segment.bytes(placesAt[0], placesAt[terms.length]);
    cursor.at = 0;
  }
  cursor.term = cursor.chunk.terms[cursor.at];
  return true;
}

type Writer = ReturnType<typeof createSegmentWriter>;

function writeTerm(writer: Writer, term: string, cursors: readonly Cursor[]): void {
  let last = 0;
  let documents = 0;
  for (const { chunk, at, postings, renumbered } of cursors) {
    const reader = { bytes: postings, at: chunk.postingsAt[at] - chunk.postingsAt[0] };
    let doc = 0;
    for (let left = chunk.documents[at]; left > 0; left--) {
      doc += readVarint(reader);
      const renamed = renumbered[doc];
      if (renamed < 0) continue;
      writeVarint(writer.postings, renamed - last);
      last = renamed;
      documents++;
    }
  }
  if (documents === 0) return;
  for (const cursor of cursors) copyOccurrences(writer, cursor);
  writer.endTerm(term, documents);
}

function copyOccurrences(writer: Writer, { chunk, at, postings, places, renumbered, input }: Cursor): void {
  const reader = { bytes: postings, at: chunk.postingsAt[at] - chunk.postingsAt[0] };
  const end = chunk.postingsAt[at + 1] - chunk.postingsAt[0];
  let placesFrom = chunk.placesAt[at] - chunk.placesAt[0];
  const count = chunk.documents[at];
  if (input.dead === null) {
    for (let left = count; left > 0; left--) while (postings[reader.at++] > 127);
    writeBytes(writer.postings, postings, reader.at, end);
    writeBytes(writer.places, places, placesFrom, chunk.placesAt[at + 1] - chunk.placesAt[0]);
    return;
  }
  const docs = new Uint32Array(count);
  for (let i = 0, doc = 0; i < count; i++) {
    doc += readVarint(reader);
    docs[i] = doc;
  }
  for (let i = 0; i < count; i++) {
    const from = reader.at;
    const placesTo = skipPositions(places, placesFrom, skipOccurrences(reader));
    if (renumbered[docs[i]] >= 0) {
      writeBytes(writer.postings, postings, from, reader.at);
      writeBytes(writer.places, places, placesFrom, placesTo);
    }
    placesFrom = placesTo;
  }
}
