// The solver with four tries at once, for engines with v128.

import { INPUT, loadChallenge } from './challenge';
import { firstWord } from './generated/first-word-simd';
import { spreadFixedPart, spreadRoundConstants } from './lane-memory';
import { foundAnswer, search, searchAll } from './search';
import { BLOCK, compressBlock, resetState, STATE } from './sha256';
import { NOT_FOUND } from './status';

export {
  BLOCK as block_address,
  compressBlock as compress_block,
  INPUT as input_address,
  loadChallenge as load_challenge,
  resetState as reset_state,
  STATE as state_address,
};

spreadRoundConstants();

/** Solves the challenge of `length` characters at INPUT, from answer 0 on: a status (status.ts). */
export function solve_once_b64(length: i32): i32 {
  const loaded = loadChallenge(length);
  return loaded === NOT_FOUND ? searchAll(firstPassing) : loaded;
}

/** Loads the challenge of `length` characters at INPUT and takes one step: a status (status.ts). */
export function solve_step_b64(length: i32, start: u64, max_iters: u64): i32 {
  const loaded = loadChallenge(length);
  return loaded === NOT_FOUND ? solve_step(start, max_iters) : loaded;
}

/** Tries `max_iters` answers from `start` on, wrapping at 2^64, on the loaded challenge: FOUND or NOT_FOUND. */
export function solve_step(start: u64, max_iters: u64): i32 {
  return search(start, max_iters, firstPassing);
}

/** The answer after FOUND; raw i64, so signed in JavaScript. */
export function answer(): u64 {
  return foundAnswer();
}

function firstPassing(low: u32, count: u32, mask: u32): i32 {
  if (count === 0) return -1;
  spreadFixedPart();
  const masks = i32x4.splat(mask);
  const zeros = i32x4.splat(0);
  const step = i32x4.splat(4);
  let lanes = i32x4.add(i32x4.splat(low), i32x4(0, 1, 2, 3));
  for (let i: u32 = 0; i < count; i += 4) {
    // The answer is hashed little-endian, message words are big-endian: the bytes of each lane turn round.
    const w8 = i8x16.shuffle(lanes, lanes, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
    const passing = i32x4.eq(v128.and(firstWord(w8), masks), zeros);
    if (v128.any_true(passing)) {
      const index = i + ctz(i32x4.bitmask(passing));
      // The last lanes may lie beyond the range, where the fixed part is not theirs.
      return index < count ? index : -1;
    }
    lanes = i32x4.add(lanes, step);
  }
  return -1;
}
