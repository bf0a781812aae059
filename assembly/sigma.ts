// The functions of FIPS 180-4 §4.1.2 on one word, for what is done once. The unrolled rounds have them written out (dialects.ts).

/** Σ0. */
export function bigSigma0(x: u32): u32 {
  return rotr<u32>(x, 2) ^ rotr<u32>(x, 13) ^ rotr<u32>(x, 22);
}

/** Σ1. */
export function bigSigma1(x: u32): u32 {
  return rotr<u32>(x, 6) ^ rotr<u32>(x, 11) ^ rotr<u32>(x, 25);
}

/** σ0. */
export function smallSigma0(x: u32): u32 {
  return rotr<u32>(x, 7) ^ rotr<u32>(x, 18) ^ (x >> 3);
}

/** σ1. */
export function smallSigma1(x: u32): u32 {
  return rotr<u32>(x, 17) ^ rotr<u32>(x, 19) ^ (x >> 10);
}

/** Ch, with one operation less than the standard's form. */
export function ch(x: u32, y: u32, z: u32): u32 {
  return z ^ (x & (y ^ z));
}
