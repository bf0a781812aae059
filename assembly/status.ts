// What the solver's exports return. Compiled by asc and by tsc, so it holds untyped integer constants only.
// Found or not is apart from the answer, since every u64 is a legal answer.

export const NOT_FOUND = 0;
export const FOUND = 1;

// A challenge that is no challenge, in the order of the checks.
export const REFUSED_LENGTH = -1;
export const REFUSED_TEXT = -2;
export const REFUSED_VERSION = -3;
export const REFUSED_KIND = -4;
export const REFUSED_BITS = -5;

// The rule can ask for at most this many leading zero bits (our choice: the first two words of the digest;
// tiers end at 32).
export const MAX_DIFFICULTY_BITS = 64;
