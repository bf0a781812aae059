import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ChallengeRefused, type RefusalKind } from '../../../browser/solver/challenge.ts';
import { SHA256_VECTORS } from '../../vectors/sha256.ts';
import { challengeText } from './challenge-text.ts';
import { IMPLEMENTATIONS } from './implementations.ts';
import { leadingZeroBits, naiveStep } from './oracle.ts';

const WRAP = 2n ** 64n;
const LOW_WRAP = 2n ** 32n;
const NONCE = Uint8Array.from({ length: 32 }, (_, i) => i * 7);

const REFUSALS: readonly { what: string; text: string; kind: RefusalKind; says: RegExp }[] = [
  { what: 'no text', text: '', kind: 'length', says: /expected 115 characters, got 0/ },
  {
    what: 'a character short',
    text: challengeText({}).slice(1),
    kind: 'length',
    says: /115 characters, got 114/,
  },
  {
    what: 'a character long',
    text: `${challengeText({})}A`,
    kind: 'length',
    says: /115 characters, got 116/,
  },
  { what: 'padding added', text: `${challengeText({})}=`, kind: 'length', says: /115 characters, got 116/ },
  { what: 'a megabyte', text: 'A'.repeat(2 ** 20), kind: 'length', says: /got 1048576/ },
  { what: 'padding inside', text: `${challengeText({}).slice(1)}=`, kind: 'text', says: /got "=" at 114/ },
  {
    what: 'base64, not base64url',
    text: `+${challengeText({}).slice(1)}`,
    kind: 'text',
    says: /got "\+" at 0/,
  },
  { what: 'a slash', text: `AQ/${challengeText({}).slice(3)}`, kind: 'text', says: /got "\/" at 2/ },
  { what: 'a space', text: ` ${challengeText({}).slice(1)}`, kind: 'text', says: /got " " at 0/ },
  {
    what: 'a character beyond ASCII',
    text: `${challengeText({}).slice(1)}\u0141`,
    kind: 'text',
    says: /at 114/,
  },
  { what: 'a zero character', text: `\0${challengeText({}).slice(1)}`, kind: 'text', says: /at 0/ },
  { what: 'a spare bit', text: `${challengeText({}).slice(0, -1)}B`, kind: 'text', says: /spare bits/ },
  {
    what: 'the other spare bit',
    text: `${challengeText({}).slice(0, -1)}C`,
    kind: 'text',
    says: /spare bits/,
  },
  { what: 'version 0', text: challengeText({ version: 0 }), kind: 'version', says: /version 1, got 0/ },
  { what: 'version 2', text: challengeText({ version: 2 }), kind: 'version', says: /version 1, got 2/ },
  { what: 'kind 0', text: challengeText({ kind: 0 }), kind: 'kind', says: /kind 1 \(a challenge\), got 0/ },
  { what: "a passport's kind", text: challengeText({ kind: 2 }), kind: 'kind', says: /got 2/ },
  {
    what: '65 bits',
    text: challengeText({ bits: 65 }),
    kind: 'bits',
    says: /at most 64 difficulty bits, got 65/,
  },
  { what: '255 bits', text: challengeText({ bits: 255 }), kind: 'bits', says: /got 255/ },
];

/** Starts on both sides of every edge: 0, where the low word wraps, and 2⁶⁴. */
const starts = fc
  .tuple(
    fc.constantFrom(0n, LOW_WRAP, 5n * LOW_WRAP, 2n ** 63n, 0xffff_ffffn * LOW_WRAP, WRAP, 12345678901234n),
    fc.integer({ min: -700, max: 700 }),
  )
  .map(([edge, offset]) => BigInt.asUintN(64, edge + BigInt(offset)));

const cases = fc.record({
  nonce: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  bits: fc.integer({ min: 0, max: 16 }),
  start: starts,
  count: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 700 })),
});

