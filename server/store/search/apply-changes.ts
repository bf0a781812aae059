import { NORM_ROW_BYTES } from '../../search/core/match.ts';
import { FIELD_COUNT, lengthToNorm } from '../../search/core/norms.ts';
import type { PagePostings } from '../../search/core/page-postings.ts';
import type { IndexPage } from '../../search/core/ports.ts';
import { BLOCK_DOCUMENTS, type PostingSpan } from '../../search/core/posting-block.ts';
import { numberOf } from '../../search/core/vocabulary.ts';
import { writeChunk } from './chunk-codec.ts';
import {
  packForward,
  readForward,
  readFree,
  removeDocument,
  type StoredPage,
  writeDocument,
  writeFree,
} from './documents.ts';
import type { HotSites, SiteChanges } from './hot-sites.ts';
import { chunkKey, KIND, numberKey, pageKey } from './keys.ts';
import { changeList, type ListChange } from './lists.ts';
import { readState, type SearchTable, type SiteState, u32, writeState } from './site-state.ts';
import { changeVocabulary, type TermChange } from './vocabulary-changes.ts';

/** A page with all that can be computed before the transaction. */
export type PreparedPage = { page: IndexPage; postings: PagePostings; stored: StoredPage };

/** The document number of a page, or -1. */
export function documentOf(table: SearchTable, site: number, pageId: string): number {
  return table.get(pageKey(site, pageId))?.readUInt32BE(0) ?? -1;
}

/**
 * Within a write transaction: brings a site to where each page of `changes` is as given, and those that are null are gone.
 * Only the terms of these pages are touched.
 */
export function applyToSite(
  table: SearchTable,
  hot: HotSites,
  site: number,
  changes: ReadonlyMap<string, PreparedPage | null>,
  stamp: string,
): void {
  const state = readState(table, site);
  const vocabulary = hot.open(site, state.stamp);
  const lists = new Map<number, ListChange & { term: string }>();
  const listOf = (number: number, term: string) => {
    let list = lists.get(number);
    if (!list) {
      list = { removed: [], added: [], term };
      lists.set(number, list);
    }
    return list;
  };

  const free = state.freeDocuments > 0 ? readFree(table, site) : [];
  const placed: { doc: number; prepared: PreparedPage }[] = [];
  const touched = new Map<number, PreparedPage | null>();
  for (const [id, prepared] of changes) {
    let doc = documentOf(table, site, id);
    if (doc >= 0) {
      removeOld(table, site, doc, state, (number) => listOf(number, '').removed.push(doc));
      if (prepared === null) {
        table.removeSync(pageKey(site, id));
        free.push(doc);
      }
    }
    if (prepared !== null) {
      if (doc < 0) {
        doc = free.pop() ?? state.nextDocument++;
        table.putSync(pageKey(site, id), u32(doc));
      }
      placed.push({ doc, prepared });
    }
    if (doc >= 0) touched.set(doc, prepared);
  }
  placed.sort((a, b) => a.doc - b.doc);
  writeFreeAgain(table, site, state, free);

  const known = new Map<string, { number: number; list: ListChange }>();
  for (const { doc, prepared } of placed) {
    const { terms, bytes, ends } = prepared.postings;
    const own: number[] = [];
    let start = 0;
    for (const [i, term] of terms.entries()) {
      let entry = known.get(term);
      if (entry === undefined) {
        let number = numberOf(vocabulary, term);
        if (number < 0) number = state.nextTerm++;
        entry = { number, list: listOf(number, term) };
        known.set(term, entry);
      }
      own.push(entry.number);
      const span: PostingSpan = { doc, bytes, start, end: ends[i] };
      entry.list.added.push(span);
      start = ends[i];
    }
    addNew(
      table,
      site,
      doc,
      prepared,
      own.sort((a, b) => a - b),
      state,
    );
  }

  const termChanges: TermChange[] = [];
  for (const number of [...lists.keys()].sort((a, b) => a - b)) {
    const list = lists.get(number) as ListChange & { term: string };
    list.removed.sort((a, b) => a - b);
    const { before, after, term } = changeList(table, site, number, list.term, list);
    if (before !== after) termChanges.push({ term, number, documents: after });
  }
  const { gone, chunks } = changeVocabulary(vocabulary, termChanges);
  for (const first of gone) table.removeSync(chunkKey(site, first));
  for (const chunk of chunks) table.putSync(chunkKey(site, chunk.terms[0]), Buffer.from(writeChunk(chunk)));
  const norms = writeNorms(table, site, touched);
  state.stamp = stamp;
  writeState(table, site, state);
  const siteChanges: SiteChanges = { stamp, gone, chunks, norms, lists: [...lists.keys()] };
  hot.expect(site, siteChanges);
}

