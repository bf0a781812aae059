/** SHA-256 compression on int32 words, rolled (FIPS 180-4 §6.2.2). assembly/sha256.ts is its twin. */

import { ROUND_CONSTANTS } from '../../assembly/round-constants.ts';

const rotate = (x: number, n: number) => (x >>> n) | (x << (32 - n));
const bigSigma0 = (x: number) => rotate(x, 2) ^ rotate(x, 13) ^ rotate(x, 22);
const bigSigma1 = (x: number) => rotate(x, 6) ^ rotate(x, 11) ^ rotate(x, 25);

/** σ0 (FIPS 180-4 §4.1.2). */
export const smallSigma0 = (x: number) => rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);

/** σ1 (FIPS 180-4 §4.1.2). */
export const smallSigma1 = (x: number) => rotate(x, 17) ^ rotate(x, 19) ^ (x >>> 10);

const schedule = new Int32Array(64);
const working = new Int32Array(8);

/** Mixes a 64-byte block into the chaining value: 8 int32 words, the digest after the last block. */
export function compressBlock(state: Int32Array, block: DataView): void {
  for (let t = 0; t < 16; t++) schedule[t] = block.getInt32(4 * t);
  for (let t = 16; t < 64; t++) {
    schedule[t] =
      smallSigma1(schedule[t - 2]) + schedule[t - 7] + smallSigma0(schedule[t - 15]) + schedule[t - 16];
  }
  working.set(state);
  for (let t = 0; t < 64; t++) round(working, ROUND_CONSTANTS[t] + schedule[t]);
  for (let i = 0; i < 8; i++) state[i] += working[i];
}

/** One round on the working variables a..h; `added` is K[t] + W[t]. */
export function round(working: Int32Array, added: number): void {
  const [a, b, c, d, e, f, g, h] = working;
  const t1 = (h + bigSigma1(e) + (g ^ (e & (f ^ g))) + added) | 0;
  const t2 = bigSigma0(a) + ((a & b) ^ (a & c) ^ (b & c));
  working.copyWithin(1, 0, 7);
  working[4] = d + t1;
  working[0] = t1 + t2;
}
