import type { PagePostings } from '../../search/core/page-postings.ts';
import type { IndexPage } from '../../search/core/ports.ts';
import { type PageTexts, removePieces, writePieces } from './documents.ts';
import { KIND, numberKey, pageKey } from './keys.ts';
import { type PageRow, readPageRow, writePageRow } from './page-rows.ts';
import { documentOfSerial, type Segment } from './segment.ts';
import { buildSegment } from './segment-build.ts';
import { readSegment, readTombstones, removeSegment, writeSegment, writeTombstones } from './segment-rows.ts';
import { readState, type SearchTable, type SegmentEntry, type SiteState, writeState } from './site-state.ts';

/** A page with all that can be computed before the transaction. */
export type PreparedPage = {
  page: IndexPage;
  postings: PagePostings;
  pieces: PageTexts['pieces'];
  /** The first page in its block of texts, as a place among the pages of its call. */
  block: number;
  /** Bytes that it takes in the store, roughly. */
  bytes: number;
};

/** Pages of one call with their texts. */
export type PreparedPart = {
  pages: readonly PreparedPage[];
  /** Of each page, counted together. */
  terms: number;
  /** Blocks of texts, and the place of the first page of each. */
  blocks: readonly { first: number; bytes: Buffer }[];
};

/** What a transaction does to a site. */
export type SiteChanges = {
  /** By page id: the page as it will be with its place among all pages of the parts, or null where it goes. */
  pages: Map<string, { prepared: PreparedPage; place: number; blockPlace: number } | null>;
  parts: { part: PreparedPart; place: number }[];
  /** Pages of all parts. */
  places: number;
};

export const noChanges = (): SiteChanges => ({ pages: new Map(), parts: [], places: 0 });

/**
 * Within a write transaction: brings a site to where each page of `changes` is as given, and those that are null are
 * gone. What is new becomes one segment, what was before is marked as deleted.
 */
export function applyToSite(table: SearchTable, site: number, changes: SiteChanges, stamp: string): void {
  const state = readState(table, site);
  const from = state.nextSerial;
  const to = from + changes.places;
  const gone: number[] = [];
  for (const [id, change] of changes.pages) {
    const row = readPageRow(table, site, id);
    if (row) {
      gone.push(row.serial);
      removePieces(table, site, row.serial, row.pieces);
      count(state, row, -1);
      if (change === null) table.removeSync(pageKey(site, id));
    }
  }
  bury(table, site, state, gone);

  const placed = [...changes.pages]
    .flatMap(([id, change]) => (change === null ? [] : [{ id, ...change }]))
    .sort((a, b) => a.place - b.place);
  if (placed.length > 0) {
    for (const { part, place } of changes.parts) {
      for (const { first, bytes } of part.blocks)
        table.putSync(numberKey(site, KIND.texts, from + place + first), bytes);
    }
    for (const { id, prepared, place } of placed) {
      const { postings, pieces, bytes } = prepared;
      const row: PageRow = {
        serial: from + place,
        lengths: postings.lengths,
        bytes,
        pieces: pieces.length,
        language: postings.language ?? '',
      };
      writePieces(table, site, row.serial, pieces);
      writePageRow(table, site, id, row);
      count(state, row, 1);
    }
    const bytes = buildSegment(
      placed.map(({ prepared: { page, postings }, place, blockPlace }) => ({
        serial: from + place,
        block: from + blockPlace,
        dateSecs: page.publishedAtSecs ?? page.updatedAtSecs,
        postings,
      })),
    );
    const id = state.nextSegment++;
    writeSegment(table, site, id, bytes);
    state.segments.push({ id, from, to, docs: placed.length, dead: 0, bytes: bytes.length });
    state.nextSerial = to;
  }
  state.stamp = stamp;
  writeState(table, site, state);
}

function count(state: SiteState, { lengths, bytes, language }: PageRow, sign: 1 | -1): void {
  state.pages += sign;
  state.bytes += sign * bytes;
  for (const [field, length] of lengths.entries()) state.lengths[field] += sign * length;
  const pages = (state.languages[language] ?? 0) + sign;
  if (pages > 0) state.languages[language] = pages;
  else delete state.languages[language];
}

/** Marks documents as deleted; a segment that has no others goes at once. */
function bury(table: SearchTable, site: number, state: SiteState, serials: readonly number[]): void {
  const buried = new Map<SegmentEntry, { segment: Segment; dead: Uint8Array }>();
  for (const serial of serials) {
    const entry = state.segments.find(({ from, to }) => serial >= from && serial < to);
    if (!entry) throw new RangeError('the segment of a page is missing in the index');
    let grave = buried.get(entry);
    if (!grave) {
      const dead = readTombstones(table, site, entry.id, entry.docs) ?? new Uint8Array(entry.docs);
      grave = { segment: readSegment(table, site, entry.id), dead };
      buried.set(entry, grave);
    }
    const doc = documentOfSerial(grave.segment.records(), serial);
    if (doc < 0 || grave.dead[doc] === 1) throw new RangeError('a page is missing in its segment');
    grave.dead[doc] = 1;
    entry.dead++;
  }
  for (const [entry, { dead }] of buried) {
    if (entry.dead < entry.docs) {
      writeTombstones(table, site, entry.id, dead);
      continue;
    }
    removeSegment(table, site, entry.id, entry.bytes);
    removeTexts(table, site, entry.from, entry.to);
    state.segments = state.segments.filter((other) => other !== entry);
  }
}

/** Within a write transaction: removes the blocks of texts that begin at `from` or behind it, and before `to`. */
export function removeTexts(table: SearchTable, site: number, from: number, to: number): void {
  const range = { start: numberKey(site, KIND.texts, from), end: numberKey(site, KIND.texts, to) };
  for (const key of [...table.getKeys(range)]) table.removeSync(key);
}
