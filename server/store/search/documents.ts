import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { PagePostings } from '../../search/core/page-postings.ts';
import type { IndexPage } from '../../search/core/ports.ts';
import {
  createByteWriter,
  readAscending,
  readVarint,
  takeBytes,
  writeAscending,
  writeBytes,
  writeVarint,
} from '../../search/core/varint.ts';
import { KIND, numberKey, pairKey } from './keys.ts';
import type { SearchTable } from './site-state.ts';

// A snippet reads the piece that it is in, and not a body of 1 MiB. UTF-16 units; our choice.
const PIECE_UNITS = 16_384;

/** A page without its long texts. */
export type PageHead = Omit<IndexPage, 'body' | 'headings'>;

/** The texts of a page: what stands in a block with those of its neighbours, and further pieces, compressed. */
export type PageTexts = { record: Uint8Array; pieces: Buffer[] };

/**
 * Record: further pieces, bytes of the head and of the headings, offsets of every 32nd word of the body, all as varints;
 * then the head and the headings as JSON and the first piece of the body, in UTF-8.
 * A further piece: one byte, 1 where it begins a unit early so that no surrogate pair is cut; then UTF-8 in zstd.
 */
export function packTexts(page: IndexPage, postings: PagePostings): PageTexts {
  const { body, headings, ...head } = page;
  const starts: number[] = [];
  for (let at = 0; at === 0 || at < body.length; at += PIECE_UNITS) starts.push(pieceStart(body, at));
  const headJson = Buffer.from(JSON.stringify(head));
  const headingsJson = Buffer.from(JSON.stringify(headings));
  const writer = createByteWriter(256 + headJson.length + headingsJson.length + body.length);
  writeVarint(writer, starts.length - 1);
  writeVarint(writer, headJson.length);
  writeVarint(writer, headingsJson.length);
  writeAscending(writer, postings.offsets);
  writeBytes(writer, headJson);
  writeBytes(writer, headingsJson);
  writeBytes(writer, Buffer.from(body.slice(0, starts[1]), 'utf8'));
  const pieces = starts.slice(1).map((start, i) => {
    const text = Buffer.from(body.slice(start, starts[i + 2]), 'utf8');
    const early = start < (i + 1) * PIECE_UNITS ? 1 : 0;
    return Buffer.concat([Buffer.of(early), zstdCompressSync(text)]);
  });
  return { record: takeBytes(writer), pieces };
}

const pieceStart = (body: string, at: number): number =>
  at > 0 && (body.charCodeAt(at) & 0xfc00) === 0xdc00 && (body.charCodeAt(at - 1) & 0xfc00) === 0xd800
    ? at - 1
    : at;

export function writePieces(
  table: SearchTable,
  site: number,
  serial: number,
  pieces: readonly Buffer[],
): void {
  for (const [i, piece] of pieces.entries()) table.putSync(pairKey(site, KIND.piece, serial, i + 1), piece);
}

export function removePieces(table: SearchTable, site: number, serial: number, pieces: number): void {
  for (let i = 1; i <= pieces; i++) table.removeSync(pairKey(site, KIND.piece, serial, i));
}

// Our choice: pages that are compressed together are smaller, and longer to unpack for one of them. LMDB rounds a block
// up to whole pages of its own, so several of these frames stand in one.
const FRAME_BYTES = 6_144;
const BLOCK_BYTES = 12 * FRAME_BYTES;
// Records name their block by how far its first page is.
const FURTHEST = 65_535;

/** Pages that stand together: how far each is behind the first, and its record. */
export type TextBlock = { offset: number; record: Uint8Array }[];

/** Divides pages into blocks. @param pages ascending by serial number */
export function* divideIntoBlocks(
  pages: Iterable<{ serial: number; record: Uint8Array }>,
): Generator<{ serial: number; block: TextBlock }> {
  let first = 0;
  let size = 0;
  let block: TextBlock = [];
  for (const { serial, record } of pages) {
    if (block.length > 0 && (size >= BLOCK_BYTES || serial - first > FURTHEST)) {
      yield { serial: first, block };
      block = [];
      size = 0;
    }
    if (block.length === 0) first = serial;
    block.push({ offset: serial - first, record });
    size += record.length;
  }
  if (block.length > 0) yield { serial: first, block };
}

