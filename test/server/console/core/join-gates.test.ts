import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createGateBoard, type GateNews } from '../../../../server/console/core/gate-board.ts';
import { joinGates } from '../../../../server/console/core/join-gates.ts';
import type { GateBody } from '../../../../server/wire/console.ts';

const START_MS = 1_767_225_600_000;
const POLICY = [{ id: 'page', bits: 20 }];
const IDLE = { extraBits: 0, pressure: 0 };

const news: GateNews[] = [
  { kind: 'issued', routeId: 'page', tier: 'public', difficultyBits: 20, isRebinding: false },
  { kind: 'issued', routeId: null, tier: 'pro', difficultyBits: 24, isRebinding: true },
  { kind: 'issued', routeId: 'page', tier: 'public', difficultyBits: 20, isRebinding: false },
  { kind: 'solved', difficultyBits: 20, tookSecs: 3, isRebinding: false, solver: 'simd' },
  { kind: 'solved', difficultyBits: 20, tookSecs: 30, isRebinding: false, solver: 'javascript' },
  { kind: 'solved', difficultyBits: 20, tookSecs: 1, isRebinding: false, solver: 'simd' },
  { kind: 'solved', difficultyBits: 8, tookSecs: 400, isRebinding: false, solver: null },
  { kind: 'refused', routeId: 'page', code: 'proof-required' },
  { kind: 'refused', routeId: 'old', code: 'seal-invalid' },
  { kind: 'refused', routeId: 'page', code: 'seal-invalid' },
  { kind: 'admitted', routeId: 'page', how: 'passport' },
];

describe('gates joined', () => {
  test('are what one process would have counted', () => {
    const whole = createGateBoard(START_MS);
    const parts = [0, 1, 2].map(() => createGateBoard(START_MS));
    for (let i = 0; i < 200; i++) {
      const atMs = START_MS + i * 40_000;
      whole.tell(news[i % news.length], atMs);
      parts[(i * 7) % 3].tell(news[i % news.length], atMs);
      if (i % 9 === 0) {
        whole.tellLookup('keyed', atMs);
        parts[i % 3].tellLookup('keyed', atMs);
      }
    }
    const endMs = START_MS + 200 * 40_000;
    const joined = joinGates(
      parts.map((board) => board.read(endMs, POLICY, IDLE)) as [GateBody, ...GateBody[]],
    );
    assert.equal(joined.processes, 3);
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    const rounded = (gate: typeof joined) => ({
      ...gate,
      processes: 0,
      routes: gate.routes.toSorted(byId),
      solveTimes: gate.solveTimes.groups.map((group) => ({ ...group, meanSecs: group.meanSecs.toFixed(6) })),
      // Means of means that were rounded to two places.
      hour: { ...gate.hour, meanBits: gate.hour.meanBits.map((bits) => bits?.toFixed(1)) },
      day: { ...gate.day, meanBits: gate.day.meanBits.map((bits) => bits?.toFixed(1)) },
    });
    assert.deepEqual(rounded(joined), rounded(whole.read(endMs, POLICY, IDLE)));
  });

  test('lie over one another where one was read in the span before', () => {
    const [early, late] = [createGateBoard(START_MS), createGateBoard(START_MS - 60_000)];
    for (const board of [early, late]) board.tell(news[0], START_MS + 59_000);
    const { hour, since } = joinGates([
      early.read(START_MS + 59_999, POLICY, IDLE),
      late.read(START_MS + 60_000, POLICY, IDLE),
    ]);
    assert.deepEqual(hour.issued.slice(-2), [2, 0]);
    assert.deepEqual(hour.mostBits.slice(-2), [20, null]);
    assert.equal(hour.issued.length, 60);
    assert.equal(hour.endSecs, START_MS / 1000 + 120);
    assert.equal(since, new Date(START_MS - 60_000).toISOString());
  });

  test('tell the highest price of any process', () => {
    const board = createGateBoard(START_MS);
    const { load } = joinGates([
      board.read(START_MS, POLICY, { extraBits: 2, pressure: 0.4 }),
      board.read(START_MS, POLICY, { extraBits: 0, pressure: 1.2 }),
    ]);
    assert.deepEqual(load, { extraBits: 2, pressure: 1.2 });
  });

  test('of one process are its own', () => {
    const board = createGateBoard(START_MS);
    for (const one of news) board.tell(one, START_MS);
    const gate = board.read(START_MS, POLICY, IDLE);
    assert.deepEqual(joinGates([gate]), gate);
  });
});
