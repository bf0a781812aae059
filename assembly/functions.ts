import type { Dialect } from './dialects.ts';

/** The functions of FIPS 180-4 §4.1.2, spelled in a dialect. */

/** Σ0. */
export const bigSigma0 = ({ xor, rotate }: Dialect, x: string) =>
  xor(rotate(x, 2), rotate(x, 13), rotate(x, 22));

/** Σ1. */
export const bigSigma1 = ({ xor, rotate }: Dialect, x: string) =>
  xor(rotate(x, 6), rotate(x, 11), rotate(x, 25));

/** σ0. */
export const smallSigma0 = ({ xor, rotate, shift }: Dialect, x: string) =>
  xor(rotate(x, 7), rotate(x, 18), shift(x, 3));

/** σ1. */
export const smallSigma1 = ({ xor, rotate, shift }: Dialect, x: string) =>
  xor(rotate(x, 17), rotate(x, 19), shift(x, 10));

/** Ch, with one operation less than the standard's form. */
export const ch = ({ xor, and }: Dialect, x: string, y: string, z: string) => xor(z, and(x, xor(y, z)));
