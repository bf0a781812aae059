import type { Fault } from '../base/fault.ts';
import type { Network } from '../base/network.ts';
import { networkText } from '../base/network.ts';
import { type Clock, type Digest, nowSecs, type Random } from '../base/ports.ts';
import type { Head } from '../wire/envelope.ts';
import type { ChallengeBody, PassportBody } from '../wire/pow.ts';
import { fault } from '../wire/problem.ts';
import type { TokenMark } from './core/captcha-token.ts';
import { checkProof, issueChallenge, type Proof, type Use } from './core/challenge.ts';
import type { Keyring } from './core/keyring.ts';
import { mintPassport, openPassport, refusePassport } from './core/passport.ts';
import type { Policy, Route } from './core/policy.ts';
import { isPerRequest } from './core/policy.ts';
import { isHonestRepeat, type Spent, type SpentRecord } from './core/spent.ts';
import { type Terms, type TierName, termsOf, tierByte } from './core/tiers.ts';
import { bitsUnder, type Verdict } from './core/verdict.ts';

// A mid-range phone of some years ago; slower than this is rare. Our choice, told in the docs.
const SLOW_DEVICE_TRIES_PER_SEC = 1_000_000;

export type GateDeps = {
  /** Read at every call, so that a reload takes effect without a restart. */
  policy(): Policy;
  keyring(): Keyring;
  spent: Spent;
  clock: Clock;
  random: Random;
  digest: Digest;
};

/** How a request was let in. A proof has no expiry to show: it is spent. */
export type Admission =
  | { how: 'passport'; difficultyBits: number; tier: number; issuedAtSecs: number; expiresAtSecs: number }
  | { how: 'request'; difficultyBits: number; tier: number };

/** What a request shows at the gate. */
export type Shown = {
  /** Passport texts from cookies, in the order they came. */
  passports: readonly string[];
  /** `challenge:answer`, or null. */
  proof: string | null;
  network: Network;
  /** Left out where nobody judged the visit. */
  verdict?: Verdict;
};

export type Gate = ReturnType<typeof createGate>;

