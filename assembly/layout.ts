// Byte offsets of everything sealed or hashed, and of the solver's own memory.
// Compiled by asc (as i32 constants) and by tsc (as numbers), so it holds untyped integer constants only.
// All integers in an envelope are big-endian; the answer that is hashed is little-endian.

// The head, shared by challenge and passport.
export const VERSION_AT = 0;
export const KID_AT = 1;
export const KIND_AT = 2;
export const TIER_AT = 3;
export const BITS_AT = 4;
export const FLAGS_AT = 5;
export const ROUTE_AT = 6;
export const ISSUED_AT = 10;
export const EXPIRES_AT = 14;
export const LIFETIME_AT = 18;
export const HEAD_BYTES = 22;

export const ENVELOPE_VERSION = 1;
export const KIND_CHALLENGE = 1;
export const KIND_PASSPORT = 2;

// Challenge: head, 32-byte nonce, 32-byte tag over bytes 0..53.
export const NONCE_AT = 22;
export const NONCE_BYTES = 32;
export const CHALLENGE_TAG_AT = 54;
export const CHALLENGE_BYTES = 86;
export const CHALLENGE_CHARS = 115;

// Passport: head, 8-byte challenge id, 3-byte IPv4 /24, 6-byte IPv6 /48, 32-byte tag over bytes 0..38.
export const CHALLENGE_ID_AT = 22;
export const CHALLENGE_ID_BYTES = 8;
export const NETWORK_V4_AT = 30;
export const NETWORK_V4_BYTES = 3;
export const NETWORK_V6_AT = 33;
export const NETWORK_V6_BYTES = 6;
export const PASSPORT_TAG_AT = 39;
export const PASSPORT_BYTES = 71;
export const PASSPORT_CHARS = 95;

export const TAG_BYTES = 32;

// Flags (byte 5).
export const FLAG_PER_REQUEST = 1;
export const FLAG_V4_SET = 2;
export const FLAG_V6_SET = 4;
export const FLAG_REBINDS = 8;

// The nonce of a challenge that re-binds a passport, from the start of the nonce: the passport's challenge id (8 bytes, as
// in a passport), mint time and bits; the flags and networks that it gets; 9 random bytes.
export const REBIND_MINTED_AT = 8;
export const REBIND_BITS_AT = 12;
export const REBIND_FLAGS_AT = 13;
export const REBIND_V4_AT = 14;
export const REBIND_V6_AT = 17;
export const REBIND_RANDOM_AT = 23;
// Of its flags: the IPv6 network is the one that asked; bits 1 and 2 as in a passport.
export const FLAG_ASKED_BY_V6 = 8;

// The hashed message: nonce, then the answer as u64, little-endian. One SHA-256 block with its padding.
export const ANSWER_AT = 32;
export const MESSAGE_BYTES = 40;
