// The fixed part: 32-bit words that are computed once per (challenge, high word of the answer), by slot number.
// Compiled by asc and by tsc, so it holds untyped integer constants only.
//
// The answer's low word is message word 8, the only one that changes from try to try. So rounds 0..7 are done
// once, round 8 only adds the word, and the schedule is constant up to word 22 and partly constant up to word 37
// (word 38 still has the constant word 22 in it). Names are those of FIPS 180-4 §6.2.2.

// Working variables after round 8, newest last: A[t] is `a` entering round t, E[t] is `e`, so b = A[t-1] and so on.
// A9 and E9 lack the varying word. (E6 is in slot 9.)
export const SLOT_A6 = 0;
export const SLOT_A7 = 1;
export const SLOT_A8 = 2;
export const SLOT_A9 = 3;
export const SLOT_E7 = 4;
export const SLOT_E8 = 5;
export const SLOT_E9 = 6;

// Slots 9..22: K[t] + W[t], and in 9..11 also `h`, which is not reached by the varying word before round 12.
export const FIRST_FIXED_ROUND = 9;
export const FIRST_ROUND_WITH_VARYING_H = 12;

// Slots 23..38: the constant share of W[t].
export const FIRST_VARYING_WORD = 23;
export const FIRST_WORD_WITHOUT_SHARE = 39;

export const SLOTS = 39;

// The word that changes.
export const VARYING_WORD = 8;
