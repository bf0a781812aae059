import { ANSWER_AT, MESSAGE_BYTES, NONCE_BYTES } from '../../../assembly/layout.ts';
import type { Digest } from '../../base/ports.ts';

const U64_MAX = 2n ** 64n - 1n;
// One for all calls: it is hashed before the next one is written.
const message = new Uint8Array(MESSAGE_BYTES);
const messageView = new DataView(message.buffer);

const CANONICAL_DECIMAL = /^(0|[1-9][0-9]{0,19})$/;

/** The u64 that `text` writes in canonical decimal (`0`, or no leading zero), or null. */
export function readAnswer(text: string): bigint | null {
  if (!CANONICAL_DECIMAL.test(text)) return null;
  const answer = BigInt(text);
  return answer <= U64_MAX ? answer : null;
}

/**
 * Tells whether `answer` solves `nonce` at `difficultyBits`.
 *
 * Hashes 40 bytes: the 32-byte nonce, then `answer` as a u64 in little-endian order (SHA-256, FIPS 180-4).
 * Leading zero bits are counted from the most significant bit of digest byte 0.
 *
 * @param nonce exactly 32 bytes, from an envelope whose seal was already opened
 * @param answer 0n .. 2n**64n - 1n
 * @throws RangeError when a length or a range is wrong: a caller's bug, since untrusted input is refused before
 */
export function hasWork(digest: Digest, nonce: Uint8Array, answer: bigint, difficultyBits: number): boolean {
  if (nonce.length !== NONCE_BYTES) throw new RangeError(`nonce: expected 32 bytes, got ${nonce.length}`);
  if (answer < 0n || answer > U64_MAX) throw new RangeError(`answer: expected a u64, got ${answer}`);
  message.set(nonce);
  messageView.setBigUint64(ANSWER_AT, answer, true);
  return leadingZeroBits(digest.sha256(message)) >= difficultyBits;
}

/** How many bits are zero before the first one that is set, most significant bit of byte 0 first. */
export function leadingZeroBits(bytes: Uint8Array): number {
  let first = 0;
  while (bytes[first] === 0) first++;
  // Math.clz32 counts from bit 31; a byte fills only the low 8.
  return first === bytes.length ? bytes.length * 8 : first * 8 + Math.clz32(bytes[first]) - 24;
}
