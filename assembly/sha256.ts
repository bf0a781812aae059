// SHA-256 compression, rolled (FIPS 180-4 §6.2.2): proves what the unrolled search finds, and does its fixed rounds.

import { INITIAL_STATE, ROUND_CONSTANTS } from './generated/constants';
import { bigSigma0, bigSigma1, ch, smallSigma0, smallSigma1 } from './sigma';

/** The message block: 16 words, big-endian bytes. */
export const BLOCK = memory.data(64);
/** The chaining value: 8 native words; the digest after the last block. */
export const STATE = memory.data(32);
/** The message schedule: 64 native words. */
export const SCHEDULE = memory.data(256);
/** Working variables a..h: 8 native words. */
export const WORKING = memory.data(32);

/** Sets the chaining value to H(0). */
export function resetState(): void {
  memory.copy(STATE, INITIAL_STATE, 32);
}

/** Mixes the block into the chaining value. */
export function compressBlock(): void {
  for (let t = 0; t < 16; t++) setWord(SCHEDULE, t, bswap(word(BLOCK, t)));
  for (let t = 16; t < 64; t++) {
    const sum = smallSigma1(word(SCHEDULE, t - 2)) + word(SCHEDULE, t - 7);
    setWord(SCHEDULE, t, sum + smallSigma0(word(SCHEDULE, t - 15)) + word(SCHEDULE, t - 16));
  }
  memory.copy(WORKING, STATE, 32);
  for (let t = 0; t < 64; t++) round(word(ROUND_CONSTANTS, t) + word(SCHEDULE, t));
  for (let i = 0; i < 8; i++) setWord(STATE, i, word(STATE, i) + word(WORKING, i));
}

/** One round on the working variables; `added` is K[t] + W[t]. */
export function round(added: u32): void {
  const a = word(WORKING, 0);
  const b = word(WORKING, 1);
  const c = word(WORKING, 2);
  const e = word(WORKING, 4);
  const t1 = word(WORKING, 7) + bigSigma1(e) + ch(e, word(WORKING, 5), word(WORKING, 6)) + added;
  const t2 = bigSigma0(a) + ((a & b) ^ (a & c) ^ (b & c));
  const d = word(WORKING, 3);
  memory.copy(WORKING + 4, WORKING, 28);
  setWord(WORKING, 4, d + t1);
  setWord(WORKING, 0, t1 + t2);
}

/** Word `index` of a table of native words. */
export function word(table: usize, index: i32): u32 {
  return load<u32>(table + ((<usize>index) << 2));
}

/** Writes word `index` of a table of native words. */
export function setWord(table: usize, index: i32, value: u32): void {
  store<u32>(table + ((<usize>index) << 2), value);
}
