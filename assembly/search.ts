// The search over answers, whatever computes the hashes.

import { difficultyBits } from './challenge';
import { fixHighWord, writeAnswer } from './fixed-part';
import { compressBlock, resetState, STATE, word } from './sha256';
import { FOUND, NOT_FOUND } from './status';

/**
 * A build's inner loop: the index of the first of `count` tries from low word `low` on whose digest's word 0 is
 * zero under `mask`, or -1. The high word is in the fixed part, and the range does not wrap.
 */
export type Batch = (low: u32, count: u32, mask: u32) => i32;

// V8 keeps running a Wasm function in the tier it was called in: one long loop ran its first million tries at a
// fourteenth of the speed. A call this short is left soon, and entered again as optimised code.
const BATCH_TRIES: u64 = 4096;

let found: u64 = 0;

/** The answer of the last search that gave FOUND. */
export function foundAnswer(): u64 {
  return found;
}

/** Tries `start`, `start + 1`, … (`count` of them, wrapping at 2^64); FOUND is the first answer in that order. */
export function search(start: u64, count: u64, batch: Batch): i32 {
  const bits = difficultyBits();
  // A shift by 32 would be a shift by 0, so no bits is a case of its own.
  const mask: u32 = bits === 0 ? 0 : bits >= 32 ? 0xffffffff : ~(0xffffffff >> bits);
  let at = start;
  let left = count;
  let fixedFor: i64 = -1;
  while (left > 0) {
    const high = at >> 32;
    const low = at & 0xffffffff;
    // A batch ends where the low word wraps: beyond, the high word and with it the fixed part are others.
    const tries = min(min(left, BATCH_TRIES), 0x100000000 - low);
    if (fixedFor !== <i64>high) {
      fixHighWord(<u32>high);
      fixedFor = high;
    }
    const index = batch(<u32>low, <u32>tries, mask);
    const passed = index < 0 ? tries : <u64>index + 1;
    at += passed;
    left -= passed;
    if (index >= 0 && leadingZeroBits(at - 1) >= bits) {
      found = at - 1;
      return FOUND;
    }
  }
  return NOT_FOUND;
}

/** Tries all 2^64 answers from 0 on. */
export function searchAll(batch: Batch): i32 {
  const found = search(0, u64.MAX_VALUE, batch);
  return found === FOUND ? found : search(u64.MAX_VALUE, 1, batch);
}

/** Leading zero bits of the loaded nonce's digest with `answer`, 0..64 (more count as 64): the whole hash, rolled. */
function leadingZeroBits(answer: u64): i32 {
  writeAnswer(answer);
  resetState();
  compressBlock();
  return <i32>clz<u64>(((<u64>word(STATE, 0)) << 32) | word(STATE, 1));
}
