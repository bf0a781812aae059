import type { Environment } from '../environment.ts';
import { removeTexts } from './apply-changes.ts';
import { divideIntoBlocks, packBlock, type TextBlock, unpackBlock } from './documents.ts';
import { KIND, numberKey } from './keys.ts';
import { chooseMerge, MOST_SEGMENTS } from './merge-choice.ts';
import { nextTurn } from './prepare.ts';
import { readRecord } from './segment.ts';
import { type Merged, type MergeInput, mergeSegments } from './segment-merge.ts';
import { readSegment, readTombstones, removeSegment, writeSegment, writeTombstones } from './segment-rows.ts';
import { readState, type SearchTable, type SegmentEntry, writeState } from './site-state.ts';

export type MergesDeps = {
  environment: Pick<Environment, 'write'>;
  table: SearchTable;
  newStamp(): string;
};

export type Merges = {
  /** Looks whether segments of a site are to be joined. What it gives is to be waited for before more is written. */
  consider(site: number): Promise<void> | null;
  /** Begins no other merge, and is done when the one under way has stopped. */
  close(): Promise<void>;
};

/** Blocks of texts that are written anew, by the serial number of their first page. */
type Repacked = { gone: number[]; blocks: { serial: number; bytes: Buffer }[]; blockOf: Map<number, number> };

/** A merge that is ready to be swapped in. */
type Prepared = { entries: readonly SegmentEntry[]; inputs: MergeInput[]; merged: Merged; texts: Repacked };

/**
 * Joins segments beside the writes: the new one is made from bytes that never change, a little in each turn, and takes the
 * place of the old ones in one transaction. Nothing is in the store before, so a process that ends in between leaves
 * nothing behind.
 */
export function createMerges({ environment, table, newStamp }: MergesDeps): Merges {
  const waiting = new Set<number>();
  let running: Promise<void> | null = null;
  let isClosed = false;

  async function run(): Promise<void> {
    for (const site of waiting) {
      waiting.delete(site);
      // Where it fails, say since the site was dropped or another process was first, the next write tries again.
      await mergeSite(site).catch(() => {});
    }
    running = null;
  }

  async function mergeSite(site: number): Promise<void> {
    while (!isClosed) {
      table.resetReadTxn();
      const entries = chooseMerge(readState(table, site).segments);
      if (entries.length === 0) return;
      const prepared = await prepareMerge(site, entries);
      if (prepared === null) return;
      let isDone = false;
      await environment.write(() =>
        table.childTransaction(() => {
          isDone = swap(site, prepared);
        }),
      );
      if (!isDone) return;
    }
  }

  async function prepareMerge(site: number, entries: readonly SegmentEntry[]): Promise<Prepared | null> {
    const inputs = entries.map(({ id, docs, dead }) => ({
      segment: readSegment(table, site, id),
      dead: dead > 0 ? readTombstones(table, site, id, docs) : null,
    }));
    const texts = repackTexts(table, site, inputs);
    const steps = mergeSegments(inputs, (serial, block) => texts.blockOf.get(serial) ?? block);
    for (;;) {
      const step = steps.next();
      if (step.done) return { entries, inputs, merged: step.value, texts };
      await nextTurn();
      if (isClosed) return null;
      table.resetReadTxn();
    }
  }

  /** Within a write transaction: gives false where the old segments are no longer all there. */
  function swap(site: number, { entries, inputs, merged, texts }: Prepared): boolean {
    const state = readState(table, site);
    const at = state.segments.findIndex(({ id }) => id === entries[0].id);
    const now = state.segments.slice(at, at + entries.length);
    if (at < 0 || now.length < entries.length || now.some(({ id }, i) => id !== entries[i].id)) return false;
    const dead = new Uint8Array(merged.docs);
    let deadDocs = 0;
    for (const [i, entry] of now.entries()) {
      const marks = entry.dead > 0 ? readTombstones(table, site, entry.id, entry.docs) : null;
      // What was deleted since the merge began is carried over.
      for (let doc = 0; marks !== null && doc < entry.docs; doc++) {
        if (marks[doc] === 0 || inputs[i].dead?.[doc]) continue;
        dead[merged.renumbered[i][doc]] = 1;
        deadDocs++;
      }
      removeSegment(table, site, entry.id, entry.bytes);
    }
    const [first, last] = [now[0], now[now.length - 1]];
    const id = state.nextSegment++;
    const joined: SegmentEntry[] = [];
    if (deadDocs < merged.docs) {
      for (const serial of texts.gone) table.removeSync(numberKey(site, KIND.texts, serial));
      for (const { serial, bytes } of texts.blocks) table.putSync(numberKey(site, KIND.texts, serial), bytes);
      writeSegment(table, site, id, merged.bytes);
      if (deadDocs > 0) writeTombstones(table, site, id, dead);
      const { docs, bytes } = merged;
      joined.push({ id, from: first.from, to: last.to, docs, dead: deadDocs, bytes: bytes.length });
    } else removeTexts(table, site, first.from, last.to);
    state.segments.splice(at, now.length, ...joined);
    state.stamp = newStamp();
    writeState(table, site, state);
    return true;
  }

  return {
    consider(site) {
      if (isClosed) return null;
      // The snapshot of this turn may be from before the write.
      table.resetReadTxn();
      const { segments } = readState(table, site);
      if (chooseMerge(segments).length === 0) return null;
      waiting.add(site);
      running ??= run();
      return segments.length > MOST_SEGMENTS ? running : null;
    },
    async close() {
      isClosed = true;
      await running;
    },
  };
}

