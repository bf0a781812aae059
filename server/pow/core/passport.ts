import * as at from '../../../assembly/layout.ts';
import { encodeBase64url, readBase64url } from '../../base/base64url.ts';
import type { Fault } from '../../base/fault.ts';
import { isSameNetwork, type Network } from '../../base/network.ts';
import { type Challenge, type Passport, packPassport, unpackPassport } from '../../wire/envelope.ts';
import { fault } from '../../wire/problem.ts';
import type { Keyring } from './keyring.ts';
import type { Route } from './policy.ts';
import { tierByte } from './tiers.ts';

/**
 * The passport of a solved challenge, sealed, as base64url text of 95 characters.
 * The same arguments give the same text, which is what a repeated submission is answered with.
 */
export function mintPassport(
  challenge: Challenge,
  network: Network,
  mintedAtSecs: number,
  kid: number,
  keyring: Keyring,
): string {
  const packed = packPassport({
    kid,
    tier: challenge.tier,
    difficultyBits: challenge.difficultyBits,
    route: 0,
    issuedAtSecs: mintedAtSecs,
    expiresAtSecs: mintedAtSecs + challenge.lifetimeSecs,
    lifetimeSecs: challenge.lifetimeSecs,
    challengeId: challenge.nonce.slice(0, at.CHALLENGE_ID_BYTES),
    network,
  });
  return encodeBase64url(keyring.seal(packed));
}

// One for all calls, as in `challenge.ts`; nothing of it is handed on.
const envelope = new Uint8Array(at.PASSPORT_BYTES);

/** The passport in `text`, or null where it is no passport that this ring sealed. */
export function openPassport(text: string, keyring: Keyring): Passport | null {
  const isOurs = readBase64url(text, envelope) && keyring.isSealed(envelope, at.KIND_PASSPORT);
  return isOurs ? unpackPassport(envelope) : null;
}

/** What a passport is held against. Without a route its bits and its age do not count, without a network nor does that. */
export type Checkpoint = { route: Route | null; leastBits: number; network: Network | null; nowSecs: number };

/** Why this passport does not admit here, or null where it does. */
export function refusePassport(
  passport: Passport | null,
  { route, leastBits, network, nowSecs }: Checkpoint,
): Fault | null {
  if (!passport)
    return fault('passport-invalid', 'the passport was not sealed here, or its key has been retired');
  if (nowSecs >= passport.expiresAtSecs) {
    return fault('passport-expired', `the passport expired ${nowSecs - passport.expiresAtSecs} s ago`);
  }
  // The route may have been given a shorter lifetime since; a keyed caller's passport lives until its own expiry.
  const ageSecs = nowSecs - passport.issuedAtSecs;
  if (route && passport.tier === tierByte('public') && ageSecs > route.terms.passportTtlSecs) {
    return fault(
      'passport-expired',
      `the passport is ${ageSecs} s old, this route takes ${route.terms.passportTtlSecs} s`,
    );
  }
  if (network && !isSameNetwork(passport.network, network)) {
    return fault(
      'passport-network-mismatch',
      'the passport was made in another network than the one it is shown from',
    );
  }
  if (passport.difficultyBits < leastBits) {
    return fault(
      'passport-too-weak',
      `this route takes ${leastBits} bits, the passport has ${passport.difficultyBits}`,
    );
  }
  return null;
}
