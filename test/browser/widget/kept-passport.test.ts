import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readKeptPassport } from '../../../browser/widget/kept-passport.ts';
import { SOLUTION } from '../solver/fake-gate.ts';

const PASSPORT = { passport: 'P', ttlSecs: 1800, endMs: 5, difficultyBits: 4, solution: SOLUTION };

test('a passport that was kept is read', () =>
  assert.deepEqual(readKeptPassport(JSON.stringify(PASSPORT)), PASSPORT));

test('what is none is left', () => {
  const broken = [
    { ...PASSPORT, passport: 7 },
    { ...PASSPORT, endMs: 'soon' },
    { ...PASSPORT, ttlSecs: null, endMs: undefined },
    { ...PASSPORT, solution: null },
    [],
    null,
    7,
  ].map((value) => JSON.stringify(value));
  for (const state of [...broken, '', '{', 'undefined', null, undefined, new FormData()]) {
    assert.equal(readKeptPassport(state), null, String(state));
  }
});
