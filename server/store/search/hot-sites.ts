import { lengthFactors } from '../../search/core/match.ts';
import type { Postings } from '../../search/core/postings.ts';
import { chunkOf, placeOf, type Vocabulary } from '../../search/core/vocabulary.ts';
import { KIND, plainKey } from './keys.ts';
import { documentOfSerial, readRecord, type Segment } from './segment.ts';
import { readSegment, readTombstones } from './segment-rows.ts';
import { DATE_AT, NORMS_AT, RECORD_BYTES } from './segment-writer.ts';
import { parseState, type SearchTable, type SiteState } from './site-state.ts';
import {
  firstsOf,
  isLarge,
  type LivingSegment,
  NUMBERS_A_CHUNK,
  readSiteChunk,
  readSource,
  type SiteChunk,
} from './site-vocabulary.ts';
import { type PostingsPart, postingsBytes, readPostings } from './term-postings.ts';

/** A site as it is at one stamp. What is remembered of it is nothing that could not be read again. */
export type SiteView = Vocabulary & {
  state: SiteState;
  /** Documents have numbers below this. */
  limit: number;
  numberOf(term: string): number;
  documents(number: number): number;
  /** The postings of a term; not to be changed. */
  postings(number: number): Postings;
  factors: Float64Array;
  remember<Value extends object>(key: string, compute: () => Value): Value;
  normOf(doc: number, field: number): number;
  dateOf(doc: number): number;
  /** The serial number of a page, and that of the first in its block of texts. */
  placeOf(doc: number): { serial: number; block: number };
  /** The same of the page with this serial number, or null. */
  placeOfSerial(serial: number): { serial: number; block: number } | null;
};

type View = SiteView & {
  /** Forgets postings, those used longest ago first, until no more than so many bytes are kept. */
  forgetPostings(keptBytes: number): void;
  forgetAll(): void;
};
type Remembered = {
  view: View | null;
  /** The first terms of the chunks of the vocabulary, and the segments that they come from. */
  firsts: readonly string[];
  large: readonly Segment[];
  /** The row that the view was made from. */
  stateRow: Buffer | undefined;
  segments: Map<number, Segment>;
  postingsBytes: number;
  chunkBytes: number;
};

export type HotSites = {
  /** The site as it is now; what the view reads is to be read in the same turn. */
  open(site: number): SiteView;
  forget(site: number): void;
  /** Bytes remembered, roughly. */
  sizeBytes(): number;
};

// Our estimates: a term in a chunk of a site with its slots, and what a site takes beside.
const TERM_BYTES = 120;
const SITE_BYTES = 2_000;
// Our choice: words of queries whose forms, ends and corrections are kept; and what they take, roughly.
const MOST_EXPANSIONS = 500;
const EXPANSION_BYTES = 2_000;

/** Vocabularies and postings of the sites that were used last, within `budgetBytes` for the whole process. */
export function createHotSites(table: SearchTable, budgetBytes: number): HotSites {
  // In the order of their last use.
  const sites = new Map<number, Remembered>();

  const sizeOf = (remembered: Remembered): number => {
    let size = SITE_BYTES + remembered.postingsBytes + remembered.chunkBytes;
    for (const segment of remembered.segments.values()) size += segment.sizeBytes();
    return size;
  };
  // The sizes as they were when each site was used last: only its use changes them.
  const sizes = new Map<number, number>();
  let total = 0;
  function measure(site: number, size: number): void {
    total += size - (sizes.get(site) ?? 0);
    if (size === 0) sizes.delete(site);
    else sizes.set(site, size);
  }

  function forget(site: number): void {
    sites.delete(site);
    measure(site, 0);
  }

  function evict(site: number, used: Remembered): void {
    // Postings are much, and a site that has many of them must not drive out all others.
    const excess = Math.min(total - budgetBytes, (sizes.get(site) as number) - budgetBytes / 2);
    if (excess > 0) {
      used.view?.forgetPostings(used.postingsBytes - excess);
      measure(site, sizeOf(used));
    }
    for (const other of sites.keys()) {
      if (total <= budgetBytes) return;
      if (other !== site) forget(other);
    }
    if (total > budgetBytes) {
      used.view?.forgetAll();
      used.view = null;
      used.segments.clear();
      used.large = [];
      used.firsts = [''];
      measure(site, sizeOf(used));
    }
  }

  return {
    open(site) {
      let own = sites.get(site);
      if (own) {
        sites.delete(site);
        measure(site, sizeOf(own));
      } else
        own = {
          view: null,
          stateRow: undefined,
          firsts: [''],
          large: [],
          segments: new Map(),
          postingsBytes: 0,
          chunkBytes: 0,
        };
      sites.set(site, own);
      evict(site, own);
      const row = table.get(plainKey(site, KIND.state));
      if (own.view !== null && (row === undefined ? own.stateRow === row : own.stateRow?.equals(row)))
        return own.view;
      own.view?.forgetAll();
      own.stateRow = row;
      own.view = openView(table, site, parseState(row), own);
      return own.view;
    },
    forget,
    sizeBytes: () => total,
  };
}

