import * as at from '../../../assembly/layout.ts';
import type { Digest, Mac } from '../../base/ports.ts';

/** One of the operator's secrets. `kid` is 0..255 and travels in the envelope; the secret has 32 bytes or more. */
export type SealingKey = { kid: number; secret: Uint8Array };

/** Seals and opens envelopes. The first key signs, all of them verify. */
export type Keyring = {
  /** The kid that new envelopes carry. */
  readonly signingKid: number;
  /** Whether a key of this kid is in the ring. */
  holds(kid: number): boolean;
  /** Packed fields (whose kid byte is one of the ring's) with their 32-byte tag appended. */
  seal(packed: Uint8Array): Uint8Array;
  /** Whether version, kind and kid are ours and the tag holds. `kind` is a KIND_ constant of the layout. */
  isSealed(envelope: Uint8Array, kind: number): boolean;
};

const PURPOSE = new Map([
  [at.KIND_CHALLENGE, 'gatehouse pow challenge v1'],
  [at.KIND_PASSPORT, 'gatehouse pow passport v1'],
]);

/**
 * A ring of one or more keys.
 *
 * Each kind is sealed under a subkey of its own (HKDF-SHA-256, RFC 5869), so that a challenge can never pass for a
 * passport; the input of the MAC has a fixed width, so that no field can spill into the next.
 *
 * @throws RangeError when there is no key, a kid twice, or a secret under 32 bytes: configuration refuses these first
 */
export function createKeyring(keys: readonly SealingKey[], digest: Digest): Keyring {
  if (keys.length === 0) throw new RangeError('a keyring needs at least one key, got none');
  const macs = new Map<number, Mac>();
  for (const { kid, secret } of keys) {
    if (!Number.isInteger(kid) || kid < 0 || kid > 255)
      throw new RangeError(`kid: expected 0..255, got ${kid}`);
    if (secret.length < 32)
      throw new RangeError(`secret ${kid}: expected 32 bytes or more, got ${secret.length}`);
    for (const [kind, purpose] of PURPOSE) {
      const slot = slotOf(kid, kind);
      if (macs.has(slot)) throw new RangeError(`kid ${kid} stands twice`);
      macs.set(slot, digest.hmacSha256(digest.hkdfSha256(secret, purpose, 32)));
    }
  }

  function tagOf(bytes: Uint8Array, covered: number): Uint8Array | null {
    const mac = macs.get(slotOf(bytes[at.KID_AT], bytes[at.KIND_AT]));
    return mac ? mac(bytes, covered) : null;
  }

  return {
    signingKid: keys[0].kid,
    holds: (kid) => keys.some((key) => key.kid === kid),
    seal(packed) {
      const tag = tagOf(packed, packed.length);
      if (!tag) throw new RangeError(`kid ${packed[at.KID_AT]} is not of this ring`);
      const envelope = new Uint8Array(packed.length + at.TAG_BYTES);
      envelope.set(packed);
      envelope.set(tag, packed.length);
      return envelope;
    },
    isSealed(envelope, kind) {
      if (envelope[at.VERSION_AT] !== at.ENVELOPE_VERSION || envelope[at.KIND_AT] !== kind) return false;
      const covered = envelope.length - at.TAG_BYTES;
      const tag = tagOf(envelope, covered);
      return tag !== null && digest.equal(tag, envelope.subarray(covered));
    },
  };
}

const slotOf = (kid: number, kind: number) => kid * 256 + kind;
