import { FIELD_COUNT } from '../../search/core/norms.ts';
import {
  createByteWriter,
  readVarint,
  takeBytes,
  writeBytes,
  writeVarint,
} from '../../search/core/varint.ts';
import { pageKey } from './keys.ts';
import type { SearchTable } from './site-state.ts';

/** The row of a page: its serial number, and what is taken off the counts of the site when it goes. */
export type PageRow = {
  serial: number;
  lengths: readonly number[];
  bytes: number;
  /** Pieces of its body in rows of their own. */
  pieces: number;
  language: string;
};

export function readPageRow(table: SearchTable, site: number, id: string): PageRow | null {
  const bytes = table.get(pageKey(site, id));
  return bytes ? parsePageRow(bytes) : null;
}

export function parsePageRow(bytes: Buffer): PageRow {
  const reader = { bytes: bytes as Uint8Array, at: 0 };
  const serial = readVarint(reader);
  const lengths = Array.from({ length: FIELD_COUNT }, () => readVarint(reader));
  const size = readVarint(reader);
  const pieces = readVarint(reader);
  return { serial, lengths, bytes: size, pieces, language: bytes.toString('utf8', reader.at) };
}

/** Within a write transaction. */
export function writePageRow(table: SearchTable, site: number, id: string, row: PageRow): void {
  const writer = createByteWriter(64);
  for (const number of [row.serial, ...row.lengths, row.bytes, row.pieces]) writeVarint(writer, number);
  writeBytes(writer, Buffer.from(row.language, 'utf8'));
  table.putSync(pageKey(site, id), Buffer.from(takeBytes(writer)));
}
