// The solver with one try at a time, for engines without v128. Exports as in simd.ts.

import { INPUT, loadChallenge } from './challenge';
import { firstWord } from './generated/first-word-scalar';
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
  for (let i: u32 = 0; i < count; i++) {
    // The answer is hashed little-endian, message words are big-endian.
    if ((firstWord(bswap<u32>(low + i)) & mask) === 0) return i;
  }
  return -1;
}
