// The challenge that is being solved: decoded once, then kept in the block.

import { writePadding } from './fixed-part';
import {
  BITS_AT,
  CHALLENGE_BYTES,
  CHALLENGE_CHARS,
  ENVELOPE_VERSION,
  KIND_AT,
  KIND_CHALLENGE,
  NONCE_AT,
  NONCE_BYTES,
  VERSION_AT,
} from './layout';
import { BLOCK } from './sha256';
import * as status from './status';

/** Where the caller writes the challenge's characters, one byte each: 128 bytes. */
export const INPUT = memory.data(128);
const ENVELOPE = memory.data(88);
const FOREIGN: u32 = 64;

let bits: i32 = 0;

/** The difficulty of the loaded challenge, 0..64 leading zero bits. */
export function difficultyBits(): i32 {
  return bits;
}

/** Takes in the challenge of `length` characters at INPUT; gives NOT_FOUND, or why it is refused (status.ts). */
export function loadChallenge(length: i32): i32 {
  if (length !== CHALLENGE_CHARS) return status.REFUSED_LENGTH;
  if (!decodeInput()) return status.REFUSED_TEXT;
  if (head(VERSION_AT) !== ENVELOPE_VERSION) return status.REFUSED_VERSION;
  if (head(KIND_AT) !== KIND_CHALLENGE) return status.REFUSED_KIND;
  if (head(BITS_AT) > status.MAX_DIFFICULTY_BITS) return status.REFUSED_BITS;
  bits = head(BITS_AT);
  memory.copy(BLOCK, ENVELOPE + NONCE_AT, NONCE_BYTES);
  writePadding();
  return status.NOT_FOUND;
}

function head(offset: i32): i32 {
  return <i32>load<u8>(ENVELOPE + offset);
}

/** base64url without padding (RFC 4648 §5); false for a foreign character or a spare bit that is not zero. */
function decodeInput(): bool {
  let pending: u32 = 0;
  let pendingBits = 0;
  let to = ENVELOPE;
  for (let i = 0; i < CHALLENGE_CHARS; i++) {
    const value = sextet(load<u8>(INPUT + i));
    if (value === FOREIGN) return false;
    pending = (pending << 6) | value;
    pendingBits += 6;
    if (pendingBits >= 8) {
      pendingBits -= 8;
      store<u8>(to++, pending >> pendingBits);
    }
  }
  return to - ENVELOPE === CHALLENGE_BYTES && (pending & ((1 << pendingBits) - 1)) === 0;
}

/** The 6 bits of a character, or FOREIGN. */
function sextet(char: u32): u32 {
  if (char >= 0x41 && char <= 0x5a) return char - 0x41; // A-Z
  if (char >= 0x61 && char <= 0x7a) return char - 0x61 + 26; // a-z
  if (char >= 0x30 && char <= 0x39) return char - 0x30 + 52; // 0-9
  if (char === 0x2d) return 62; // -
  if (char === 0x5f) return 63; // _
  return FOREIGN;
}
