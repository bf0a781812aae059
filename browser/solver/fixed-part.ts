import { INITIAL_STATE, ROUND_CONSTANTS } from '../../assembly/round-constants.ts';
import * as slots from '../../assembly/slots.ts';
import { round, smallSigma0, smallSigma1 } from './sha256.ts';

/**
 * What does not change while only the low word of the answer does: the slots of assembly/slots.ts, int32.
 * assembly/fixed-part.ts is its twin.
 *
 * @param block the padded 64-byte message, its answer's low word zero
 */
export function computeFixedPart(block: DataView): Int32Array {
  const words = new Int32Array(slots.FIRST_WORD_WITHOUT_SHARE);
  for (let t = 0; t < 16; t++) words[t] = block.getInt32(4 * t);
  for (let t = 16; t < words.length; t++) words[t] = constantShare(words, t);

  const fixed = new Int32Array(slots.SLOTS);
  const working = Int32Array.from(INITIAL_STATE);
  for (let t = 0; t < slots.VARYING_WORD; t++) round(working, ROUND_CONSTANTS[t] + words[t]);
  const [a8, a7, a6, , e8, e7, e6] = working;
  round(working, ROUND_CONSTANTS[slots.VARYING_WORD]);
  fixed[slots.SLOT_A6] = a6;
  fixed[slots.SLOT_A7] = a7;
  fixed[slots.SLOT_A8] = a8;
  fixed[slots.SLOT_A9] = working[0];
  fixed[slots.SLOT_E7] = e7;
  fixed[slots.SLOT_E8] = e8;
  fixed[slots.SLOT_E9] = working[4];

  for (let t = slots.FIRST_FIXED_ROUND; t < slots.FIRST_VARYING_WORD; t++)
    fixed[t] = ROUND_CONSTANTS[t] + words[t];
  fixed[9] += e6;
  fixed[10] += e7;
  fixed[11] += e8;
  fixed.set(words.subarray(slots.FIRST_VARYING_WORD), slots.FIRST_VARYING_WORD);
  return fixed;
}

/** The sum of those terms of W[t] (FIPS 180-4 §6.2.2, step 1) that the varying word does not reach. */
function constantShare(words: Int32Array, t: number): number {
  const isConstant = (index: number) => index < slots.FIRST_VARYING_WORD && index !== slots.VARYING_WORD;
  let sum = 0;
  if (isConstant(t - 2)) sum += smallSigma1(words[t - 2]);
  if (isConstant(t - 7)) sum += words[t - 7];
  if (isConstant(t - 15)) sum += smallSigma0(words[t - 15]);
  if (isConstant(t - 16)) sum += words[t - 16];
  return sum;
}
