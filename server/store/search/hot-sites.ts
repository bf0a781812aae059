import { type Postings, postingsBytes } from '../../search/core/posting-block.ts';
import type { Chunk, Vocabulary } from '../../search/core/vocabulary.ts';
import { readChunk } from './chunk-codec.ts';
import { chunkKey, KIND, numberKey, plainKey, termOfChunkKey } from './keys.ts';
import { readList } from './lists.ts';
import type { SearchTable } from './site-state.ts';

/** What a write changed of what is remembered. */
export type SiteChanges = {
  stamp: string;
  /** First terms of chunks that went, and chunks that came. */
  gone: string[];
  chunks: Chunk[];
  norms: Map<number, Uint8Array>;
  /** Numbers of the terms whose postings are others now. */
  lists: Iterable<number>;
};

/** What is remembered of a site: nothing that could not be read again. */
export type HotSite = Vocabulary & {
  norms(block: number): Uint8Array;
  /** The postings of a term; not to be changed. */
  postings(number: number): Postings;
  /** The postings of a term where they are remembered. */
  known(number: number): Postings | undefined;
  /** What `compute` gives, once for each state of the site. */
  factors(compute: () => Float64Array): Float64Array;
};

type Remembered = {
  stamp: string;
  firsts: string[];
  chunks: Map<string, Chunk>;
  norms: Map<number, Uint8Array>;
  /** In the order of their last use. */
  lists: Map<number, Postings>;
  factors: Float64Array | null;
  /** Of a write whose commit may be seen before its promise is. */
  coming: SiteChanges[];
  sizeBytes: number;
};

export type HotSites = {
  /** The site as it is at `stamp`, within the read transaction that gave the stamp. */
  open(site: number, stamp: string): HotSite;
  /** Tells of a write before it is committed, so that the next reader finds what it left and need not read it again. */
  expect(site: number, changes: SiteChanges): void;
  forget(site: number): void;
  /** Bytes remembered, roughly. */
  sizeBytes(): number;
};

// Our estimates: a term as a JavaScript string with its slots in three arrays, a chunk's own objects, a first term.
const TERM_BYTES = 72;
const CHUNK_BYTES = 600;
const FIRST_BYTES = 96;
const SITE_BYTES = 1_000;
const NO_NORMS = new Uint8Array(0);

