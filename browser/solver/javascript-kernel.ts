import { ANSWER_AT, MESSAGE_BYTES } from '../../assembly/layout.ts';
import { sha256 } from '../../server/base/sha256.ts';
import { openChallenge } from './challenge.ts';
import { computeFixedPart } from './fixed-part.ts';
import { firstWord } from './generated/first-word.ts';
import type { Kernel } from './kernel.ts';
import { readU64 } from './u64.ts';

const WRAP = 2n ** 64n;
const LOW_WORD_WRAP = 2 ** 32;

/**
 * The solver where Wasm is refused: plain int32 arithmetic, synchronous.
 * An awaited `crypto.subtle.digest` per try would be a hundred times slower, and needs a secure context.
 */
export function createJavascriptKernel(): Kernel {
  const block = new DataView(new ArrayBuffer(64));
  let difficultyBits = -1;

  const load = (challenge: string): void => {
    difficultyBits = -1;
    const opened = openChallenge(challenge);
    new Uint8Array(block.buffer).set(opened.nonce);
    // Padding (FIPS 180-4 §5.1.1): a one bit, zeros, the length in bits.
    block.setUint8(MESSAGE_BYTES, 0x80);
    block.setUint16(62, MESSAGE_BYTES * 8);
    difficultyBits = opened.difficultyBits;
  };

  const search = (start: bigint, count: bigint): bigint | null => {
    if (difficultyBits < 0) throw new Error('step: expected a loaded challenge, got none');
    let at = start;
    let left = count;
    while (left > 0n) {
      // The fixed part holds for one high word, so a pass ends where the low word wraps.
      const low = Number(at & 0xffff_ffffn);
      const tries = Math.min(LOW_WORD_WRAP - low, left < LOW_WORD_WRAP ? Number(left) : LOW_WORD_WRAP);
      block.setBigUint64(ANSWER_AT, at - BigInt(low), true);
      const index = firstPassing(computeFixedPart(block), low, tries, difficultyBits);
      const candidate = BigInt.asUintN(64, at + BigInt(index));
      if (index < tries && leadingZeroBits(block, candidate) >= difficultyBits) return candidate;
      const passed = BigInt(Math.min(index + 1, tries));
      at = BigInt.asUintN(64, at + passed);
      left -= passed;
    }
    return null;
  };

  return {
    name: 'javascript',
    load,
    solve_once_b64(challenge) {
      load(challenge);
      const answer = search(0n, WRAP);
      if (answer === null) throw new Error('challenge: none of the 2^64 answers solves it');
      return String(answer);
    },
    solve_step_b64(challenge, start, max_iters) {
      const from = readU64(start, 'start');
      const count = readU64(max_iters, 'max_iters');
      load(challenge);
      const answer = search(from, count);
      return answer === null ? null : String(answer);
    },
    step: (start, count) => search(readU64(start, 'start'), readU64(count, 'count')),
  };
}

/** The index of the first try whose digest's word 0 has the zeros that the difficulty wants there, or `tries`. */
function firstPassing(fixed: Int32Array, low: number, tries: number, difficultyBits: number): number {
  // Shift counts are taken modulo 32, so no bits is a case of its own.
  const mask = difficultyBits === 0 ? 0 : difficultyBits >= 32 ? -1 : ~(-1 >>> difficultyBits);
  for (let index = 0; index < tries; index++) {
    if ((firstWord(fixed, swapBytes(low + index)) & mask) === 0) return index;
  }
  return tries;
}

/** The answer is hashed little-endian, message words are big-endian. */
function swapBytes(word: number): number {
  return (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);
}

/** Leading zero bits of the whole digest, 0..64 (more count as 64). */
function leadingZeroBits(block: DataView, answer: bigint): number {
  block.setBigUint64(ANSWER_AT, answer, true);
  const digest = new DataView(sha256(new Uint8Array(block.buffer, 0, MESSAGE_BYTES)).buffer);
  const first = digest.getUint32(0);
  return first === 0 ? 32 + Math.clz32(digest.getUint32(4)) : Math.clz32(first);
}
