import {
  BLOCK_DOCUMENTS,
  createPostings,
  type PostingSpan,
  type Postings,
  readBlock,
  readSpans,
  writeBlock,
} from '../../search/core/posting-block.ts';
import { createByteWriter, readVarint, writeBytes, writeVarint } from '../../search/core/varint.ts';
import { KIND, numberKey, pairKey } from './keys.ts';
import type { SearchTable } from './site-state.ts';

/**
 * The row of a term: documents (varint), length of the term and the term in UTF-8, number of blocks (varint); where that
 * is 0 the only block follows, else for each block its first document as a difference, and how many it has.
 */
type Head = {
  documents: number;
  term: string;
  inlineAt: number;
  firsts: number[];
  counts: number[];
  bytes: Buffer;
};

function parseHead(bytes: Buffer): Head {
  const reader = { bytes: bytes as Uint8Array, at: 0 };
  const documents = readVarint(reader);
  const length = readVarint(reader);
  const term = bytes.toString('utf8', reader.at, reader.at + length);
  reader.at += length;
  const blocks = readVarint(reader);
  const firsts: number[] = [];
  const counts: number[] = [];
  let first = 0;
  for (let i = 0; i < blocks; i++) {
    first += readVarint(reader);
    firsts.push(first);
    counts.push(readVarint(reader));
  }
  return { documents, term, inlineAt: reader.at, firsts, counts, bytes };
}

/** In how many documents the term stands. */
export function countDocuments(table: SearchTable, site: number, number: number): number {
  const bytes = table.get(numberKey(site, KIND.list, number));
  return bytes ? readVarint({ bytes, at: 0 }) : 0;
}

export function readList(table: SearchTable, site: number, number: number): Postings {
  const bytes = table.get(numberKey(site, KIND.list, number));
  if (!bytes) return createPostings(0);
  const head = parseHead(bytes);
  const postings = createPostings(head.documents);
  if (head.firsts.length === 0) readBlock(bytes, head.inlineAt, postings);
  for (const first of head.firsts) {
    const block = table.get(pairKey(site, KIND.list, number, first));
    if (!block) throw new RangeError('a block of postings is missing in the index');
    readBlock(block, 0, postings);
  }
  return postings;
}

export type ListChange = {
  /** Documents whose posting goes, ascending. */
  removed: number[];
  /** Postings that come, ascending by document; one that is there is replaced. */
  added: PostingSpan[];
};

const writer = createByteWriter(65_536);
// A block that deletes have left with fewer is put together with the one before it, where both fit. Our choice.
const SPARSE = BLOCK_DOCUMENTS / 4;

/**
 * Changes the list of a term, touching only the blocks concerned.
 * @param term its text, needed where the term is new
 * @returns the documents before and after, and the term
 */
export function changeList(
  table: SearchTable,
  site: number,
  number: number,
  term: string,
  change: ListChange,
): { before: number; after: number; term: string } {
  const key = numberKey(site, KIND.list, number);
  const found = table.get(key);
  const head: Head = found
    ? parseHead(found)
    : { documents: 0, term, inlineAt: 0, firsts: [], counts: [], bytes: Buffer.alloc(0) };
  const isInline = head.firsts.length === 0;
  // Blocks as they will be: those not touched are only named.
  const blocks: { first: number; count: number; spans: PostingSpan[] | null }[] = isInline
    ? [{ first: 0, count: head.documents, spans: found ? readSpans(head.bytes, head.inlineAt) : [] }]
    : head.firsts.map((first, i) => ({ first, count: head.counts[i], spans: null }));
  const load = (i: number): PostingSpan[] => {
    const block = blocks[i];
    block.spans ??= readSpans(table.get(pairKey(site, KIND.list, number, block.first)) as Buffer, 0);
    return block.spans;
  };

  let removedAt = 0;
  let addedAt = 0;
  for (let i = 0; i < blocks.length; i++) {
    const end = i + 1 < blocks.length ? blocks[i + 1].first : Number.POSITIVE_INFINITY;
    const removedFrom = removedAt;
    while (removedAt < change.removed.length && change.removed[removedAt] < end) removedAt++;
    const addedFrom = addedAt;
    while (addedAt < change.added.length && change.added[addedAt].doc < end) addedAt++;
    if (removedAt === removedFrom && addedAt === addedFrom) continue;
    const removed = change.removed.slice(removedFrom, removedAt);
    blocks[i].spans = mergeSpans(load(i), removed, change.added.slice(addedFrom, addedAt));
    blocks[i].count = (blocks[i].spans as PostingSpan[]).length;
  }
  for (let i = blocks.length - 1; i > 0; i--) {
    const isTouched = blocks[i].spans !== null;
    if (isTouched && blocks[i].count < SPARSE && blocks[i].count + blocks[i - 1].count <= BLOCK_DOCUMENTS) {
      const joined = [...load(i - 1), ...load(i)];
      blocks[i - 1].spans = joined;
      blocks[i - 1].count = joined.length;
      blocks.splice(i, 1);
    }
  }
  const parts = blocks
    .flatMap((block) => (block.spans ? divide(block.spans) : [block]))
    .filter(({ count }) => count > 0);
  const documents = parts.reduce((sum, { count }) => sum + count, 0);
  writeList(table, site, number, head, parts, documents);
  return { before: head.documents, after: documents, term: head.term };
}

