/** The parts of SHA-256 on int32 words (FIPS 180-4), for what is computed once per challenge. assembly/sha256.ts is its twin. */

const rotate = (x: number, n: number) => (x >>> n) | (x << (32 - n));
const bigSigma0 = (x: number) => rotate(x, 2) ^ rotate(x, 13) ^ rotate(x, 22);
const bigSigma1 = (x: number) => rotate(x, 6) ^ rotate(x, 11) ^ rotate(x, 25);

/** σ0 (FIPS 180-4 §4.1.2). */
export const smallSigma0 = (x: number) => rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);

/** σ1 (FIPS 180-4 §4.1.2). */
export const smallSigma1 = (x: number) => rotate(x, 17) ^ rotate(x, 19) ^ (x >>> 10);

/** One round on the working variables a..h; `added` is K[t] + W[t]. */
export function round(working: Int32Array, added: number): void {
  const [a, b, c, d, e, f, g, h] = working;
  const t1 = (h + bigSigma1(e) + (g ^ (e & (f ^ g))) + added) | 0;
  const t2 = bigSigma0(a) + ((a & b) ^ (a & c) ^ (b & c));
  working.copyWithin(1, 0, 7);
  working[4] = d + t1;
  working[0] = t1 + t2;
}