function openSegments(
  table: SearchTable,
  site: number,
  state: SiteState,
  known: Map<number, Segment>,
): LivingSegment[] {
  const ids = new Set(state.segments.map(({ id }) => id));
  for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
  let base = 0;
  return state.segments.map(({ id, docs, dead }) => {
    const segment = known.get(id) ?? readSegment(table, site, id);
    known.set(id, segment);
    base += docs;
    return {
      segment,
      dead: dead > 0 ? readTombstones(table, site, id, docs) : null,
      base: base - docs,
    };
  });
}

function openView(table: SearchTable, site: number, state: SiteState, remembered: Remembered): View {
  const factors = lengthFactors(state.lengths.map((words) => words / Math.max(1, state.pages)));
  const segments = openSegments(table, site, state, remembered.segments);
  // Most writes bring small segments, which leave the division into chunks as it is.
  const large = segments.filter(isLarge);
  const isSame =
    large.length === remembered.large.length &&
    large.every(({ segment }, i) => segment === remembered.large[i]);
  const firsts = isSame ? remembered.firsts : firstsOf(large);
  remembered.large = large.map(({ segment }) => segment);
  remembered.firsts = firsts;
  const chunks = new Map<number, SiteChunk>();
  // In the order of their last use.
  const lists = new Map<number, { postings: Postings; bytes: number }>();
  const expansions = new Map<string, object>();
  const last = segments.at(-1);
  const chunkAt = (i: number): SiteChunk => {
    let chunk = chunks.get(i);
    if (!chunk) {
      chunk = readSiteChunk(segments, i, firsts[i], firsts[i + 1]);
      chunks.set(i, chunk);
      remembered.chunkBytes += 500 + chunk.terms.length * TERM_BYTES;
    }
    return chunk;
  };
  const livingOf = (doc: number): LivingSegment => {
    let at = segments.length - 1;
    while (segments[at].base > doc) at--;
    return segments[at];
  };
  const partsOf = (number: number): PostingsPart[] => {
    const { sources, starts } = chunkAt(Math.floor(number / NUMBERS_A_CHUNK));
    const place = number % NUMBERS_A_CHUNK;
    return sources.slice(starts[place], starts[place + 1]).map((source) => {
      const { segment: index, chunk: i, place: k } = readSource(source);
      const { segment, dead, base } = segments[index];
      const { documents, postingsAt, placesAt } = segment.chunk(i);
      return {
        documents: documents[k],
        bytes: segment.bytes(postingsAt[k], postingsAt[k + 1]),
        places: () => segment.bytes(placesAt[k], placesAt[k + 1]),
        placesBytes: placesAt[k + 1] - placesAt[k],
        records: segment.records(),
        dead,
        base,
      };
    });
  };
  return {
    state,
    limit: last ? last.base + last.segment.docs : 0,
    firsts,
    chunk: chunkAt,
    factors,
    numberOf(term) {
      const { terms, numbers } = chunkAt(chunkOf(firsts, term));
      const place = placeOf(terms, term);
      return terms[place] === term ? numbers[place] : -1;
    },
    documents: (number) => chunkAt(Math.floor(number / NUMBERS_A_CHUNK)).documents[number % NUMBERS_A_CHUNK],
    postings(number) {
      let list = lists.get(number);
      if (list) lists.delete(number);
      else {
        const parts = partsOf(number);
        list = { postings: readPostings(parts, factors), bytes: postingsBytes(parts) };
        remembered.postingsBytes += list.bytes;
      }
      lists.set(number, list);
      return list.postings;
    },
    remember<Value extends object>(key: string, compute: () => Value): Value {
      let value = expansions.get(key) as Value | undefined;
      if (value === undefined) {
        if (expansions.size >= MOST_EXPANSIONS) {
          remembered.chunkBytes -= expansions.size * EXPANSION_BYTES;
          expansions.clear();
        }
        value = compute();
        expansions.set(key, value);
        remembered.chunkBytes += EXPANSION_BYTES;
      }
      return value;
    },
    normOf(doc, field) {
      const { segment, base } = livingOf(doc);
      return segment.records()[(doc - base) * RECORD_BYTES + NORMS_AT + field];
    },
    dateOf(doc) {
      const { segment, base } = livingOf(doc);
      const records = segment.records();
      const at = (doc - base) * RECORD_BYTES + DATE_AT;
      return (records[at] | (records[at + 1] << 8) | (records[at + 2] << 16) | (records[at + 3] << 24)) >>> 0;
    },
    placeOf(doc) {
      const { segment, base } = livingOf(doc);
      return readRecord(segment.records(), doc - base);
    },
    placeOfSerial(serial) {
      const at = state.segments.findIndex(({ from, to }) => serial >= from && serial < to);
      if (at < 0) return null;
      const records = segments[at].segment.records();
      const doc = documentOfSerial(records, serial);
      return doc < 0 ? null : readRecord(records, doc);
    },
    forgetPostings(keptBytes) {
      for (const [number, { bytes }] of lists) {
        if (remembered.postingsBytes <= keptBytes) break;
        lists.delete(number);
        remembered.postingsBytes -= bytes;
      }
    },
    forgetAll() {
      lists.clear();
      chunks.clear();
      expansions.clear();
      remembered.postingsBytes = 0;
      remembered.chunkBytes = 0;
    },
  };
}