for (const { kernel, compress } of IMPLEMENTATIONS) {
  describe(`the ${kernel.name} kernel`, () => {
    // The compression proves every answer and does the fixed rounds; the unrolled rest is held to it, and to
    // node:crypto, by the searches below: were one round wrong, they would miss answers.
    for (const { source, message, digest } of SHA256_VECTORS) {
      test(`compresses the vector: ${source}`, () => {
        assert.equal(createHash('sha256').update(message).digest('hex'), digest, 'node:crypto disagrees');
        const words = [...compress(blocksOf(message))];
        assert.equal(words.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join(''), digest);
      });
    }

    test('finds what node:crypto finds, across every wrap', () => {
      fc.assert(
        fc.property(cases, ({ nonce, bits, start, count }) => {
          const expected = naiveStep(nonce, bits, start, count);
          const challenge = challengeText({ bits, nonce });
          assert.equal(
            kernel.solve_step_b64(challenge, start, count),
            expected === null ? null : String(expected),
          );
          kernel.load(challenge);
          assert.equal(kernel.step(start, count), expected);
        }),
        { numRuns: 300 },
      );
    });

    test('takes every number of tries around the four lanes, at every offset from a wrap', () => {
      for (const edge of [LOW_WRAP, WRAP]) {
        for (let back = 0n; back <= 9n; back++) {
          for (const count of [0, 1, 2, 3, 4, 5, 7, 8, 9, 13]) {
            const start = BigInt.asUintN(64, edge - back);
            const expected = naiveStep(NONCE, 3, start, count);
            kernel.load(challengeText({ bits: 3, nonce: NONCE }));
            assert.equal(kernel.step(start, count), expected, `start ${start}, ${count} tries`);
          }
        }
      }
    });

    test('crosses its own batches: one step finds what many find', () => {
      const challenge = challengeText({ bits: 16, nonce: NONCE });
      const answer = kernel.solve_once_b64(challenge);
      assert.ok(Number(answer) > 2 * 4096, 'the case is meant to be longer than a batch');
      assert.ok(leadingZeroBits(NONCE, BigInt(answer)) >= 16);
      assert.equal(kernel.solve_step_b64(challenge, 0n, BigInt(answer)), null, 'there is none before');
      kernel.load(challenge);
      let start = 0n;
      let found: bigint | null = null;
      for (; found === null; start += 1001n) found = kernel.step(start, 1001);
      assert.equal(String(found), answer);
    });

    test('gives 2^64 - 1 as an answer, and as none', () => {
      assert.equal(kernel.solve_step_b64(challengeText({ bits: 0 }), WRAP - 1n, 1), '18446744073709551615');
      assert.equal(kernel.solve_step_b64(challengeText({ bits: 64 }), WRAP - 1n, 1), null);
      assert.equal(kernel.solve_step_b64(challengeText({ bits: 0 }), '18446744073709551615', 0n), null);
    });

    test('wants all bits where a digest has 32 zeros but not more', () => {
      // The first answer of this nonce whose word 0 is zero; a search of a minute found it.
      const answer = 972130341n;
      assert.equal(leadingZeroBits(NONCE, answer), 34);
      for (const bits of [31, 32, 33, 34, 35, 64]) {
        const found = bits <= 34 ? answer : null;
        kernel.load(challengeText({ bits, nonce: NONCE }));
        assert.equal(kernel.step(answer - 10n, 21), found, `${bits} bits`);
      }
    });

    for (const { what, text, kind, says } of REFUSALS) {
      test(`refuses ${what}`, () => {
        const isRefusal = (error: unknown) => {
          assert.ok(error instanceof ChallengeRefused);
          assert.equal(error.kind, kind);
          assert.match(error.message, says);
          return true;
        };
        assert.throws(() => kernel.load(text), isRefusal);
        assert.throws(() => kernel.solve_once_b64(text), isRefusal);
        assert.throws(() => kernel.solve_step_b64(text, 0n, 1), isRefusal);
        assert.throws(
          () => kernel.step(0n, 1),
          /expected a loaded challenge/,
          'a refused text loads nothing',
        );
      });
    }

    test('refuses numbers that are no u64', () => {
      const challenge = challengeText({});
      for (const start of [-1n, WRAP, '', '01', '+1', '1.0', ' 1', '0x1', '18446744073709551616']) {
        assert.throws(() => kernel.solve_step_b64(challenge, start, 1), /start: expected a whole number/);
      }
      for (const count of [-1, 0.5, 2 ** 53, Number.NaN, -1n, WRAP]) {
        assert.throws(
          () => kernel.solve_step_b64(challenge, 0n, count),
          /max_iters: expected a whole number/,
        );
      }
      kernel.load(challenge);
      assert.throws(() => kernel.step(0n, 1.5), /count: expected a whole number/);
      assert.throws(() => kernel.step(-1n, 1), /start: expected a whole number/);
    });
  });
}

/** A message in 64-byte blocks, padded as FIPS 180-4 §5.1.1 says. */
function blocksOf(message: Uint8Array): Uint8Array[] {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(message.length) * 8n);
  return Array.from({ length: padded.length / 64 }, (_, i) => padded.slice(64 * i, 64 * i + 64));
}
