import assert from 'node:assert/strict';
import { test } from 'node:test';
import { termsOf, tierByte } from '../../../../server/pow/core/tiers.ts';

const policy = { difficultyBits: 20, challengeTtlSecs: 60, passportTtlSecs: 1_800 };
const greedy = { difficultyBits: 99, challengeTtlSecs: 99_999, passportTtlSecs: 999_999 };
const stingy = { difficultyBits: 0, challengeTtlSecs: 0, passportTtlSecs: 0 };

test('the public tier asks in vain', () => {
  assert.deepEqual(termsOf('public', policy, greedy), policy);
  assert.deepEqual(termsOf('public', policy, stingy), policy);
});

test('the keyed tiers are clamped to the table of the specification', () => {
  assert.deepEqual(termsOf('pro', policy, greedy), {
    difficultyBits: 32,
    challengeTtlSecs: 600,
    passportTtlSecs: 3_600,
  });
  assert.deepEqual(termsOf('pro', policy, stingy), {
    difficultyBits: 1,
    challengeTtlSecs: 1,
    passportTtlSecs: 1,
  });
  assert.deepEqual(termsOf('enterprise', policy, greedy), {
    difficultyBits: 32,
    challengeTtlSecs: 3_600,
    passportTtlSecs: 86_400,
  });
  assert.deepEqual(termsOf('enterprise', policy, { difficultyBits: 12 }), { ...policy, difficultyBits: 12 });
});

test('no tier buys a passport on a route in per-request mode', () => {
  assert.equal(termsOf('enterprise', { ...policy, passportTtlSecs: 0 }, greedy).passportTtlSecs, 0);
});

test('the tier bytes are those of the envelope', () => {
  assert.deepEqual((['public', 'pro', 'enterprise'] as const).map(tierByte), [0, 1, 2]);
});