/** Vocabulary and norms of the sites that were used last, within `budgetBytes` for the whole process. */
export function createHotSites(table: SearchTable, budgetBytes: number): HotSites {
  // In the order of their last use.
  const sites = new Map<number, Remembered>();
  let total = 0;

  function resize(remembered: Remembered, bytes: number): void {
    remembered.sizeBytes += bytes;
    total += bytes;
  }

  function forget(site: number): void {
    const remembered = sites.get(site);
    if (!remembered) return;
    total -= remembered.sizeBytes;
    // Whoever still holds it must not count it again.
    remembered.sizeBytes = Number.NEGATIVE_INFINITY;
    sites.delete(site);
  }

  function evict(used: Remembered): void {
    // Postings are much, and a site that has many of them must not drive out all others.
    for (const [number, postings] of used.lists) {
      if (total <= budgetBytes || used.sizeBytes <= budgetBytes / 2) break;
      used.lists.delete(number);
      resize(used, -postingsBytes(postings));
    }
    for (const [site, remembered] of sites) {
      if (total <= budgetBytes) return;
      if (remembered !== used) forget(site);
    }
    // One site that is larger than the budget keeps only what names its chunks.
    if (total > budgetBytes) {
      used.chunks.clear();
      used.norms.clear();
      used.lists.clear();
      resize(used, SITE_BYTES + used.firsts.length * FIRST_BYTES - used.sizeBytes);
    }
  }

  function load(site: number, stamp: string): Remembered {
    const firsts: string[] = [];
    const range = { start: plainKey(site, KIND.chunk), end: plainKey(site, (KIND.chunk + 1) as 17) };
    for (const key of table.getKeys(range)) firsts.push(termOfChunkKey(key));
    const sizeBytes = SITE_BYTES + firsts.length * FIRST_BYTES;
    const remembered = {
      stamp,
      firsts,
      chunks: new Map(),
      norms: new Map(),
      lists: new Map(),
      factors: null,
      coming: [],
      sizeBytes,
    };
    total += sizeBytes;
    return remembered;
  }

  function catchUp(remembered: Remembered, stamp: string): boolean {
    const at = remembered.coming.findIndex((changes) => changes.stamp === stamp);
    if (remembered.stamp !== stamp && at < 0) return false;
    for (const changes of remembered.coming.splice(0, at + 1))
      resize(remembered, applyChanges(remembered, changes));
    if (remembered.stamp !== stamp) remembered.factors = null;
    remembered.stamp = stamp;
    return true;
  }

  return {
    open(site, stamp) {
      let remembered = sites.get(site);
      if (remembered && !catchUp(remembered, stamp)) {
        forget(site);
        remembered = undefined;
      }
      const own = remembered ?? load(site, stamp);
      sites.delete(site);
      sites.set(site, own);
      evict(own);
      return {
        get firsts() {
          return own.firsts;
        },
        chunk(i) {
          const first = own.firsts[i];
          let chunk = own.chunks.get(first);
          if (!chunk) {
            const bytes = table.get(chunkKey(site, first));
            if (!bytes) throw new RangeError('a chunk of the vocabulary is missing in the index');
            chunk = readChunk(bytes);
            own.chunks.set(first, chunk);
            resize(own, chunkBytes(chunk));
          }
          return chunk;
        },
        norms(block) {
          let norms = own.norms.get(block);
          if (!norms) {
            norms = table.get(numberKey(site, KIND.norms, block)) ?? NO_NORMS;
            own.norms.set(block, norms);
            resize(own, norms.length + 100);
          }
          return norms;
        },
        postings(number) {
          let postings = own.lists.get(number);
          if (postings) own.lists.delete(number);
          else {
            postings = readList(table, site, number);
            resize(own, postingsBytes(postings));
          }
          own.lists.set(number, postings);
          return postings;
        },
        known: (number) => own.lists.get(number),
        factors(compute) {
          own.factors ??= compute();
          return own.factors;
        },
      };
    },
    expect(site, changes) {
      const remembered = sites.get(site);
      if (!remembered) return;
      // Only a commit that failed leaves more than a few behind.
      if (remembered.coming.length >= 8) forget(site);
      else remembered.coming.push(changes);
    },
    forget,
    sizeBytes: () => total,
  };
}

const chunkBytes = (chunk: Chunk): number => CHUNK_BYTES + chunk.terms.length * TERM_BYTES;

/** @returns the bytes that `remembered` has become larger by */
function applyChanges(remembered: Remembered, changes: SiteChanges): number {
  let grown = 0;
  for (const first of changes.gone) {
    const chunk = remembered.chunks.get(first);
    if (chunk) grown -= chunkBytes(chunk);
    remembered.chunks.delete(first);
  }
  if (changes.gone.length > 0 || changes.chunks.length > 0) {
    const gone = new Set(changes.gone);
    const kept = remembered.firsts.filter((first) => !gone.has(first));
    grown += (kept.length + changes.chunks.length - remembered.firsts.length) * FIRST_BYTES;
    remembered.firsts = [...kept, ...changes.chunks.map((chunk) => chunk.terms[0])].sort((a, b) =>
      a < b ? -1 : 1,
    );
  }
  for (const chunk of changes.chunks) {
    remembered.chunks.set(chunk.terms[0], chunk);
    grown += chunkBytes(chunk);
  }
  for (const number of changes.lists) {
    const postings = remembered.lists.get(number);
    if (postings) grown -= postingsBytes(postings);
    remembered.lists.delete(number);
  }
  for (const [block, norms] of changes.norms) {
    grown += norms.length - (remembered.norms.get(block)?.length ?? -100);
    remembered.norms.set(block, norms);
  }
  return grown;
}
