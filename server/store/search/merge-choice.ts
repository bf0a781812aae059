import type { SegmentEntry } from './site-state.ts';

// Our choice. Segments of like size are joined when there are so many in a row, so that each page is copied once per
// level; what is larger than the greatest is left as it is, since a merge is held in memory until it is written.
const FAN = 8;
const LEAST_BYTES = 8_192;
const GREATEST_BYTES = 32 * 1024 * 1024;
// A segment is written anew where this share of its documents is deleted.
const MOST_DEAD = 0.25;
/** Above this many segments writes wait for merges. Our choice. */
export const MOST_SEGMENTS = 64;

const levelOf = ({ bytes }: SegmentEntry): number =>
  Math.floor(Math.log(Math.max(1, bytes / LEAST_BYTES)) / Math.log(FAN));

/** The segments that are to be joined next, which follow one another, or none. */
export function chooseMerge(segments: readonly SegmentEntry[]): readonly SegmentEntry[] {
  const top = segments.reduce((most, segment) => Math.max(most, levelOf(segment)), 0);
  for (let level = 0; level <= top; level++) {
    for (let from = 0; from < segments.length; from++) {
      let bytes = 0;
      let to = from;
      while (to < segments.length && levelOf(segments[to]) <= level) {
        bytes += segments[to].bytes;
        if (bytes > GREATEST_BYTES) break;
        to++;
      }
      if (to - from >= FAN) return segments.slice(from, to);
      // From within the same row there are no more.
      from = Math.max(from, to - 1);
    }
  }
  const grave = segments.find(({ dead, docs }) => dead > docs * MOST_DEAD);
  return grave ? [grave] : [];
}