// Our choice: a block of fewer packed bytes is joined with small ones beside it.
const SMALL_BLOCK = 8_192;

/** Puts small blocks together, and leaves deleted pages out of those that have many. */
function repackTexts(table: SearchTable, site: number, inputs: readonly MergeInput[]): Repacked {
  const repacked: Repacked = { gone: [], blocks: [], blockOf: new Map() };
  // Neighbours that are written anew together.
  let pages: { serial: number; record: Uint8Array }[] = [];
  let sources: { serial: number; isSparse: boolean }[] = [];
  const flush = () => {
    if (sources.length > 1 || sources.some(({ isSparse }) => isSparse)) {
      for (const { serial } of sources) repacked.gone.push(serial);
      for (const { serial, block } of divideIntoBlocks(pages)) {
        repacked.blocks.push({ serial, bytes: packBlock(block) });
        for (const { offset } of block) repacked.blockOf.set(serial + offset, serial);
      }
    }
    pages = [];
    sources = [];
  };
  for (const [block, living] of livingByBlock(inputs)) {
    const bytes = table.get(numberKey(site, KIND.texts, block));
    if (!bytes) continue;
    const isSmall = bytes.length < SMALL_BLOCK;
    if (!isSmall && living.dead === 0) {
      flush();
      continue;
    }
    const packed: TextBlock = unpackBlock(bytes);
    const isSparse = living.serials.size * 2 < packed.length;
    if (!isSmall && !isSparse) {
      flush();
      continue;
    }
    sources.push({ serial: block, isSparse });
    for (const { offset, record } of packed)
      if (living.serials.has(block + offset)) pages.push({ serial: block + offset, record });
  }
  flush();
  return repacked;
}

function livingByBlock(inputs: readonly MergeInput[]): Map<number, { serials: Set<number>; dead: number }> {
  const blocks = new Map<number, { serials: Set<number>; dead: number }>();
  for (const { segment, dead } of inputs) {
    const records = segment.records();
    for (let doc = 0; doc < segment.docs; doc++) {
      const { serial, block } = readRecord(records, doc);
      let living = blocks.get(block);
      if (!living) {
        living = { serials: new Set(), dead: 0 };
        blocks.set(block, living);
      }
      if (dead?.[doc]) living.dead++;
      else living.serials.add(serial);
    }
  }
  return blocks;
}