/**
 * How many frames; for each, as varints, how far its last page is behind the first of the block, and its bytes; then the
 * frames. A frame: its bytes unpacked, and in zstd how many pages; for each, as varints, how far it is behind the first, and bytes of its record;
 * the records.
 */
export function packBlock(block: TextBlock): Buffer {
  const frames: { last: number; bytes: Buffer }[] = [];
  for (let from = 0, to = 0, size = 0; from < block.length; from = to, size = 0) {
    while (to < block.length && size < FRAME_BYTES) size += block[to++].record.length;
    frames.push({ last: block[to - 1].offset, bytes: packFrame(block.slice(from, to), size) });
  }
  const writer = createByteWriter(16 + frames.length * 8);
  writeVarint(writer, frames.length);
  for (const { last, bytes } of frames) {
    writeVarint(writer, last);
    writeVarint(writer, bytes.length);
  }
  return Buffer.concat([takeBytes(writer), ...frames.map(({ bytes }) => bytes)]);
}

function packFrame(pages: TextBlock, sizeBytes: number): Buffer {
  const writer = createByteWriter(16 + sizeBytes + pages.length * 8);
  writeVarint(writer, pages.length);
  for (const { offset, record } of pages) {
    writeVarint(writer, offset);
    writeVarint(writer, record.length);
  }
  for (const { record } of pages) writeBytes(writer, record);
  const size = createByteWriter(5);
  writeVarint(size, writer.at);
  return Buffer.concat([takeBytes(size), zstdCompressSync(writer.bytes.subarray(0, writer.at))]);
}

function* framesOf(bytes: Uint8Array): Generator<{ last: number; frame: Uint8Array }> {
  const reader = { bytes, at: 0 };
  const lasts: number[] = [];
  const sizes: number[] = [];
  for (let left = readVarint(reader); left > 0; left--) {
    lasts.push(readVarint(reader));
    sizes.push(readVarint(reader));
  }
  let at = reader.at;
  for (const [i, size] of sizes.entries()) {
    yield { last: lasts[i], frame: bytes.subarray(at, at + size) };
    at += size;
  }
}

function unpackFrame(frame: Uint8Array): TextBlock {
  const packed = { bytes: frame, at: 0 };
  // Room for all at once: with the default of 16 KiB much of the time goes into putting pieces together.
  const chunkSize = Math.max(64, readVarint(packed) + 1);
  const reader = { bytes: zstdDecompressSync(frame.subarray(packed.at), { chunkSize }) as Uint8Array, at: 0 };
  const offsets: number[] = [];
  const sizes: number[] = [];
  for (let left = readVarint(reader); left > 0; left--) {
    offsets.push(readVarint(reader));
    sizes.push(readVarint(reader));
  }
  let at = reader.at;
  return offsets.map((offset, i) => {
    at += sizes[i];
    return { offset, record: reader.bytes.subarray(at - sizes[i], at) };
  });
}

export function unpackBlock(bytes: Uint8Array): TextBlock {
  return [...framesOf(bytes)].flatMap(({ frame }) => unpackFrame(frame));
}

function unpackPage(bytes: Uint8Array, offset: number): Uint8Array | undefined {
  for (const { last, frame } of framesOf(bytes)) {
    if (last >= offset) return unpackFrame(frame).find((page) => page.offset === offset)?.record;
  }
  return undefined;
}

/** A stored page, of which only what is asked for is unpacked. */
export type StoredDocument = {
  head: PageHead;
  headings(): string[];
  offsets: number[];
  body(): string;
  /** The body from `offset` on, to the end of the piece that it is in or the next: at least `units` where there are as many. */
  bodyFrom(offset: number, units: number): { text: string; isEnd: boolean };
};

