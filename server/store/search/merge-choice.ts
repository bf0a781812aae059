import type { SegmentEntry } from './site-state.ts';

/** Segments that are joined at once, at least. Our choice. */
export const FAN = 4;
// The pages that a merge leaves make the file larger, and until it is written it is held in memory: so a merge is at most
// this part of a site, or four MiB. Our choice.
const GREATEST_BYTES = 4 * 1024 * 1024;
const GREATEST_SHARE = 1 / 8;
// A segment is written anew where this share of its documents is deleted.
const MOST_DEAD = 0.25;
/** Above this many segments writes wait for merges. Our choice. */
export const MOST_SEGMENTS = 64;

/**
 * The segments that are to be joined next, which follow one another, or none: so many that none is larger than all others
 * together. So each page comes into a segment of at least twice the size, and is copied a few times at most.
 */
export function chooseMerge(segments: readonly SegmentEntry[]): readonly SegmentEntry[] {
  const total = segments.reduce((sum, { bytes }) => sum + bytes, 0);
  const greatest = Math.max(GREATEST_BYTES, total * GREATEST_SHARE);
  for (let from = 0; from < segments.length; from++) {
    let bytes = 0;
    let largest = 0;
    for (let to = from; to < segments.length; to++) {
      bytes += segments[to].bytes;
      largest = Math.max(largest, segments[to].bytes);
      if (bytes > greatest) break;
      if (to - from + 1 >= FAN && largest * 2 <= bytes) return segments.slice(from, to + 1);
    }
  }
  const grave = segments.find(({ dead, docs }) => dead > docs * MOST_DEAD);
  return grave ? [grave] : [];
}
