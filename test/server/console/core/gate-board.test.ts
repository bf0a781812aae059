import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createGateBoard, EDGES_SECS } from '../../../../server/console/core/gate-board.ts';
import { createSlots } from '../../../../server/console/core/slots.ts';
import type { Solver } from '../../../../server/wire/pow.ts';

const START_MS = 1_767_225_600_000;
const MINUTE_MS = 60_000;
const IDLE = { extraBits: 0, pressure: 0 };
const issued = (difficultyBits: number, routeId: string | null = 'page', isRebinding = false) =>
  ({ kind: 'issued', routeId, tier: 'public', difficultyBits, isRebinding }) as const;
const solved = (difficultyBits: number, tookSecs: number, solver: Solver | null = 'simd') =>
  ({ kind: 'solved', difficultyBits, tookSecs, isRebinding: false, solver }) as const;

describe('slots', () => {
  test('are the last spans, the oldest first, and forget what is older', () => {
    const slots = createSlots(60, 3);
    slots.count('solved', START_MS);
    slots.count('solved', START_MS + 59_999);
    slots.count('refused', START_MS + MINUTE_MS);
    assert.deepEqual(slots.read(START_MS).solved, [0, 0, 2]);
    assert.deepEqual(slots.read(START_MS + 2 * MINUTE_MS).solved, [2, 0, 0]);
    assert.deepEqual(slots.read(START_MS + 2 * MINUTE_MS).refused, [0, 1, 0]);
    assert.deepEqual(slots.read(START_MS + 3 * MINUTE_MS).solved, [0, 0, 0]);
    assert.equal(slots.read(START_MS).endSecs, START_MS / 1000 + 60);
  });

  test('of a round that is over count nothing of the next, even where nobody read between', () => {
    const slots = createSlots(60, 3);
    slots.count('issued', START_MS);
    slots.count('issued', START_MS + 3 * MINUTE_MS);
    assert.deepEqual(slots.read(START_MS + 3 * MINUTE_MS).issued, [0, 0, 1]);
  });

  test('know the mean and the highest difficulty, and none where nothing was issued', () => {
    const slots = createSlots(60, 2);
    for (const bits of [20, 20, 24]) slots.countBits(bits, START_MS + MINUTE_MS);
    const { meanBits, mostBits, issued: counts } = slots.read(START_MS + MINUTE_MS);
    assert.deepEqual(
      { meanBits, mostBits, counts },
      { meanBits: [null, 21.33], mostBits: [null, 24], counts: [0, 3] },
    );
  });

  test('survive a clock that is set back, without counting twice', () => {
    const slots = createSlots(60, 3);
    slots.count('solved', START_MS + 5 * MINUTE_MS);
    slots.count('solved', START_MS);
    assert.deepEqual(slots.read(START_MS).solved, [0, 0, 1]);
  });
});

describe('the board', () => {
  test('counts by reason, way, tier and route, the most frequent first', () => {
    const board = createGateBoard(START_MS);
    board.tell(issued(20), START_MS);
    board.tell(issued(14, 'page', true), START_MS);
    board.tell(issued(20, null), START_MS);
    for (const code of ['proof-required', 'seal-invalid', 'proof-required']) {
      board.tell({ kind: 'refused', routeId: 'page', code }, START_MS);
    }
    board.tell({ kind: 'refused', routeId: '*', code: 'proof-required' }, START_MS);
    board.tell({ kind: 'admitted', routeId: 'page', how: 'passport' }, START_MS);
    board.tellLookup('keyed', START_MS);
    const read = board.read(
      START_MS,
      [
        { id: 'page', bits: 20 },
        { id: 'idle', bits: 8 },
      ],
      IDLE,
    );
    assert.deepEqual(read.totals, { issued: 3, solved: 0, refused: 4, admitted: 1, rebound: 1 });
    assert.deepEqual(read.lookups, { anonymous: 0, keyed: 1 });
    assert.deepEqual(read.refusedBy, [
      { name: 'proof-required', count: 3 },
      { name: 'seal-invalid', count: 1 },
    ]);
    assert.deepEqual(read.admittedBy, [{ name: 'passport', count: 1 }]);
    assert.deepEqual(read.routes, [
      { id: 'page', bits: 20, issued: 2, refused: 3, admitted: 1 },
      { id: 'idle', bits: 8, issued: 0, refused: 0, admitted: 0 },
      { id: 'any', bits: null, issued: 1, refused: 1, admitted: 0 },
    ]);
    assert.equal(read.hour.issued.at(-1), 3);
    assert.equal(read.day.lookups.at(-1), 1);
  });

  test('puts a solve under the edge that it does not exceed, by difficulty', () => {
    const board = createGateBoard(START_MS);
    for (const secs of [0, 1, 2, 300, 301]) board.tell(solved(20, secs), START_MS);
    board.tell(solved(8, 1), START_MS);
    const { groups } = board.read(START_MS, [], IDLE).solveTimes;
    assert.deepEqual(
      groups.map(({ bits }) => bits),
      [8, 20],
    );
    const [, twenty] = groups;
    assert.deepEqual(twenty.counts, [2, 1, 0, 0, 0, 0, 0, 0, 1, 1]);
    assert.equal(twenty.counts.length, EDGES_SECS.length + 1);
    assert.equal(twenty.meanSecs, 604 / 5);
  });

  test('keeps kinds of solver apart, and those that say nothing', () => {
    const board = createGateBoard(START_MS);
    board.tell(solved(20, 1, 'javascript'), START_MS);
    board.tell(solved(20, 1, 'simd'), START_MS);
    board.tell(solved(20, 3, 'simd'), START_MS);
    board.tell(solved(20, 9, null), START_MS);
    const { groups } = board.read(START_MS, [], IDLE).solveTimes;
    assert.deepEqual(
      groups.map(({ solver, meanSecs }) => [solver, meanSecs]),
      [
        ['javascript', 1],
        ['simd', 2],
        ['unsaid', 9],
      ],
    );
  });

  test('has room for no more routes than any policy has', () => {
    const board = createGateBoard(START_MS);
    for (let i = 0; i < 1_000; i++) board.tell(issued(4, `route ${i}`), START_MS);
    const { routes, totals } = board.read(START_MS, [], IDLE);
    assert.equal(routes.length, 200);
    assert.equal(totals.issued, 1_000);
  });
});
