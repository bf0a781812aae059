import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  IDLE,
  type LoadSample,
  type LoadState,
  type LoadTerms,
  paidShareOf,
  raiseBits,
  stepLoad,
} from '../../../../server/pow/core/load.ts';

const TERMS: LoadTerms = { solvesPerSec: 50, inFlight: 100, maxExtraBits: 4, riseSecs: 10, fallSecs: 60 };

type Seen = { state: LoadState; bits: number[] };

/** Runs one sample a second; `measure` is told the second and the bits in force. */
function simulate(
  secs: number,
  measure: (sec: number, extraBits: number) => Partial<LoadSample>,
  state: LoadState = IDLE,
  terms = TERMS,
): Seen {
  const bits: number[] = [];
  let now = state;
  for (let sec = 1; sec <= secs; sec++) {
    const sample = { solves: 0, inFlight: 0, ...measure(sec, now.extraBits) };
    now = stepLoad(now, sample, terms, state.atMs + sec * 1_000);
    bits.push(now.extraBits);
  }
  return { state: now, bits };
}

const changesIn = (bits: readonly number[]) =>
  bits.filter((value, i) => i > 0 && value !== bits[i - 1]).length;

describe('the price under load', () => {
  test('stays where it is while the work is what the operator said, or less', () => {
    for (const solves of [0, 1, 25, 49]) {
      assert.equal(Math.max(...simulate(3_600, () => ({ solves })).bits), 0);
    }
  });

  test('does not move for one busy second', () => {
    const { bits } = simulate(600, (sec) => ({ solves: sec === 5 ? 400 : 10 }));
    assert.equal(Math.max(...bits), 0);
  });

  test('rises by four within a quarter of a minute of eight times the limit', () => {
    for (const sample of [{ solves: 400 }, { inFlight: 800 }]) {
      const { bits } = simulate(60, () => sample);
      assert.ok(bits.indexOf(4) > 2 && bits.indexOf(4) < 15, `after ${bits.indexOf(4)} s`);
    }
  });

  test('rises within a minute of twice the limit, and never above what the operator allows', () => {
    assert.equal(simulate(60, () => ({ solves: 100 })).bits[59], 4);
    const terms = { ...TERMS, maxExtraBits: 2 };
    assert.equal(Math.max(...simulate(600, () => ({ solves: 5_000 }), IDLE, terms).bits), 2);
    assert.equal(
      Math.max(...simulate(600, () => ({ solves: 5_000 }), IDLE, { ...TERMS, maxExtraBits: 0 }).bits),
      0,
    );
  });

  test('recovers to nothing in five minutes after an attack, one bit at a time', () => {
    const attack = simulate(60, () => ({ solves: 1_000, inFlight: 1_000 }));
    const { bits } = simulate(300, () => ({ solves: 5 }), attack.state);
    assert.equal(bits[0], 4);
    assert.equal(bits[299], 0);
    for (const [i, value] of bits.entries()) if (i > 0) assert.ok([0, 1].includes(bits[i - 1] - value));
  });

  test('does not flap against a machine of fixed power, which solves half as much for each bit', () => {
    for (const power of [60, 75, 100, 150, 300, 600, 2_000]) {
      const { bits } = simulate(3_600, (_, extraBits) => ({ solves: power / 2 ** extraBits }));
      const steady = bits.slice(120);
      // It tries once in some minutes whether less would do: down and up again.
      assert.ok(changesIn(steady) <= 2 * (3_600 / 300), `${power}: ${changesIn(steady)} changes`);
      const mean = steady.reduce((sum, value) => sum + power / 2 ** value, 0) / steady.length;
      if (power <= 800) assert.ok(mean < TERMS.solvesPerSec * 1.2, `${power}: ${mean} solves a second`);
    }
  });

  test('does not flap with work that comes and goes, however often', () => {
    for (const period of [2, 5, 10, 20, 40, 80, 160]) {
      const { bits } = simulate(3_600, (sec) => ({ solves: sec % period < period / 2 ? 120 : 5 }));
      // A rise and a fall of one bit take 10 and 60 seconds at least.
      assert.ok(changesIn(bits) <= 2 * (3_600 / 70) + 4, `every ${period} s: ${changesIn(bits)} changes`);
      if (period <= 40) assert.ok(changesIn(bits) <= 8, `every ${period} s: ${changesIn(bits)} changes`);
    }
  });

  test('is not stuck high by visitors whom the price does not keep away', () => {
    const attack = simulate(60, () => ({ solves: 1_000 }));
    const { bits } = simulate(1_800, () => ({ solves: 35 }), attack.state);
    assert.equal(bits[1_799], 0);
  });

  test('does not move with a clock that is set', () => {
    const calm = simulate(60, () => ({ solves: 20 })).state;
    const busy = simulate(60, () => ({ solves: 200 })).state;
    for (const state of [calm, busy]) {
      for (const jumpMs of [-86_400_000, -1, 0, 1, 86_400_000]) {
        const after = stepLoad(state, { solves: 30, inFlight: 30 }, TERMS, state.atMs + jumpMs);
        assert.equal(after.extraBits, state.extraBits, `${jumpMs} ms`);
        assert.equal(after.atMs, state.atMs + jumpMs);
        assert.ok(Number.isFinite(after.pressure) && Number.isFinite(after.heat));
      }
    }
    // And goes on from there.
    const back = stepLoad(busy, { solves: 0, inFlight: 0 }, TERMS, busy.atMs - 86_400_000);
    assert.equal(simulate(400, () => ({}), back).state.extraBits, 0);
  });
});

