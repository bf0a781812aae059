import { deflateRawSync, inflateRawSync } from 'node:zlib';
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
import { KIND, numberKey, pairKey, plainKey } from './keys.ts';
import type { SearchTable } from './site-state.ts';

// A snippet reads the piece that it is in, and not a body of 1 MiB. UTF-16 units; our choice.
const PIECE_UNITS = 16_384;
// Level 3 is 8% larger than 6 and a quarter faster.
const LEVEL = 3;

// Room for what is likely unpacked: with the default of 16 KiB most of the time goes into the room.
const OPENING_BYTES = 4_096;
const inflate = (bytes: Uint8Array, chunkSize: number): Buffer => inflateRawSync(bytes, { chunkSize });

/** A page without its long texts. */
export type PageHead = Omit<IndexPage, 'body' | 'headings'>;

/** The rows of a page, compressed before a transaction begins. */
export type StoredPage = { first: Buffer; pieces: Buffer[] };

/**
 * Packs a page. First row: number of further pieces, bytes of the head as JSON, offsets of every 32nd word of the body,
 * then deflated: the head, the headings as JSON behind it, and the first piece of the body, in UTF-8.
 * A further piece: one byte, 1 where it begins a unit early so that no surrogate pair is cut; then deflated UTF-8.
 */
export function packPage(page: IndexPage, postings: PagePostings): StoredPage {
  const { body, headings, ...head } = page;
  const headJson = Buffer.from(JSON.stringify(head));
  const starts: number[] = [];
  for (let at = 0; at === 0 || at < body.length; at += PIECE_UNITS) starts.push(pieceStart(body, at));
  const writer = createByteWriter(256);
  writeVarint(writer, starts.length - 1);
  writeVarint(writer, headJson.length);
  const headingsJson = Buffer.from(JSON.stringify(headings));
  writeVarint(writer, headingsJson.length);
  writeAscending(writer, postings.offsets);
  const opening = Buffer.concat([headJson, headingsJson, Buffer.from(body.slice(0, starts[1]), 'utf8')]);
  writeBytes(writer, deflateRawSync(opening, { level: LEVEL }));
  const pieces = starts.slice(1).map((start, i) => {
    const text = Buffer.from(body.slice(start, starts[i + 2]), 'utf8');
    const early = start < (i + 1) * PIECE_UNITS ? 1 : 0;
    return Buffer.concat([Buffer.of(early), deflateRawSync(text, { level: LEVEL })]);
  });
  return { first: Buffer.from(takeBytes(writer)), pieces };
}

const pieceStart = (body: string, at: number): number =>
  at > 0 && (body.charCodeAt(at) & 0xfc00) === 0xdc00 && (body.charCodeAt(at - 1) & 0xfc00) === 0xd800
    ? at - 1
    : at;

export function writeDocument(
  table: SearchTable,
  site: number,
  doc: number,
  { first, pieces }: StoredPage,
): void {
  table.putSync(numberKey(site, KIND.document, doc), first);
  for (const [i, piece] of pieces.entries()) table.putSync(pairKey(site, KIND.piece, doc, i + 1), piece);
}

export function removeDocument(table: SearchTable, site: number, doc: number): void {
  const key = numberKey(site, KIND.document, doc);
  const bytes = table.get(key);
  if (!bytes) return;
  for (let i = readVarint({ bytes, at: 0 }); i > 0; i--) table.removeSync(pairKey(site, KIND.piece, doc, i));
  table.removeSync(key);
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
const LARGEST_KEPT = 64 * 1024;
// A page's objects beside its texts, roughly.
const PAGE_BYTES = 2_000;

/** Reads pages, and keeps those that were read last: good results come again and again. */
export function createDocumentReader(
  table: SearchTable,
): (site: number, doc: number) => StoredDocument | null {
  const kept = new Map<string, { bytes: Buffer; document: StoredDocument; sizeBytes: number }>();
  let total = 0;
  return (site, doc) => {
    const bytes = table.get(numberKey(site, KIND.document, doc));
    if (!bytes) return null;
    const name = `${site}:${doc}`;
    const known = kept.get(name);
    if (known) {
      kept.delete(name);
      total -= known.sizeBytes;
    }
    // The packed bytes are read each time, so that nobody's write is missed, and unpacked where they are others.
    const entry = known?.bytes.equals(bytes) ? known : { bytes, ...unpackDocument(table, site, doc, bytes) };
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

function unpackDocument(
  table: SearchTable,
  site: number,
  doc: number,
  bytes: Buffer,
): { document: StoredDocument; sizeBytes: number } {
  const reader = { bytes: bytes as Uint8Array, at: 0 };
  const further = readVarint(reader);
  const headBytes = readVarint(reader);
  const headingsBytes = readVarint(reader);
  const offsets = readAscending(reader);
  const opening = inflate(bytes.subarray(reader.at), OPENING_BYTES);
  const bodyAt = headBytes + headingsBytes;
  const firstText = opening.toString('utf8', bodyAt);
  const piece = (i: number): { start: number; text: string } => {
    if (i === 0) return { start: 0, text: firstText };
    const packed = table.get(pairKey(site, KIND.piece, doc, i));
    if (!packed) throw new RangeError('a piece of a page is missing in the index');
    return {
      start: i * PIECE_UNITS - packed[0],
      text: inflate(packed.subarray(1), PIECE_UNITS).toString('utf8'),
    };
  };
  const document: StoredDocument = {
    head: JSON.parse(opening.toString('utf8', 0, headBytes)),
    headings: () => JSON.parse(opening.toString('utf8', headBytes, bodyAt)),
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
  return { document, sizeBytes: PAGE_BYTES + bytes.length + 2 * opening.length + 8 * offsets.length };
}

/** What has to be undone when a page goes. */
export type Forward = { numbers: number[]; lengths: number[]; bytes: number; language: string };

export function packForward({ numbers, lengths, bytes, language }: Forward): Buffer {
  const writer = createByteWriter(1_024);
  writeAscending(writer, numbers);
  for (const length of lengths) writeVarint(writer, length);
  writeVarint(writer, bytes);
  writeBytes(writer, Buffer.from(language, 'utf8'));
  return Buffer.from(takeBytes(writer));
}

export function readForward(table: SearchTable, site: number, doc: number, fields: number): Forward {
  const bytes = table.get(numberKey(site, KIND.forward, doc));
  if (!bytes) throw new RangeError('the record of a page is missing in the index');
  const reader = { bytes: bytes as Uint8Array, at: 0 };
  const numbers = readAscending(reader);
  const lengths = Array.from({ length: fields }, () => readVarint(reader));
  const size = readVarint(reader);
  return { numbers, lengths, bytes: size, language: bytes.toString('utf8', reader.at) };
}

export function readFree(table: SearchTable, site: number): number[] {
  const bytes = table.get(plainKey(site, KIND.free));
  return bytes ? readAscending({ bytes, at: 0 }) : [];
}

export function writeFree(table: SearchTable, site: number, free: readonly number[]): void {
  const key = plainKey(site, KIND.free);
  if (free.length === 0) {
    table.removeSync(key);
    return;
  }
  const writer = createByteWriter(free.length * 2 + 8);
  writeAscending(writer, free);
  table.putSync(key, Buffer.from(takeBytes(writer)));
}
