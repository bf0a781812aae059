import * as at from '../../../assembly/layout.ts';
import { encodeBase64url } from '../../base/base64url.ts';
import { networkText } from '../../base/network.ts';
import type { Digest, Random } from '../../base/ports.ts';
import {
  type Challenge,
  type Passport,
  packChallenge,
  packPassport,
  type Rebinding,
} from '../../wire/envelope.ts';
import { fault } from '../../wire/problem.ts';
import type { Keyring } from './keyring.ts';
import { type Checkpoint, refusePassport } from './passport.ts';
import { isPerRequest } from './policy.ts';
import type { Spent, SpentRecord } from './spent.ts';
import { tierByte } from './tiers.ts';

/** What roaming costs. All our choice; `docs/decisions.md` says why. */
export const REBINDING = {
  /** Less work than a newcomer pays: a sixteenth. */
  discountBits: 4,
  /** The least that a policy can ask. No bits at all would prove nothing. */
  leastBits: 1,
  /** How many networks may get one passport at the discount. Bounds what sharing one out saves to a quarter. */
  mostNetworks: 4,
} as const;

/**
 * The challenge by which a passport that is good but for its network becomes one of this network, not yet sealed; null
 * where the passport is none of these, would end before the challenge does, or would cost no less than a new one.
 *
 * @param priceBits what a newcomer pays here and now
 */
export function offerRebinding(
  passport: Passport | null,
  checkpoint: Checkpoint & { priceBits: number },
  { kid, random }: { kid: number; random: Random },
): Challenge | null {
  const { route, network: here, priceBits, nowSecs } = checkpoint;
  if (!passport || !route || isPerRequest(route) || !(here?.v4 || here?.v6)) return null;
  if (refusePassport(passport, checkpoint)?.code !== 'passport-network-mismatch') return null;
  if (refusePassport(passport, { ...checkpoint, network: null })) return null;

  const { issuedAtSecs: mintedAtSecs, expiresAtSecs, tier, difficultyBits, challengeId } = passport;
  const isPublic = tier === tierByte('public');
  const endSecs = isPublic
    ? Math.min(expiresAtSecs, mintedAtSecs + route.terms.passportTtlSecs)
    : expiresAtSecs;
  // So little life is not worth the work: a passport of its own lasts longer.
  if (endSecs - nowSecs < route.terms.challengeTtlSecs) return null;
  // What the passport is worth counts as well: a strong one must not be had for the price of a cheap route.
  const bits = Math.max(REBINDING.leastBits, Math.max(priceBits, difficultyBits) - REBINDING.discountBits);
  if (bits >= priceBits) return null;
  return {
    kid,
    tier,
    difficultyBits: bits,
    isPerRequest: false,
    route: route.tag,
    issuedAtSecs: nowSecs,
    expiresAtSecs: nowSecs + route.terms.challengeTtlSecs,
    lifetimeSecs: expiresAtSecs - mintedAtSecs,
    nonce: random.bytes(at.NONCE_BYTES),
    rebinding: {
      challengeId,
      mintedAtSecs,
      difficultyBits,
      network: { ...passport.network, ...(here.v4 ? { v4: here.v4 } : { v6: here.v6 }) },
      askedBy: here.v4 ? 'v4' : 'v6',
    },
  };
}

/** The offer, sealed, as text. */
export const sealRebinding = (offer: Challenge, keyring: Keyring): string =>
  encodeBase64url(keyring.seal(packChallenge(offer)));

/** The passport again, bound to the new network: as old, as strong and of the same end as it was. */
export function rebindPassport(
  { tier, lifetimeSecs }: Challenge,
  { challengeId, mintedAtSecs, difficultyBits, network }: Rebinding,
  kid: number,
  keyring: Keyring,
): string {
  const packed = packPassport({
    kid,
    tier,
    difficultyBits,
    route: 0,
    issuedAtSecs: mintedAtSecs,
    expiresAtSecs: mintedAtSecs + lifetimeSecs,
    lifetimeSecs,
    challengeId,
    network,
  });
  return encodeBase64url(keyring.seal(packed));
}

/**
 * Takes one of the networks that a passport may be taken to at the discount; one that it was taken to before is free.
 * @throws Fault `challenge-already-used` where none is left, `store-unavailable`
 */
export async function takeToNetwork(
  { lifetimeSecs }: Challenge,
  rebinding: Rebinding,
  record: SpentRecord,
  spent: Spent,
  digest: Digest,
): Promise<void> {
  const network = askedNetwork(rebinding);
  const endSecs = rebinding.mintedAtSecs + lifetimeSecs;
  for (let slot = 0; slot < REBINDING.mostNetworks; slot++) {
    const place = {
      nonce: slotNonce(rebinding, slot, digest),
      issuedAtSecs: rebinding.mintedAtSecs,
      expiresAtSecs: endSecs,
    };
    const taken = await spent.spend(place, { ...record, network });
    // A store that lost its memory answers with another use: nobody knows then whose the place is.
    if (!taken || (taken.network === network && taken.use === record.use)) return;
  }
  throw fault(
    'challenge-already-used',
    `this passport was taken to ${REBINDING.mostNetworks} other networks already; fetch a challenge for one of its own`,
  );
}

/** The one network that asked, as `networkText` writes it. */
const askedNetwork = ({ network, askedBy }: Rebinding): string =>
  networkText(askedBy === 'v4' ? { ...network, v6: null } : { ...network, v4: null });

const SLOT_DOMAIN = Uint8Array.from('gatehouse re-binding v1', (character) => character.charCodeAt(0));

/**
 * What is spent for the `slot`-th network of a passport: 32 bytes that no challenge has for its nonce, the same for
 * whatever the passport was re-bound to before. Hashes fixed widths: the domain, 8 bytes, a u32 (big-endian), a byte.
 */
function slotNonce({ challengeId, mintedAtSecs }: Rebinding, slot: number, digest: Digest): Uint8Array {
  const message = new Uint8Array(SLOT_DOMAIN.length + at.CHALLENGE_ID_BYTES + 5);
  message.set(SLOT_DOMAIN);
  message.set(challengeId, SLOT_DOMAIN.length);
  const view = new DataView(message.buffer, SLOT_DOMAIN.length + at.CHALLENGE_ID_BYTES);
  view.setUint32(0, mintedAtSecs);
  view.setUint8(4, slot);
  return digest.sha256(message);
}
