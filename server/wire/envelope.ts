import * as at from '../../assembly/layout.ts';
import type { Network } from '../base/network.ts';

/** What challenge and passport have in common. Times are Unix seconds, `route` is a u32, 0 for any. */
export type Head = {
  kid: number;
  tier: number;
  difficultyBits: number;
  route: number;
  issuedAtSecs: number;
  expiresAtSecs: number;
  /** How long the passport lives, in seconds. */
  lifetimeSecs: number;
};

export type Challenge = Head & {
  /** Admits one request and mints nothing. */
  isPerRequest: boolean;
  /** 32 random bytes. */
  nonce: Uint8Array;
};

export type Passport = Head & {
  /** The first 8 bytes of the nonce that was solved for it. */
  challengeId: Uint8Array;
  network: Network;
};

/** The 54 bytes that a challenge's tag covers. Integers are big-endian. */
export function packChallenge(challenge: Challenge): Uint8Array {
  const bytes = packHead(challenge, at.KIND_CHALLENGE, at.CHALLENGE_TAG_AT);
  bytes[at.FLAGS_AT] = challenge.isPerRequest ? at.FLAG_PER_REQUEST : 0;
  bytes.set(challenge.nonce, at.NONCE_AT);
  return bytes;
}

/** The fields of a challenge whose seal was opened: at least 54 bytes. */
export function unpackChallenge(bytes: Uint8Array): Challenge {
  return {
    ...unpackHead(bytes),
    isPerRequest: (bytes[at.FLAGS_AT] & at.FLAG_PER_REQUEST) !== 0,
    nonce: bytes.slice(at.NONCE_AT, at.NONCE_AT + at.NONCE_BYTES),
  };
}

/** The 39 bytes that a passport's tag covers. A network that is not known is zeros, with its flag off. */
export function packPassport(passport: Passport): Uint8Array {
  const bytes = packHead(passport, at.KIND_PASSPORT, at.PASSPORT_TAG_AT);
  const { v4, v6 } = passport.network;
  bytes[at.FLAGS_AT] = (v4 ? at.FLAG_V4_SET : 0) | (v6 ? at.FLAG_V6_SET : 0);
  bytes.set(passport.challengeId, at.CHALLENGE_ID_AT);
  if (v4) bytes.set(v4, at.NETWORK_V4_AT);
  if (v6) bytes.set(v6, at.NETWORK_V6_AT);
  return bytes;
}

/** The fields of a passport whose seal was opened: at least 39 bytes. */
export function unpackPassport(bytes: Uint8Array): Passport {
  const flags = bytes[at.FLAGS_AT];
  const part = (offset: number, length: number) => bytes.slice(offset, offset + length);
  return {
    ...unpackHead(bytes),
    challengeId: part(at.CHALLENGE_ID_AT, at.CHALLENGE_ID_BYTES),
    network: {
      v4: flags & at.FLAG_V4_SET ? part(at.NETWORK_V4_AT, at.NETWORK_V4_BYTES) : null,
      v6: flags & at.FLAG_V6_SET ? part(at.NETWORK_V6_AT, at.NETWORK_V6_BYTES) : null,
    },
  };
}

function packHead(head: Head, kind: number, sizeBytes: number): Uint8Array {
  const bytes = new Uint8Array(sizeBytes);
  bytes[at.VERSION_AT] = at.ENVELOPE_VERSION;
  bytes[at.KID_AT] = head.kid;
  bytes[at.KIND_AT] = kind;
  bytes[at.TIER_AT] = head.tier;
  bytes[at.BITS_AT] = head.difficultyBits;
  writeU32(bytes, at.ROUTE_AT, head.route);
  writeU32(bytes, at.ISSUED_AT, head.issuedAtSecs);
  writeU32(bytes, at.EXPIRES_AT, head.expiresAtSecs);
  writeU32(bytes, at.LIFETIME_AT, head.lifetimeSecs);
  return bytes;
}

function unpackHead(bytes: Uint8Array): Head {
  return {
    kid: bytes[at.KID_AT],
    tier: bytes[at.TIER_AT],
    difficultyBits: bytes[at.BITS_AT],
    route: readU32(bytes, at.ROUTE_AT),
    issuedAtSecs: readU32(bytes, at.ISSUED_AT),
    expiresAtSecs: readU32(bytes, at.EXPIRES_AT),
    lifetimeSecs: readU32(bytes, at.LIFETIME_AT),
  };
}

function writeU32(bytes: Uint8Array, offset: number, value: number): void {
  bytes[offset] = value >>> 24;
  bytes[offset + 1] = value >>> 16;
  bytes[offset + 2] = value >>> 8;
  bytes[offset + 3] = value;
}

/** The u32, big-endian, at `offset`. */
export function readU32(bytes: Uint8Array, offset: number): number {
  return (
    ((bytes[offset] << 24) | (bytes[offset + 1] << 16) | (bytes[offset + 2] << 8) | bytes[offset + 3]) >>> 0
  );
}
