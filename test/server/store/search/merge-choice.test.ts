import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseMerge, FAN, MOST_SEGMENTS } from '../../../../server/store/search/merge-choice.ts';
import type { SegmentEntry } from '../../../../server/store/search/site-state.ts';

const MIB = 1024 * 1024;
let nextId = 0;
const segment = (bytes: number, docs = 10, dead = 0): SegmentEntry => ({
  id: nextId++,
  from: 0,
  to: 0,
  docs,
  dead,
  bytes,
});

test('segments of like size are joined when there are enough in a row, without much larger ones beside them', () => {
  const row = Array.from({ length: FAN }, () => segment(3_000));
  assert.deepEqual(chooseMerge(row.slice(1)), []);
  assert.deepEqual(chooseMerge(row), row);
  assert.deepEqual(chooseMerge([segment(MIB), ...row]), row);
  assert.deepEqual(chooseMerge([...row.slice(0, 2), segment(3 * MIB), ...row.slice(2)]), []);
});

test('a merge is at most an eighth of the site, or four MiB', () => {
  const row = Array.from({ length: 20 }, () => segment(MIB));
  assert.equal(chooseMerge(row).length, 4);
  const full = Array.from({ length: 10 }, () => segment(3 * MIB));
  assert.deepEqual(chooseMerge(full), []);
});

test('a segment of which more than a quarter is deleted is written anew', () => {
  const grave = segment(MIB, 100, 26);
  assert.deepEqual(chooseMerge([segment(MIB), grave, segment(MIB)]), [grave]);
  assert.deepEqual(chooseMerge([segment(MIB, 100, 25)]), []);
});

for (const bytes of [300, 5_000, 200_000, 900_000]) {
  test(`writes of ${bytes} bytes leave few segments, and each byte is copied a few times`, () => {
    let segments: SegmentEntry[] = [];
    let copied = 0;
    let most = 0;
    const writes = Math.min(20_000, Math.floor((200 * MIB) / bytes));
    for (let write = 0; write < writes; write++) {
      segments.push(segment(bytes));
      for (let row = chooseMerge(segments); row.length > 0; row = chooseMerge(segments)) {
        const joined = row.reduce((sum, one) => sum + one.bytes, 0);
        copied += joined;
        const at = segments.indexOf(row[0]);
        segments = [...segments.slice(0, at), segment(joined), ...segments.slice(at + row.length)];
      }
      most = Math.max(most, segments.length);
    }
    assert.ok(most < MOST_SEGMENTS, `${most} segments`);
    assert.ok(copied <= 8 * writes * bytes, `${copied / writes / bytes} times`);
  });
}