const sample = fc.record({
  solves: fc.double({ min: 0, max: 10_000, noNaN: true }),
  inFlight: fc.double({ min: 0, max: 10_000, noNaN: true }),
  more: fc.double({ min: 0, max: 1_000, noNaN: true }),
  passedMs: fc.integer({ min: 1, max: 20_000 }),
});
const terms = fc.record({
  solvesPerSec: fc.double({ min: 0.01, max: 1e6, noNaN: true }),
  inFlight: fc.double({ min: 0.01, max: 1e6, noNaN: true }),
  maxExtraBits: fc.integer({ min: 0, max: 4 }),
  riseSecs: fc.integer({ min: 1, max: 3_600 }),
  fallSecs: fc.integer({ min: 1, max: 86_400 }),
});

test('whatever is measured and however time goes, the bits are whole and within their bounds', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(sample, fc.integer({ min: -100_000, max: 100_000 })), { maxLength: 60 }),
      terms,
      (samples, own) => {
        let state = IDLE;
        for (const [one, passedMs] of samples) {
          state = stepLoad(state, one, own, state.atMs + passedMs);
          assert.ok(Number.isInteger(state.extraBits));
          assert.ok(state.extraBits >= 0 && state.extraBits <= own.maxExtraBits);
          assert.ok(state.heat >= 0 && state.heat <= own.maxExtraBits);
          assert.ok(Number.isFinite(state.pressure) && state.pressure >= 0);
        }
      },
    ),
  );
});

test('more pressure never gives fewer bits, then or later', () => {
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 80 }), terms, (samples, own) => {
      let less = IDLE;
      let more = IDLE;
      for (const { solves, inFlight, more: by, passedMs } of samples) {
        const nowMs = less.atMs + passedMs;
        less = stepLoad(less, { solves, inFlight }, own, nowMs);
        more = stepLoad(more, { solves: solves + by, inFlight: inFlight + by }, own, nowMs);
        assert.ok(more.extraBits >= less.extraBits);
      }
    }),
  );
});

test('load raises bits to 24 at most, lowers none, and leaves what asks for more', () => {
  for (let bits = 1; bits <= 32; bits++) {
    for (let extra = 0; extra <= 4; extra++) {
      const raised = raiseBits(bits, extra);
      assert.equal(raised, bits >= 24 ? bits : Math.min(24, bits + extra));
    }
  }
});

test('a solve counts as far as it paid the price of now', () => {
  assert.equal(paidShareOf(20, 20), 1);
  assert.equal(paidShareOf(24, 20), 1);
  assert.equal(paidShareOf(20, 24), 1 / 16);
});
