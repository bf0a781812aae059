// The functions of FIPS 180-4 §4.1.2 on four words at once. asc inlines them.
// Wasm has no lane rotation: one is two shifts and an xor.

/** Σ0. */
export function bigSigma0(x: v128): v128 {
  return v128.xor(v128.xor(rotate(x, 2), rotate(x, 13)), rotate(x, 22));
}

/** Σ1. */
export function bigSigma1(x: v128): v128 {
  return v128.xor(v128.xor(rotate(x, 6), rotate(x, 11)), rotate(x, 25));
}

/** σ0. */
export function smallSigma0(x: v128): v128 {
  return v128.xor(v128.xor(rotate(x, 7), rotate(x, 18)), i32x4.shr_u(x, 3));
}

/** σ1. */
export function smallSigma1(x: v128): v128 {
  return v128.xor(v128.xor(rotate(x, 17), rotate(x, 19)), i32x4.shr_u(x, 10));
}

/** Ch. */
export function ch(x: v128, y: v128, z: v128): v128 {
  return v128.xor(z, v128.and(x, v128.xor(y, z)));
}

/** The and of two words. */
export function and(x: v128, y: v128): v128 {
  return v128.and(x, y);
}

function rotate(x: v128, n: i32): v128 {
  return v128.or(i32x4.shr_u(x, n), i32x4.shl(x, 32 - n));
}
