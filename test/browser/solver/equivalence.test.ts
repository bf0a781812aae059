import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Kernel } from '../../../browser/solver/kernel.ts';
import { challengeText } from './challenge-text.ts';
import { holdToOracle } from './equivalence.ts';
import { IMPLEMENTATIONS } from './implementations.ts';
import { leadingZeroBits } from './oracle.ts';

const NONCE = Uint8Array.from({ length: 32 }, (_, i) => i * 7);

// Answers of NONCE with their leading zero bits, each the first from 0 on that has so many: by a search of a minute,
// checked below by node:crypto.
const FIRST_ANSWERS: readonly [answer: number, zeros: number][] = [
  [0, 2],
  [1, 3],
  [48, 4],
  [85, 5],
  [178, 11],
  [939, 12],
  [13532, 13],
  [25972, 14],
  [32526, 15],
  [63609, 17],
  [587309, 19],
  [739885, 22],
  [8750736, 23],
  [21605971, 24],
  [31682998, 26],
  [242382920, 28],
  [530321618, 29],
  [972130341, 34],
];

for (const { kernel } of IMPLEMENTATIONS) {
  describe(`the ${kernel.name} kernel beside node:crypto`, () => {
    test('100,000 tries, around every wrap', () => {
      assert.ok(holdToOracle(kernel, 100_000, 20) >= 100_000);
    });

    for (let bits = 0; bits <= 32; bits++) {
      test(`finds the known answer at ${bits} bits, and none in the tries before it`, () => {
        const [known] = FIRST_ANSWERS.find(([, zeros]) => zeros >= bits) ?? assert.fail('no vector');
        const answer = BigInt(known);
        assert.ok(leadingZeroBits(NONCE, answer) >= bits);
        kernel.load(challengeText({ bits, nonce: NONCE }));
        const before = Math.min(known, 50_000);
        assert.equal(kernel.step(answer - BigInt(before), before), null);
        assert.equal(kernel.step(answer - BigInt(before), before + 10), answer);
      });
    }
  });
}

const FAULTS: Record<string, (kernel: Kernel) => Kernel['step']> = {
  'an answer beside the right one': (kernel) => (start, count) => {
    const found = kernel.step(start, count);
    return found === null ? null : BigInt.asUintN(64, found + 1n);
  },
  'the last answer in place of the first': (kernel) => (start, count) => {
    for (let i = count - 1; i >= 0; i--) {
      const found = kernel.step(BigInt.asUintN(64, start + BigInt(i)), 1);
      if (found !== null) return found;
    }
    return null;
  },
  'a try too few': (kernel) => (start, count) => kernel.step(start, Math.max(0, count - 1)),
  'a low word that does not carry': (kernel) => (start, count) =>
    kernel.step(start, Math.min(count, Number(2n ** 32n - (start % 2n ** 32n)))),
};

for (const [fault, plant] of Object.entries(FAULTS)) {
  test(`the comparison notices ${fault}`, () => {
    const [{ kernel }] = IMPLEMENTATIONS;
    assert.throws(() => holdToOracle({ ...kernel, step: plant(kernel) }, 100_000, 20), /nonce [0-9a-f]{64}/);
  });
}
