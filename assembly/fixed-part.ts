// What does not change while only the low word of the answer does. slots.ts says which slot holds what.

import { INITIAL_STATE, ROUND_CONSTANTS } from './generated/constants';
import { ANSWER_AT, MESSAGE_BYTES } from './layout';
import { BLOCK, round, SCHEDULE, setWord, WORKING, word } from './sha256';
import { smallSigma0, smallSigma1 } from './sigma';
import * as slots from './slots';

/** The slots, as native words. */
export const FIXED = memory.data(156);

/** Puts the answer into the block, behind the nonce that is there: u64, little-endian. */
export function writeAnswer(answer: u64): void {
  store<u64>(BLOCK + ANSWER_AT, answer);
}

/** Puts the padding into the block (FIPS 180-4 §5.1.1): a one bit, zeros, the length in bits, big-endian. */
export function writePadding(): void {
  memory.fill(BLOCK + MESSAGE_BYTES, 0, 64 - MESSAGE_BYTES);
  store<u8>(BLOCK + MESSAGE_BYTES, 0x80);
  store<u16>(BLOCK + 62, bswap<u16>(<u16>(MESSAGE_BYTES * 8)));
}

/** Computes every slot for the block's nonce and the answers of this high word. */
export function fixHighWord(high: u32): void {
  writeAnswer((<u64>high) << 32);
  for (let t = 0; t < 16; t++) setWord(SCHEDULE, t, bswap(word(BLOCK, t)));
  for (let t = 16; t < slots.FIRST_WORD_WITHOUT_SHARE; t++) setWord(SCHEDULE, t, constantShare(t));

  memory.copy(WORKING, INITIAL_STATE, 32);
  for (let t = 0; t < slots.VARYING_WORD; t++) round(word(ROUND_CONSTANTS, t) + word(SCHEDULE, t));
  const e6 = word(WORKING, 6);
  setWord(FIXED, slots.SLOT_A6, word(WORKING, 2));
  setWord(FIXED, slots.SLOT_A7, word(WORKING, 1));
  setWord(FIXED, slots.SLOT_A8, word(WORKING, 0));
  setWord(FIXED, slots.SLOT_E7, word(WORKING, 5));
  setWord(FIXED, slots.SLOT_E8, word(WORKING, 4));
  const e7 = word(WORKING, 5);
  const e8 = word(WORKING, 4);
  round(word(ROUND_CONSTANTS, slots.VARYING_WORD));
  setWord(FIXED, slots.SLOT_A9, word(WORKING, 0));
  setWord(FIXED, slots.SLOT_E9, word(WORKING, 4));

  for (let t = slots.FIRST_FIXED_ROUND; t < slots.FIRST_VARYING_WORD; t++) {
    setWord(FIXED, t, word(ROUND_CONSTANTS, t) + word(SCHEDULE, t));
  }
  setWord(FIXED, 9, word(FIXED, 9) + e6);
  setWord(FIXED, 10, word(FIXED, 10) + e7);
  setWord(FIXED, 11, word(FIXED, 11) + e8);
  for (let t = slots.FIRST_VARYING_WORD; t < slots.FIRST_WORD_WITHOUT_SHARE; t++) {
    setWord(FIXED, t, word(SCHEDULE, t));
  }
}

/** The sum of those terms of W[t] (FIPS 180-4 §6.2.2, step 1) that the varying word does not reach. */
function constantShare(t: i32): u32 {
  let sum: u32 = 0;
  if (isConstant(t - 2)) sum += smallSigma1(word(SCHEDULE, t - 2));
  if (isConstant(t - 7)) sum += word(SCHEDULE, t - 7);
  if (isConstant(t - 15)) sum += smallSigma0(word(SCHEDULE, t - 15));
  if (isConstant(t - 16)) sum += word(SCHEDULE, t - 16);
  return sum;
}

function isConstant(t: i32): bool {
  return t < slots.FIRST_VARYING_WORD && t !== slots.VARYING_WORD;
}
