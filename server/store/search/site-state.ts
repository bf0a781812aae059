import type { Database } from 'lmdb';
import { FIELD_COUNT } from '../../search/core/norms.ts';
import { KIND, numberKey, plainKey, REGISTRY, siteIdKey } from './keys.ts';

export type SearchTable = Database<Buffer, Buffer>;

/** Raised with every change that an older server could not read. */
export const SEARCH_FORMAT = 3;

/** A segment: what one write, or a merge of several, has left. Its bytes never change. */
export type SegmentEntry = {
  /** Never given twice in a site. */
  id: number;
  /** The serial numbers that were given to its pages: from `from` on, below `to`. Ascending over the segments of a site. */
  from: number;
  to: number;
  /** Its documents, and how many of them are deleted. */
  docs: number;
  dead: number;
  bytes: number;
};

/** The counts of a site, read in the transaction that reads the rest. */
export type SiteState = {
  /** Another one after each write, by whichever process. */
  stamp: string;
  pages: number;
  /** Numbers that the next page and the next segment get. */
  nextSerial: number;
  nextSegment: number;
  /** Words in each field of all pages. */
  lengths: number[];
  bytes: number;
  /** Pages per language. */
  languages: Record<string, number>;
  /** In the order of their serial numbers. */
  segments: SegmentEntry[];
};

export const emptyState = (): SiteState => ({
  stamp: '',
  pages: 0,
  nextSerial: 0,
  nextSegment: 0,
  lengths: new Array<number>(FIELD_COUNT).fill(0),
  bytes: 0,
  languages: {},
  segments: [],
});

/** The number of a site, or 0 where nothing was ever put into it. */
export function numberOfSite(table: SearchTable, siteId: string): number {
  return table.get(siteIdKey(siteId))?.readUInt32BE(0) ?? 0;
}

/** Within a write transaction: the number of a site, given now where it has none. */
export function claimSite(table: SearchTable, siteId: string): number {
  const known = numberOfSite(table, siteId);
  if (known > 0) return known;
  const counter = plainKey(REGISTRY, KIND.lastNumber);
  const number = (table.get(counter)?.readUInt32BE(0) ?? 0) + 1;
  if (number === 1) writeFormat(table);
  table.putSync(counter, u32(number));
  table.putSync(siteIdKey(siteId), u32(number));
  return number;
}

/** Within a write transaction. */
export function writeFormat(table: SearchTable): void {
  table.putSync(plainKey(REGISTRY, KIND.format), Buffer.of(SEARCH_FORMAT));
}

/** Within a write transaction: forgets a site, whose rows are then to be swept. Gives its number, or 0. */
export function disownSite(table: SearchTable, siteId: string): number {
  const number = numberOfSite(table, siteId);
  if (number === 0) return 0;
  table.removeSync(siteIdKey(siteId));
  table.putSync(numberKey(REGISTRY, KIND.dropped, number), Buffer.alloc(0));
  return number;
}

export const readState = (table: SearchTable, site: number): SiteState =>
  parseState(table.get(plainKey(site, KIND.state)));

export const parseState = (bytes: Buffer | undefined): SiteState =>
  bytes ? JSON.parse(bytes.toString('utf8')) : emptyState();

export function writeState(table: SearchTable, site: number, state: SiteState): void {
  table.putSync(plainKey(site, KIND.state), Buffer.from(JSON.stringify(state)));
}

/** @throws Error where a server of another format wrote the index */
export function refuseOtherFormat(table: SearchTable): void {
  const found = table.get(plainKey(REGISTRY, KIND.format))?.[0];
  if (found === undefined || found === SEARCH_FORMAT) return;
  throw new Error(
    found > SEARCH_FORMAT
      ? `the search index has format ${found}, this server reads ${SEARCH_FORMAT}: run a newer Gatehouse on it`
      : `the search index has format ${found} of a version before the first release, this server reads ${SEARCH_FORMAT}: index the sites anew in an empty data folder`,
  );
}

export function u32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value, 0);
  return bytes;
}
