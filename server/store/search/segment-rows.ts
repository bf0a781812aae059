import { KIND, numberKey, pairKey } from './keys.ts';
import { openSegment, type Segment } from './segment.ts';
import type { SearchTable } from './site-state.ts';

// LMDB keeps a large value in pages of its own, 4,096 bytes each, less a head of 24 on the first: four of them, full.
const PART_BYTES = 4 * 4_096 - 24;

/** Within a write transaction. */
export function writeSegment(table: SearchTable, site: number, id: number, bytes: Uint8Array): void {
  for (let part = 0; part * PART_BYTES < bytes.length; part++) {
    const own = bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
    table.putSync(pairKey(site, KIND.segment, id, part), Buffer.from(own));
  }
}

/** Within a write transaction: removes a segment of `bytes` bytes, and its tombstones. */
export function removeSegment(table: SearchTable, site: number, id: number, bytes: number): void {
  for (let part = 0; part * PART_BYTES < bytes; part++)
    table.removeSync(pairKey(site, KIND.segment, id, part));
  table.removeSync(numberKey(site, KIND.tombstones, id));
}

/** The segment, whose parts are read as they are needed. */
export function readSegment(table: SearchTable, site: number, id: number): Segment {
  // The part read last: what is read next often stands beside.
  let lastPart = -1;
  let last: Uint8Array = new Uint8Array(0);
  function part(number: number): Uint8Array {
    if (number === lastPart) return last;
    const found = table.get(pairKey(site, KIND.segment, id, number));
    if (!found) throw new RangeError('a part of a segment is missing in the index');
    last = found;
    lastPart = number;
    return found;
  }
  return openSegment((from, to) => {
    const first = Math.floor(from / PART_BYTES);
    const at = first * PART_BYTES;
    if (to <= at + PART_BYTES) return part(first).subarray(from - at, to - at);
    const bytes = new Uint8Array(to - from);
    for (let number = first; number * PART_BYTES < to; number++) {
      const start = number * PART_BYTES;
      const own = part(number).subarray(Math.max(0, from - start), to - start);
      bytes.set(own, Math.max(from, start) - from);
    }
    return bytes;
  });
}

/** The deleted documents of a segment, a bit for each; null where there are none. */
export function readTombstones(
  table: SearchTable,
  site: number,
  id: number,
  docs: number,
): Uint8Array | null {
  const bits = table.get(numberKey(site, KIND.tombstones, id));
  if (!bits) return null;
  return Uint8Array.from({ length: docs }, (_, doc) => (bits[doc >> 3] >> (doc & 7)) & 1);
}

/** Within a write transaction. */
export function writeTombstones(table: SearchTable, site: number, id: number, dead: Uint8Array): void {
  const bits = Buffer.alloc((dead.length + 7) >> 3);
  for (let doc = 0; doc < dead.length; doc++) if (dead[doc]) bits[doc >> 3] |= 1 << (doc & 7);
  table.putSync(numberKey(site, KIND.tombstones, id), bits);
}
