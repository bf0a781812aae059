import { type Network, networkText } from '../../base/network.ts';
import { type Clock, nowSecs } from '../../base/ports.ts';
import type { PassportBody } from '../../wire/pow.ts';
import { fault } from '../../wire/problem.ts';
import type { TokenMark } from './captcha-token.ts';
import type { Keyring } from './keyring.ts';
import { mintPassport } from './passport.ts';
import type { Policy, Route } from './policy.ts';
import { isHonestRepeat, type Spent, type SpentRecord } from './spent.ts';
import { tierByte } from './tiers.ts';

export type MintByCaptchaDeps = { policy(): Policy; keyring(): Keyring; spent: Spent; clock: Clock };

/**
 * The passport for a CAPTCHA that its provider has confirmed: it stands for the work of the route, or for the default
 * work. One token mints one passport, however often and wherever it is confirmed at the same moment.
 * @param route one that takes passports, or null
 * @throws Fault `captcha-stale`, `store-unavailable`
 */
export function createMintByCaptcha({ policy, keyring, spent, clock }: MintByCaptchaDeps) {
  return async function mintByCaptcha(
    route: Route | null,
    mark: TokenMark,
    network: Network,
  ): Promise<PassportBody> {
    const { difficultyBits, passportTtlSecs } = route?.terms ?? policy().defaults;
    const record: SpentRecord = {
      use: 'passport',
      // A repeat for another route, or under other terms, would be another passport.
      answer: `captcha ${route?.tag ?? 0} ${difficultyBits} ${passportTtlSecs}`,
      network: networkText(network),
      atSecs: nowSecs(clock),
      kid: keyring().signingKid,
    };
    let first: SpentRecord | null = null;
    for (const { nonce, expiresAtSecs } of mark.spends) {
      first = await spent.spend({ nonce, issuedAtSecs: record.atSecs, expiresAtSecs }, record);
      if (!first) continue;
      if (isHonestRepeat(first, record)) break;
      throw fault('captcha-stale', 'this answer was already used; solve another CAPTCHA');
    }
    const { atSecs, kid } = first ?? record;
    const ring = keyring();
    const minted = {
      kid,
      tier: tierByte('public'),
      difficultyBits,
      isPerRequest: false,
      route: 0,
      issuedAtSecs: atSecs,
      expiresAtSecs: atSecs,
      lifetimeSecs: passportTtlSecs,
      nonce: mark.digest,
    };
    return {
      passport: mintPassport(minted, network, atSecs, ring.holds(kid) ? kid : ring.signingKid, ring),
      ttl_secs: Math.max(0, atSecs + passportTtlSecs - nowSecs(clock)),
    };
  };
}