function writeFreeAgain(table: SearchTable, site: number, state: SiteState, free: number[]): void {
  if (free.length === 0 && state.freeDocuments === 0) return;
  writeFree(
    table,
    site,
    free.sort((a, b) => a - b),
  );
  state.freeDocuments = free.length;
}

function removeOld(
  table: SearchTable,
  site: number,
  doc: number,
  state: SiteState,
  removeFrom: (number: number) => void,
): void {
  const forward = readForward(table, site, doc, FIELD_COUNT);
  for (const number of forward.numbers) removeFrom(number);
  removeDocument(table, site, doc);
  table.removeSync(numberKey(site, KIND.forward, doc));
  state.pages--;
  state.bytes -= forward.bytes;
  for (const [field, length] of forward.lengths.entries()) state.lengths[field] -= length;
  const left = (state.languages[forward.language] ?? 0) - 1;
  if (left > 0) state.languages[forward.language] = left;
  else delete state.languages[forward.language];
}

function addNew(
  table: SearchTable,
  site: number,
  doc: number,
  { postings, stored }: PreparedPage,
  numbers: number[],
  state: SiteState,
): void {
  writeDocument(table, site, doc, stored);
  const language = postings.language ?? '';
  const storedBytes = stored.pieces.reduce((sum, piece) => sum + piece.length, stored.first.length);
  const bytes = storedBytes + postings.bytes.length + numbers.length * 2;
  const forward = packForward({ numbers, lengths: [...postings.lengths], bytes, language });
  table.putSync(numberKey(site, KIND.forward, doc), forward);
  state.pages++;
  state.bytes += bytes;
  for (const [field, length] of postings.lengths.entries()) state.lengths[field] += length;
  state.languages[language] = (state.languages[language] ?? 0) + 1;
}

function writeNorms(
  table: SearchTable,
  site: number,
  touched: ReadonlyMap<number, PreparedPage | null>,
): Map<number, Uint8Array> {
  const rows = new Map<number, Buffer>();
  for (const [doc, prepared] of touched) {
    const block = doc >> 7;
    const at = (doc & (BLOCK_DOCUMENTS - 1)) * NORM_ROW_BYTES;
    let row = rows.get(block) ?? table.get(numberKey(site, KIND.norms, block)) ?? Buffer.alloc(0);
    if (!rows.has(block) || row.length < at + NORM_ROW_BYTES) {
      const longer = Buffer.alloc(Math.max(row.length, at + NORM_ROW_BYTES));
      row.copy(longer);
      row = longer;
      rows.set(block, row);
    }
    const { postings, page } = prepared ?? {};
    for (let field = 0; field < FIELD_COUNT; field++)
      row[at + field] = lengthToNorm(postings?.lengths[field] ?? 0);
    const date = page?.publishedAtSecs ?? page?.updatedAtSecs ?? 0;
    row.writeUInt32LE(Math.min(0xffff_ffff, Math.max(0, Math.floor(date))), at + FIELD_COUNT);
  }
  for (const [block, row] of rows) table.putSync(numberKey(site, KIND.norms, block), row);
  return rows;
}
