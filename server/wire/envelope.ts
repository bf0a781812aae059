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
  /** 32 random bytes; of a challenge that re-binds the last 9 of them. */
  nonce: Uint8Array;
  /** There where all that it can do is to bind a passport to another network. */
  rebinding?: Rebinding;
};

/** What a passport becomes in another network. It is written over the first 23 bytes of the nonce. */
export type Rebinding = {
  /** Of the passport that was shown, as are the two below. */
  challengeId: Uint8Array;
  mintedAtSecs: number;
  difficultyBits: number;
  /** What the new passport is bound to. */
  network: Network;
  /** Which of both is the one that asked. */
  askedBy: 'v4' | 'v6';
};

export type Passport = Head & {
  /** The first 8 bytes of the nonce that was solved for it. */
  challengeId: Uint8Array;
  network: Network;
};

/** The 54 bytes that a challenge's tag covers. Integers are big-endian. */
export function packChallenge(challenge: Challenge): Uint8Array {
  const bytes = packHead(challenge, at.KIND_CHALLENGE, at.CHALLENGE_TAG_AT);
  const { isPerRequest, nonce, rebinding } = challenge;
  bytes[at.FLAGS_AT] = (isPerRequest ? at.FLAG_PER_REQUEST : 0) | (rebinding ? at.FLAG_REBINDS : 0);
  bytes.set(nonce, at.NONCE_AT);
  if (rebinding) packRebinding(rebinding, bytes.subarray(at.NONCE_AT));
  return bytes;
}

/** The fields of a challenge whose seal was opened: at least 54 bytes. */
export function unpackChallenge(bytes: Uint8Array): Challenge {
  const flags = bytes[at.FLAGS_AT];
  const nonce = bytes.slice(at.NONCE_AT, at.NONCE_AT + at.NONCE_BYTES);
  const isPerRequest = (flags & at.FLAG_PER_REQUEST) !== 0;
  const challenge: Challenge = { ...unpackHead(bytes), isPerRequest, nonce };
  if (flags & at.FLAG_REBINDS) challenge.rebinding = unpackRebinding(nonce);
  return challenge;
}

// All 23 bytes are written, zeros included: nothing of them is left to chance.
function packRebinding(
  { challengeId, mintedAtSecs, difficultyBits, network, askedBy }: Rebinding,
  nonce: Uint8Array,
) {
  nonce.fill(0, 0, at.REBIND_RANDOM_AT);
  nonce.set(challengeId);
  writeU32(nonce, at.REBIND_MINTED_AT, mintedAtSecs);
  nonce[at.REBIND_BITS_AT] = difficultyBits;
  nonce[at.REBIND_FLAGS_AT] = networkFlags(network) | (askedBy === 'v6' ? at.FLAG_ASKED_BY_V6 : 0);
  if (network.v4) nonce.set(network.v4, at.REBIND_V4_AT);
  if (network.v6) nonce.set(network.v6, at.REBIND_V6_AT);
}

function unpackRebinding(nonce: Uint8Array): Rebinding {
  const flags = nonce[at.REBIND_FLAGS_AT];
  return {
    challengeId: nonce.slice(0, at.CHALLENGE_ID_BYTES),
    mintedAtSecs: readU32(nonce, at.REBIND_MINTED_AT),
    difficultyBits: nonce[at.REBIND_BITS_AT],
    network: readNetwork(nonce, flags, at.REBIND_V4_AT, at.REBIND_V6_AT),
    askedBy: flags & at.FLAG_ASKED_BY_V6 ? 'v6' : 'v4',
  };
}

/** The 39 bytes that a passport's tag covers. A network that is not known is zeros, with its flag off. */
export function packPassport(passport: Passport): Uint8Array {
  const bytes = packHead(passport, at.KIND_PASSPORT, at.PASSPORT_TAG_AT);
  const { v4, v6 } = passport.network;
  bytes[at.FLAGS_AT] = networkFlags(passport.network);
  bytes.set(passport.challengeId, at.CHALLENGE_ID_AT);
  if (v4) bytes.set(v4, at.NETWORK_V4_AT);
  if (v6) bytes.set(v6, at.NETWORK_V6_AT);
  return bytes;
}

/** The fields of a passport whose seal was opened: at least 39 bytes. */
export function unpackPassport(bytes: Uint8Array): Passport {
  return {
    ...unpackHead(bytes),
    challengeId: bytes.slice(at.CHALLENGE_ID_AT, at.CHALLENGE_ID_AT + at.CHALLENGE_ID_BYTES),
    network: readNetwork(bytes, bytes[at.FLAGS_AT], at.NETWORK_V4_AT, at.NETWORK_V6_AT),
  };
}

const networkFlags = ({ v4, v6 }: Network) => (v4 ? at.FLAG_V4_SET : 0) | (v6 ? at.FLAG_V6_SET : 0);

const readNetwork = (bytes: Uint8Array, flags: number, v4At: number, v6At: number): Network => ({
  v4: flags & at.FLAG_V4_SET ? bytes.slice(v4At, v4At + at.NETWORK_V4_BYTES) : null,
  v6: flags & at.FLAG_V6_SET ? bytes.slice(v6At, v6At + at.NETWORK_V6_BYTES) : null,
});

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