/** The gate: issues challenges, mints passports, admits requests. It keeps nothing but what is spent. */
export function createGate({ policy, keyring, spent, clock, random, digest }: GateDeps) {
  /** A fresh challenge for a route, or by the defaults for any. `asked` counts as far as the tier lets it. */
  function issue(
    route: Route | null,
    tier: TierName = 'public',
    asked: Partial<Terms> = {},
    verdict: Verdict = 'suspect',
  ): ChallengeBody {
    const policyTerms = route?.terms ?? policy().defaults;
    const difficultyBits = bitsUnder(verdict, policyTerms.difficultyBits);
    const terms = termsOf(tier, { ...policyTerms, difficultyBits }, asked);
    const expectedTries = 2 ** terms.difficultyBits;
    return {
      challenge: issueChallenge({ tier, terms, route }, nowSecs(clock), random, keyring()),
      difficulty_bits: terms.difficultyBits,
      expires_in_secs: terms.challengeTtlSecs,
      tier,
      expected_tries: expectedTries,
      ...(isLikelyMissed(expectedTries, terms.challengeTtlSecs) && {
        warning: `a device of ${SLOW_DEVICE_TRIES_PER_SEC} tries a second would likely not finish in ${terms.challengeTtlSecs} s`,
      }),
    };
  }

  /** The route of a policy id. @throws Fault `unknown-route` */
  function routeOf(id: string): Route {
    const route = policy().routes.find((candidate) => candidate.id === id);
    if (!route)
      throw fault('unknown-route', `route: expected the id of a gated route, got ${JSON.stringify(id)}`);
    return route;
  }

  /**
   * The passport for a solved challenge. The same submission again, soon and from the same network, gets the same text.
   * @throws Fault of `checkProof`, `challenge-already-used`, `store-unavailable`
   */
  async function redeem(challenge: string, answer: string, network: Network): Promise<PassportBody> {
    const proof = checkProof({ challenge, answer }, { for: 'passport' }, nowSecs(clock), keyring(), digest);
    const first = await spend(proof, 'passport', network);
    const { lifetimeSecs } = proof.challenge;
    const ring = keyring();
    // A key may have been retired between the first submission and its repeat.
    const kid = ring.holds(first.kid) ? first.kid : ring.signingKid;
    return {
      passport: mintPassport(proof.challenge, network, first.atSecs, kid, ring),
      ttl_secs: Math.max(0, first.atSecs + lifetimeSecs - nowSecs(clock)),
    };
  }

  /**
   * The passport for a CAPTCHA that its provider has confirmed: it stands for the work of the route, or for the default
   * work. One token mints one passport, however often and wherever it is confirmed at the same moment.
   * @param route one that takes passports, or null
   * @throws Fault `captcha-stale`, `store-unavailable`
   */
  async function mintByCaptcha(
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
      first = await spent.spend(nonce, expiresAtSecs, record);
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
  }

  /**
   * Lets a request in, or says why not. A passport is tried before a proof, so that none is spent in vain. At a route in
   * dry-run nothing is spent, so a proof that is shown twice holds twice.
   * @throws Fault 401 `proof-required`, `passport-*`; or of `checkProof`, `challenge-already-used`, `store-unavailable`
   */
  async function admit(route: Route, shown: Shown): Promise<Admission> {
    const leastBits = bitsUnder(shown.verdict ?? 'suspect', route.terms.difficultyBits);
    const checkpoint = { route, leastBits, network: shown.network, nowSecs: nowSecs(clock) };
    let refusal: Fault | null = null;
    for (const text of isPerRequest(route) ? [] : shown.passports) {
      const passport = openPassport(text, keyring());
      const reason = refusePassport(passport, checkpoint);
      if (passport && !reason) return { how: 'passport', ...passport };
      // Of several cookies the one that was ours tells the visitor more than a foreign one.
      if (reason && (passport || !refusal)) refusal = reason;
    }
    if (shown.proof === null) {
      throw (
        refusal ??
        fault('proof-required', `route ${JSON.stringify(route.id)} takes a proof of ${leastBits} bits`)
      );
    }

    const proof = readProof(shown.proof, { for: 'request', route, leastBits });
    if (!route.isDryRun) await spend(proof, 'request', shown.network);
    const { challenge } = proof;
    return { how: 'request', difficultyBits: challenge.difficultyBits, tier: challenge.tier };
  }

  /**
   * What a site's own server is told of a passport or a `challenge:answer` that its visitor sent. A proof is spent.
   * @throws Fault of `refusePassport`, `checkProof`, `challenge-already-used`, `store-unavailable`
   */
  async function verify(
    response: string,
    { route, network, claim }: { route: Route | null; network: Network | null; claim: string | null },
  ): Promise<Head> {
    const leastBits = route?.terms.difficultyBits ?? 0;
    if (!response.includes(':')) {
      if (route && isPerRequest(route)) throw fault('proof-required', 'this route takes no passport');
      const passport = openPassport(response, keyring());
      const reason = refusePassport(passport, { route, leastBits, network, nowSecs: nowSecs(clock) });
      if (reason || !passport) throw reason ?? fault('passport-invalid', 'no passport');
      return passport;
    }
    const use: Use = route ? { for: 'request', route, leastBits } : { for: 'anything' };
    const proof = readProof(response, use);
    await spend(proof, 'request', network ?? { v4: null, v6: null }, claim);
    return proof.challenge;
  }

  function readProof(text: string, use: Use): Proof {
    const colon = text.indexOf(':');
    if (colon < 0) throw fault('malformed-request', 'PoW credentials: expected <challenge>:<answer>');
    const parts = { challenge: text.slice(0, colon), answer: text.slice(colon + 1) };
    return checkProof(parts, use, nowSecs(clock), keyring(), digest);
  }

  /** Spends the proof, or gives the record of an honest repeat of the same submission. */
  async function spend(
    proof: Proof,
    use: SpentRecord['use'],
    network: Network,
    claim: string | null = null,
  ): Promise<SpentRecord> {
    const { challenge, answer } = proof;
    const record = {
      use,
      answer,
      network: networkText(network),
      atSecs: nowSecs(clock),
      kid: keyring().signingKid,
      ...(claim !== null && { claim }),
    };
    const first = await spent.spend(challenge.nonce, challenge.expiresAtSecs, record);
    const isClaimed = claim !== null && first?.claim === claim;
    if (first && !isClaimed && !isHonestRepeat(first, record)) {
      throw fault(
        'challenge-already-used',
        'each challenge mints one passport or admits one request; fetch another',
      );
    }
    return first ?? record;
  }

  return { issue, routeOf, redeem, mintByCaptcha, admit, verify };
}

// At twice the expected tries 86% have found an answer.
const isLikelyMissed = (expectedTries: number, ttlSecs: number) =>
  (2 * expectedTries) / SLOW_DEVICE_TRIES_PER_SEC > ttlSecs;
