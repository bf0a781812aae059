// Constants of the four-lane build, each 32-bit word four times in a row, so that one load fills the lanes.

import { FIXED } from './fixed-part';
import { ROUND_CONSTANTS } from './generated/constants';
import { word } from './sha256';
import { SLOTS } from './slots';

/** The fixed part (slots.ts), 16 bytes a slot. */
export const FIXED_LANES = memory.data(624, 16);
/** K, 16 bytes a round. */
export const ROUND_CONSTANT_LANES = memory.data(1024, 16);

/** Spreads K, once. */
export function spreadRoundConstants(): void {
  for (let t = 0; t < 64; t++)
    v128.store(ROUND_CONSTANT_LANES + (t << 4), i32x4.splat(word(ROUND_CONSTANTS, t)));
}

/** Spreads the fixed part, after it was computed. */
export function spreadFixedPart(): void {
  for (let slot = 0; slot < SLOTS; slot++)
    v128.store(FIXED_LANES + (slot << 4), i32x4.splat(word(FIXED, slot)));
}
