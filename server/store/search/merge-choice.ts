import type { SegmentEntry } from './site-state.ts';

// Our choice. Segments of like size are joined when there are so many in a row, so that each page is copied once per
// level. The pages that a merge leaves make the file larger, and until it is written it is held in memory: so a merge is
// at most this part of a site, and what is larger than half of that stays as it is.
export const FAN = 5;
const LEAST_BYTES = 256;
const GREATEST_BYTES = 4 * 1024 * 1024;
const GREATEST_SHARE = 1 / 8;
// A segment is written anew where this share of its documents is deleted.
const MOST_DEAD = 0.25;
/** Above this many segments writes wait for merges. Our choice. */
export const MOST_SEGMENTS = 64;

const levelOf = ({ bytes }: SegmentEntry): number =>
  Math.floor(Math.log(Math.max(1, bytes / LEAST_BYTES)) / Math.log(FAN));

/** The segments that are to be joined next, which follow one another, or none. */
export function chooseMerge(segments: readonly SegmentEntry[]): readonly SegmentEntry[] {
  const total = segments.reduce((sum, { bytes }) => sum + bytes, 0);
  const greatest = Math.max(GREATEST_BYTES, total * GREATEST_SHARE);
  const top = segments.reduce((most, segment) => Math.max(most, levelOf(segment)), 0);
  for (let level = 0; level <= top; level++) {
    for (let from = 0; from < segments.length; from++) {
      const isLike = (segment: SegmentEntry) => levelOf(segment) <= level && segment.bytes <= greatest / 2;
      let to = from;
      while (to < segments.length && isLike(segments[to])) to++;
      // Smaller ones in between go with them, larger ones part them.
      const row = segments.slice(from, to);
      const isOfLevel = (segment: SegmentEntry) => levelOf(segment) === level;
      if (row.filter(isOfLevel).length >= FAN)
        return startOf(row.slice(row.findIndex(isOfLevel), row.findLastIndex(isOfLevel) + 1), greatest);
      // From within the same row there are no more.
      from = to;
    }
  }
  const grave = segments.find(({ dead, docs }) => dead > docs * MOST_DEAD);
  return grave ? [grave] : [];
}

function startOf(row: readonly SegmentEntry[], most: number): readonly SegmentEntry[] {
  let bytes = 0;
  const end = row.findIndex((segment) => {
    bytes += segment.bytes;
    return bytes > most;
  });
  return end < 0 ? row : row.slice(0, Math.max(2, end));
}
