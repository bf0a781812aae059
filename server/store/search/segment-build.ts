import { FIELD_COUNT, lengthToNorm } from '../../search/core/norms.ts';
import type { PagePostings } from '../../search/core/page-postings.ts';
import { writeBytes, writeVarint } from '../../search/core/varint.ts';
import { createSegmentWriter, RECORD_BYTES, writeRecord } from './segment-writer.ts';

/** A page that goes into a segment. */
export type NewDocument = { serial: number; block: number; dateSecs: number; postings: PagePostings };

/** The segment of some pages. @param documents ascending by serial number */
export function buildSegment(documents: readonly NewDocument[]): Uint8Array {
  const records = new Uint8Array(documents.length * RECORD_BYTES);
  let entries = 0;
  let places = 0;
  for (const [doc, { serial, block, dateSecs, postings }] of documents.entries()) {
    const norms = Array.from({ length: FIELD_COUNT }, (_, field) => lengthToNorm(postings.lengths[field]));
    writeRecord(records, doc, { serial, block, norms, dateSecs });
    entries += postings.terms.length;
    places += postings.places.length;
  }
  // The postings of each term as a list of entries: which document, and which of its terms.
  const ids = new Map<string, number>();
  const terms: string[] = [];
  const firsts = new Int32Array(entries);
  const lasts = new Int32Array(entries);
  const counts = new Uint32Array(entries);
  const nexts = new Int32Array(entries);
  const docs = new Uint32Array(entries);
  const indexes = new Uint32Array(entries);
  let entry = 0;
  for (const [doc, { postings }] of documents.entries()) {
    for (let i = 0; i < postings.terms.length; i++, entry++) {
      const term = postings.terms[i];
      const id = ids.get(term);
      docs[entry] = doc;
      indexes[entry] = i;
      nexts[entry] = -1;
      if (id === undefined) {
        ids.set(term, terms.length);
        firsts[terms.length] = entry;
        lasts[terms.length] = entry;
        counts[terms.length] = 1;
        terms.push(term);
      } else {
        nexts[lasts[id]] = entry;
        lasts[id] = entry;
        counts[id]++;
      }
    }
  }
  // The order of UTF-16 units is the one that JavaScript sorts texts by where it is given no other.
  const sorted = terms.slice().sort();
  const writer = createSegmentWriter(places + entries * 2 + 256);
  for (const term of sorted) {
    const id = ids.get(term) as number;
    let last = 0;
    for (let at = firsts[id]; at >= 0; at = nexts[at]) {
      writeVarint(writer.postings, docs[at] - last);
      last = docs[at];
    }
    for (let at = firsts[id]; at >= 0; at = nexts[at]) {
      const { bytes, ends, places, placeEnds } = documents[docs[at]].postings;
      const i = indexes[at];
      writeBytes(writer.postings, bytes, i === 0 ? 0 : ends[i - 1], ends[i]);
      writeBytes(writer.places, places, i === 0 ? 0 : placeEnds[i - 1], placeEnds[i]);
    }
    writer.endTerm(term, counts[id]);
  }
  return writer.finish(records);
}
