import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import type { Kernel } from '../../../browser/solver/kernel.ts';
import { challengeText } from './challenge-text.ts';

const WRAP = 2n ** 64n;
const LOW_WRAP = 2n ** 32n;

/** Steps make 0 to this many tries: several groups of four lanes, whole or not. */
const MOST_TRIES = 19;

/** Numbers that look random and are the same in every run (Marsaglia's xorshift, 32 bits). */
export function createDraw(seed: number): (below: number) => number {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/**
 * Holds a kernel against node:crypto in at least `atLeast` tries: random nonces, starts on both sides of every wrap, a
 * difficulty of 0 to 12 bits, so that ranges with no, one and several answers come. The least answer in the order of
 * the range must be found, and none where there is none. Gives the number of tries compared.
 */
export function holdToOracle(kernel: Kernel, atLeast: number, seed: number): number {
  const draw = createDraw(seed);
  const message = new Uint8Array(40);
  const view = new DataView(message.buffer);
  let compared = 0;
  while (compared < atLeast) {
    for (let i = 0; i < 32; i++) message[i] = draw(256);
    const bits = draw(13);
    const start = drawStart(draw);
    const count = draw(MOST_TRIES + 1);
    let expected: bigint | null = null;
    for (let i = 0; i < count && expected === null; i++) {
      const answer = BigInt.asUintN(64, start + BigInt(i));
      view.setBigUint64(32, answer, true);
      const first = hash('sha256', message, 'buffer').readUInt32BE(0);
      if (Math.clz32(first) >= bits) expected = answer;
      compared++;
    }
    kernel.load(challengeText({ bits, nonce: message.subarray(0, 32) }));
    const found = kernel.step(start, count);
    if (found !== expected) {
      const nonce = Buffer.from(message.subarray(0, 32)).toString('hex');
      assert.equal(found, expected, `nonce ${nonce}, ${bits} bits, start ${start}, ${count} tries`);
    }
  }
  return compared;
}

/** A third anywhere, a third at a wrap of the low word, a third at 2⁶⁴ or 0. */
function drawStart(draw: (below: number) => number): bigint {
  const high = BigInt(draw(2 ** 32));
  const near = BigInt(draw(2 * MOST_TRIES)) - BigInt(MOST_TRIES);
  const [anywhere, atLowWrap] = [high * LOW_WRAP + BigInt(draw(2 ** 32)), high * LOW_WRAP + near];
  return BigInt.asUintN(64, [anywhere, atLowWrap, WRAP + near][draw(3)]);
}
