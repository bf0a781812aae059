import {
  BITS_AT,
  CHALLENGE_BYTES,
  ENVELOPE_VERSION,
  KIND_AT,
  KIND_CHALLENGE,
  NONCE_AT,
  NONCE_BYTES,
  VERSION_AT,
} from '../../../assembly/layout.ts';
import { MAX_DIFFICULTY_BITS } from '../../../assembly/status.ts';
import { encodeBase64url } from '../../../server/base/base64url.ts';

/**
 * A challenge of our own, to measure by: of so many bits that nobody finds an answer, so that every step makes all its
 * tries. It carries no seal, since no server is to see it.
 *
 * @param nonce 32 bytes
 */
export function endlessChallenge(nonce: Uint8Array): string {
  if (nonce.length !== NONCE_BYTES)
    throw new RangeError(`nonce: expected ${NONCE_BYTES} bytes, got ${nonce.length}`);
  const bytes = new Uint8Array(CHALLENGE_BYTES);
  bytes[VERSION_AT] = ENVELOPE_VERSION;
  bytes[KIND_AT] = KIND_CHALLENGE;
  bytes[BITS_AT] = MAX_DIFFICULTY_BITS;
  bytes.set(nonce, NONCE_AT);
  return encodeBase64url(bytes);
}
