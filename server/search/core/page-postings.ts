import { fold } from './fold.ts';
import { BODY, FIELD_COUNT } from './norms.ts';
import type { IndexPage } from './ports.ts';
import { writePosting } from './postings.ts';
import type { TextTools } from './text-tools.ts';
import { CAMEL_PART, PLAIN, scanTerms, type TermSink } from './tokens.ts';
import { createByteWriter } from './varint.ts';

/** Before a label, exactly as it is: for filters. No word has these characters in it. */
export const LABEL_MARK = '\u0001';
/** Before a whole folded title: for completions and for pages that are asked for by name. */
export const TITLE_MARK = '\u0002';
const LONGEST_LABEL = 200;
const LONGEST_TITLE = 96;
// Words of the body that its language is told by: more would not tell more.
const DETECTED_FROM = 400;
/** The character at which every 32nd position of the body stands is kept, so that a snippet need not read from the start. */
export const OFFSET_EVERY = 32;

/** What the index keeps of a page besides its text. */
export type PagePostings = {
  terms: readonly string[];
  /** The occurrences of term i are bytes[ends[i - 1]] to bytes[ends[i]], its positions places[placeEnds[i - 1]] to places[placeEnds[i]]. */
  bytes: Uint8Array;
  ends: Uint32Array;
  places: Uint8Array;
  placeEnds: Uint32Array;
  /** Words per field. */
  lengths: readonly number[];
  /** UTF-16 offsets in the body of the first word at or after position 32, 64, … */
  offsets: readonly number[];
  language: string | null;
};

/**
 * Distinct words of a body that are indexed; those that come later are found in no search. Our choice: a long novel has
 * some 20,000, and each new word costs the store some 15 µs, while everybody else waits.
 */
export const MOST_WORDS = 30_000;

let occurrenceTerm = new Int32Array(4_096);
let occurrencePosition = new Int32Array(4_096);
const writer = createByteWriter(65_536);
const placeWriter = createByteWriter(65_536);

/** The postings of one page: every term of every field with its positions. Linear in the size of the page. */
export function makePostings(page: IndexPage, tools: TextTools): PagePostings {
  const ids = new Map<string, number>();
  const terms: string[] = [];
  let occurrences = 0;
  const add = (term: string, position: number) => {
    let id = ids.get(term);
    if (id === undefined) {
      id = terms.push(term) - 1;
      ids.set(term, id);
    }
    if (occurrences === occurrenceTerm.length) {
      occurrenceTerm = grow(occurrenceTerm);
      occurrencePosition = grow(occurrencePosition);
    }
    occurrenceTerm[occurrences] = id;
    occurrencePosition[occurrences++] = position;
  };

  const lengths: number[] = [];
  const fieldEnds: number[] = [];
  const offsets: number[] = [];
  const sample: string[] = [];
  for (let field = 0; field < FIELD_COUNT; field++) {
    let position = 0;
    // A part of `CResourceClass` is a share of that name, not the whole of a title: each lengthens a field by two words.
    let innerLength = 0;
    const addShort: TermSink = (term, at, _start, _end, role) => {
      if (role === CAMEL_PART) innerLength += 2;
      add(term, at);
    };
    for (const text of textsOf(page, field)) {
      // A gap keeps a phrase from running from one heading or label into the next.
      if (position > 0) position += 2;
      position = scanTerms(
        text,
        tools,
        field !== BODY
          ? addShort
          : (term, at, start, _end, role) => {
              if (at >= (offsets.length + 1) * OFFSET_EVERY) {
                while (at >= (offsets.length + 1) * OFFSET_EVERY) offsets.push(start);
              }
              if (role === PLAIN && sample.length < DETECTED_FROM) sample.push(term);
              if (ids.size < MOST_WORDS || ids.has(term)) add(term, at);
            },
        position,
      );
    }
    lengths.push(position + innerLength);
    fieldEnds.push(occurrences);
  }
  const mostPlaces = fieldEnds.length;
  for (const label of new Set(page.labels)) add(labelTerm(label), 0);
  const title = titleTerm(page.title);
  if (title !== TITLE_MARK) add(title, 0);
  fieldEnds[mostPlaces - 1] = occurrences;

  const counts = countByTerm(terms.length, fieldEnds);
  const positions = sortByTerm(terms.length, occurrences);
  const ends = new Uint32Array(terms.length);
  const placeEnds = new Uint32Array(terms.length);
  writer.at = 0;
  placeWriter.at = 0;
  let from = 0;
  for (let id = 0; id < terms.length; id++) {
    const own = counts.subarray(id * FIELD_COUNT, (id + 1) * FIELD_COUNT);
    writePosting(writer, placeWriter, own, positions, from);
    for (const count of own) from += count;
    ends[id] = writer.at;
    placeEnds[id] = placeWriter.at;
  }
  return {
    terms,
    bytes: writer.bytes.slice(0, writer.at),
    ends,
    places: placeWriter.bytes.slice(0, placeWriter.at),
    placeEnds,
    lengths,
    offsets,
    language: page.language?.toLowerCase().split(/[-_]/)[0] || tools.detect(sample),
  };
}

/** The term that stands for a label. */
export function labelTerm(label: string): string {
  return LABEL_MARK + label.toWellFormed().slice(0, LONGEST_LABEL);
}

/** The term that stands for a whole title. */
export function titleTerm(title: string): string {
  return TITLE_MARK + plainTitle(title).slice(0, LONGEST_TITLE);
}

/** `title` as titles are compared: folded, with single spaces. */
export function plainTitle(title: string): string {
  return fold(
    title
      .slice(0, LONGEST_TITLE * 2)
      .toWellFormed()
      .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
      .trim(),
  );
}

function textsOf(page: IndexPage, field: number): readonly string[] {
  switch (field) {
    case 0:
      return [page.title];
    case 1:
      return page.headings;
    case BODY:
      return [page.body];
    case 3:
      return [readableUrl(page.url)];
    default:
      return page.labels;
  }
}

/** The words that people see in a URL: without scheme, and with its escapes read. */
export function readableUrl(url: string): string {
  const bare = url.replace(/^https?:\/\/(www\.)?/, '');
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare;
  }
}

const grow = (array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> => {
  const grown = new Int32Array(array.length * 2);
  grown.set(array);
  return grown;
};

function countByTerm(terms: number, fieldEnds: readonly number[]): Uint32Array {
  const counts = new Uint32Array(terms * FIELD_COUNT);
  let at = 0;
  for (let field = 0; field < FIELD_COUNT; field++) {
    for (; at < fieldEnds[field]; at++) counts[occurrenceTerm[at] * FIELD_COUNT + field]++;
  }
  return counts;
}

// Positions grouped by term; within a term they stay in the order of fields, and ascend in each.
function sortByTerm(terms: number, occurrences: number): Int32Array {
  const next = new Uint32Array(terms + 1);
  for (let i = 0; i < occurrences; i++) next[occurrenceTerm[i] + 1]++;
  for (let id = 0; id < terms; id++) next[id + 1] += next[id];
  const sorted = new Int32Array(occurrences);
  for (let i = 0; i < occurrences; i++) sorted[next[occurrenceTerm[i]]++] = occurrencePosition[i];
  return sorted;
}