type Part = { first: number; count: number; spans: PostingSpan[] | null };

// New documents come at the end, so full blocks stay full; one that grew in the middle is halved.
function divide(spans: PostingSpan[]): Part[] {
  const parts: Part[] = [];
  for (let from = 0; from < spans.length; from += BLOCK_DOCUMENTS) {
    const part = spans.slice(from, from + BLOCK_DOCUMENTS);
    parts.push({ first: part[0].doc, count: part.length, spans: part });
  }
  return parts;
}

function writeList(
  table: SearchTable,
  site: number,
  number: number,
  head: Head,
  parts: readonly Part[],
  documents: number,
): void {
  const key = numberKey(site, KIND.list, number);
  const isInline = parts.length <= 1;
  const kept = new Set(isInline ? [] : parts.map(({ first }) => first));
  // A list that shrinks to one block that was not touched still has to be read, to stand in the head.
  const only = isInline && parts.length === 1 ? spansOf(table, site, number, parts[0]) : [];
  for (const first of head.firsts) {
    if (!kept.has(first)) table.removeSync(pairKey(site, KIND.list, number, first));
  }
  if (documents === 0) {
    table.removeSync(key);
    return;
  }
  if (!isInline) {
    for (const { first, spans } of parts) {
      if (spans === null) continue;
      writer.at = 0;
      writeBlock(writer, spans);
      table.putSync(
        pairKey(site, KIND.list, number, first),
        Buffer.from(writer.bytes.subarray(0, writer.at)),
      );
    }
  }
  writer.at = 0;
  writeVarint(writer, documents);
  const term = Buffer.from(head.term, 'utf8');
  writeVarint(writer, term.length);
  writeBytes(writer, term);
  writeVarint(writer, isInline ? 0 : parts.length);
  if (isInline) writeBlock(writer, only);
  let last = 0;
  for (const { first, count } of isInline ? [] : parts) {
    writeVarint(writer, first - last);
    writeVarint(writer, count);
    last = first;
  }
  table.putSync(key, Buffer.from(writer.bytes.subarray(0, writer.at)));
}

function spansOf(table: SearchTable, site: number, number: number, { first, spans }: Part): PostingSpan[] {
  return spans ?? readSpans(table.get(pairKey(site, KIND.list, number, first)) as Buffer, 0);
}

function mergeSpans(
  old: readonly PostingSpan[],
  removed: readonly number[],
  added: readonly PostingSpan[],
): PostingSpan[] {
  const merged: PostingSpan[] = [];
  let addedAt = 0;
  let removedAt = 0;
  for (const span of old) {
    while (addedAt < added.length && added[addedAt].doc < span.doc) merged.push(added[addedAt++]);
    while (removedAt < removed.length && removed[removedAt] < span.doc) removedAt++;
    const isReplaced = addedAt < added.length && added[addedAt].doc === span.doc;
    if (isReplaced || removed[removedAt] === span.doc) continue;
    merged.push(span);
  }
  while (addedAt < added.length) merged.push(added[addedAt++]);
  return merged;
}