// Our choice: bytes of the pages unpacked last that are kept, and of the largest that is.
const KEPT_BYTES = 16 * 1024 * 1024;
const LARGEST_KEPT = 160 * 1024;
const PIECES_KEPT = 2;
// A page's objects beside its texts, roughly.
const PAGE_BYTES = 1_500;

/** Reads pages, and keeps those that were read last: good results come again and again. */
export function createDocumentReader(table: SearchTable) {
  // A serial number is never given again, so what is kept holds for ever.
  const kept = new Map<string, { document: StoredDocument; sizeBytes: number }>();
  let total = 0;
  return (site: number, { serial, block }: { serial: number; block: number }): StoredDocument | null => {
    const name = `${site}:${serial}`;
    let entry = kept.get(name);
    if (entry) {
      kept.delete(name);
      total -= entry.sizeBytes;
    } else {
      const packed = table.get(numberKey(site, KIND.texts, block));
      const record = packed && unpackPage(packed, serial - block);
      if (!record) return null;
      entry = unpackRecord(table, site, serial, record);
    }
    if (entry.sizeBytes > LARGEST_KEPT) return entry.document;
    kept.set(name, entry);
    total += entry.sizeBytes;
    for (const [oldest, { sizeBytes }] of kept) {
      if (total <= KEPT_BYTES) break;
      kept.delete(oldest);
      total -= sizeBytes;
    }
    return entry.document;
  };
}

function unpackRecord(
  table: SearchTable,
  site: number,
  serial: number,
  record: Uint8Array,
): { document: StoredDocument; sizeBytes: number } {
  const reader = { bytes: record, at: 0 };
  const further = readVarint(reader);
  const headBytes = readVarint(reader);
  const headingsBytes = readVarint(reader);
  const offsets = readAscending(reader);
  const texts = Buffer.from(record.buffer, record.byteOffset + reader.at, record.length - reader.at);
  const bodyAt = headBytes + headingsBytes;
  const headingsText = texts.toString('utf8', headBytes, bodyAt);
  const firstText = texts.toString('utf8', bodyAt);
  // Of a long body the pieces that were read last are likely read again: its best window is where it was.
  const known: { i: number; start: number; text: string }[] = [];
  const piece = (i: number): { start: number; text: string } => {
    if (i === 0) return { start: 0, text: firstText };
    let found = known.find((one) => one.i === i);
    if (!found) {
      found = { i, ...readPiece(i) };
      if (known.length === PIECES_KEPT) known.shift();
      known.push(found);
    }
    return found;
  };
  const readPiece = (i: number): { start: number; text: string } => {
    const packed = table.get(pairKey(site, KIND.piece, serial, i));
    if (!packed) throw new RangeError('a piece of a page is missing in the index');
    return {
      start: i * PIECE_UNITS - packed[0],
      text: zstdDecompressSync(packed.subarray(1)).toString('utf8'),
    };
  };
  const document: StoredDocument = {
    head: JSON.parse(texts.toString('utf8', 0, headBytes)),
    headings: () => JSON.parse(headingsText),
    offsets,
    body() {
      let text = '';
      for (let i = 0; i <= further; i++) text += piece(i).text;
      return text;
    },
    bodyFrom(offset, units) {
      let i = Math.min(further, Math.floor(offset / PIECE_UNITS));
      const { start, text } = piece(i);
      let part = text.slice(Math.max(0, offset - start));
      while (part.length < units && i < further) part += piece(++i).text;
      return { text: part, isEnd: i === further };
    },
  };
  // A text of ASCII alone takes a byte for each unit, any other two.
  const unitBytes = firstText.length + bodyAt === texts.length ? 1 : 2;
  const pieceBytes = Math.min(further, PIECES_KEPT) * unitBytes * PIECE_UNITS;
  const sizeBytes = PAGE_BYTES + unitBytes * texts.length + 8 * offsets.length + pieceBytes;
  return { document, sizeBytes };
}
