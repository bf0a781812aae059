import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  etaSecs,
  expectedTries,
  probabilityAfter,
  triesForProbability,
} from '../../../browser/solver/odds.ts';

test('an answer takes 2^b tries in the mean', () => {
  assert.equal(expectedTries(0), 1);
  assert.equal(expectedTries(20), 1_048_576);
  assert.equal(expectedTries(64), 2 ** 64);
});

test('the probability is the textbook one where that can be computed as written', () => {
  for (const [bits, tries] of [
    [1, 1],
    [1, 10],
    [4, 16],
    [8, 100],
    [10, 5000],
  ]) {
    assert.ok(Math.abs(probabilityAfter(bits, tries) - (1 - (1 - 2 ** -bits) ** tries)) < 1e-12);
  }
});

test('at the mean number of tries it is 1 - 1/e, at any difficulty', () => {
  for (const bits of [20, 32, 64]) {
    assert.ok(Math.abs(probabilityAfter(bits, 2 ** bits) - (1 - Math.exp(-1))) < 1e-6, `${bits} bits`);
  }
});

test('a small probability keeps its digits, which the formula as written loses', () => {
  assert.equal(1 - (1 - 2 ** -64) ** 1000, 0, 'the planted fault: as written');
  const exact = 1000 * 2 ** -64;
  assert.ok(Math.abs(probabilityAfter(64, 1000) / exact - 1) < 1e-12);
});

test('the edges: no tries, no bits', () => {
  assert.equal(probabilityAfter(0, 0), 0);
  assert.equal(probabilityAfter(0, 1), 1);
  assert.equal(probabilityAfter(20, 0), 0);
});

test('it stays within 0..1 and never falls as tries are made', () => {
  fc.assert(
    fc.property(fc.nat(64), fc.nat(2 ** 31 - 1), fc.nat(2 ** 31 - 1), (bits, tries, more) => {
      const before = probabilityAfter(bits, tries);
      const after = probabilityAfter(bits, tries + more);
      assert.ok(before >= 0 && before <= after && after <= 1);
    }),
  );
});

test('the time to go depends on the rate alone', () => {
  assert.equal(etaSecs(20, 1_048_576), 1);
  assert.equal(etaSecs(20, 0), Number.POSITIVE_INFINITY);
});

test('the tries of a probability are the least that reach it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      (bits, p) => {
        const tries = triesForProbability(bits, p);
        // The last places of a logarithm may tip a border case either way.
        assert.ok(probabilityAfter(bits, tries) >= p - 1e-9);
        assert.ok(tries === 1 || probabilityAfter(bits, tries - 1) <= p + 1e-9);
      },
    ),
  );
});

test('half of all searches of 20 bits end within 726,818 tries, 19 of 20 within 3,141,252', () => {
  // From the definition with 50 digits: ln 2 and ln 20 over -ln(1 - 2^-20), rounded up.
  assert.equal(triesForProbability(20, 0.5), 726_818);
  assert.equal(triesForProbability(20, 0.95), 3_141_252);
  assert.equal(triesForProbability(1, 0.5), 1);
  assert.equal(triesForProbability(0, 0.95), 1);
});
