import * as at from '../../../assembly/layout.ts';
import { encodeBase64url } from '../../../server/base/base64url.ts';

/** A challenge's text; the tag is zero, since a solver does not look at it. */
export function challengeText({
  bits = 0,
  nonce = new Uint8Array(at.NONCE_BYTES),
  version = at.ENVELOPE_VERSION,
  kind = at.KIND_CHALLENGE,
}: {
  bits?: number;
  nonce?: Uint8Array;
  version?: number;
  kind?: number;
}): string {
  const bytes = new Uint8Array(at.CHALLENGE_BYTES);
  bytes[at.VERSION_AT] = version;
  bytes[at.KIND_AT] = kind;
  bytes[at.BITS_AT] = bits;
  bytes.set(nonce, at.NONCE_AT);
  return encodeBase64url(bytes);
}
