import { Fault } from '../base/fault.ts';
import { isSameNetwork, type Network, networkText } from '../base/network.ts';
import { type Clock, type Digest, nowSecs, type Random } from '../base/ports.ts';
import type { Challenge, Head } from '../wire/envelope.ts';
import type { ChallengeBody, PassportBody, Solver } from '../wire/pow.ts';
import { fault } from '../wire/problem.ts';
import { checkProof, issueChallenge, type Proof, splitProof, type Use } from './core/challenge.ts';
import { describeChallenge } from './core/describe-challenge.ts';
import type { TellGate } from './core/events.ts';
import { createHasWorked } from './core/has-worked.ts';
import type { Keyring } from './core/keyring.ts';
import { paidShareOf, raiseBits } from './core/load.ts';
import { createMintByCaptcha } from './core/mint-by-captcha.ts';
import { mintPassport, openPassport, refusePassport } from './core/passport.ts';
import type { Policy, Route } from './core/policy.ts';
import { isPerRequest } from './core/policy.ts';
import { offerRebinding, rebindPassport, sealRebinding, takeToNetwork } from './core/rebinding.ts';
import { isHonestRepeat, type Spent, type SpentRecord } from './core/spent.ts';
import { type Terms, TIERS, type TierName, termsOf } from './core/tiers.ts';
import { bitsUnder, type Verdict } from './core/verdict.ts';

export type GateDeps = {
  /** Read at every call, so that a reload takes effect without a restart. */
  policy(): Policy;
  keyring(): Keyring;
  spent: Spent;
  clock: Clock;
  random: Random;
  digest: Digest;
  /** What load adds to the price of new challenges. Left out: nothing. */
  extraBits?(): number;
  /** Told what happens. */
  tell?: TellGate;
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
  verdict?: Verdict | undefined;
};

export type Gate = ReturnType<typeof createGate>;

/** The gate: issues challenges, mints passports, admits requests. It keeps nothing but what is spent. */
export function createGate({
  policy,
  keyring,
  spent,
  clock,
  random,
  digest,
  extraBits = () => 0,
  tell = () => {},
}: GateDeps) {
  /** What a newcomer pays now. What a passport must have at the gate knows nothing of the load. */
  const priceOf = (terms: Terms, verdict: Verdict): number =>
    raiseBits(bitsUnder(verdict, terms.difficultyBits), extraBits());

  const leastBitsAt = (route: Route, verdict: Verdict = 'suspect'): number =>
    bitsUnder(verdict, route.terms.difficultyBits);

  /** A fresh challenge for a route, or by the defaults for any. `asked` counts as far as the tier lets it. */
  function issue(
    route: Route | null,
    tier: TierName = 'public',
    asked: Partial<Terms> = {},
    verdict: Verdict = 'suspect',
  ): ChallengeBody {
    const policyTerms = route?.terms ?? policy().defaults;
    const difficultyBits = priceOf(policyTerms, verdict);
    const terms = termsOf(tier, { ...policyTerms, difficultyBits }, asked);
    const challenge = issueChallenge({ tier, terms, route }, nowSecs(clock), random, keyring());
    tell({
      kind: 'issued',
      routeId: route?.id ?? null,
      tier,
      difficultyBits: terms.difficultyBits,
      isRebinding: false,
    });
    return describeChallenge(challenge, tier, terms);
  }

  /**
   * A cheaper challenge for who shows a passport that would admit but for its network: all that it does is to bind that
   * passport to this network as well. Null where none of those shown is such a passport.
   */
  function offer(route: Route, { passports, network, verdict = 'suspect' }: Shown): ChallengeBody | null {
    const checkpoint = {
      route,
      leastBits: bitsUnder(verdict, route.terms.difficultyBits),
      priceBits: priceOf(route.terms, verdict),
      network,
      nowSecs: nowSecs(clock),
    };
    const ring = keyring();
    for (const text of passports) {
      const offered = offerRebinding(openPassport(text, ring), checkpoint, { kid: ring.signingKid, random });
      if (!offered) continue;
      const tier = TIERS[offered.tier].name;
      const { difficultyBits } = offered;
      tell({ kind: 'issued', routeId: route.id, tier, difficultyBits, isRebinding: true });
      const terms = { ...route.terms, difficultyBits };
      return { ...describeChallenge(sealRebinding(offered, ring), tier, terms), rebind: true };
    }
    return null;
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
  async function redeem(
    challenge: string,
    answer: string,
    network: Network,
    solver: Solver | null = null,
  ): Promise<PassportBody> {
    return tellingRefusals(null, async () => {
      const proof = checkProof({ challenge, answer }, { for: 'passport' }, nowSecs(clock), keyring(), digest);
      const { lifetimeSecs, rebinding } = proof.challenge;
      if (rebinding && !isSameNetwork(rebinding.network, network)) {
        throw fault(
          'passport-network-mismatch',
          'this challenge binds a passport to the network that asked for it, and comes back from another',
        );
      }
      const first = await spend(proof, 'passport', network, { solver });
      if (rebinding) await takeToNetwork(proof.challenge, rebinding, first, spent, digest);
      const ring = keyring();
      // A key may have been retired between the first submission and its repeat.
      const kid = ring.holds(first.kid) ? first.kid : ring.signingKid;
      return {
        passport: rebinding
          ? rebindPassport(proof.challenge, rebinding, kid, ring)
          : mintPassport(proof.challenge, network, first.atSecs, kid, ring),
        ttl_secs: Math.max(0, (rebinding?.mintedAtSecs ?? first.atSecs) + lifetimeSecs - nowSecs(clock)),
      };
    });
  }

  /** Lets a request in by a passport, or gives why none of those shown does; null where none counts here. Waits for nothing. */
  function admitByPassport(route: Route, { passports, network, verdict }: Shown): Admission | Fault | null {
    if (isPerRequest(route)) return null;
    const leastBits = leastBitsAt(route, verdict);
    const checkpoint = { route, leastBits, network, nowSecs: nowSecs(clock) };
    let refusal: Fault | null = null;
    for (const text of passports) {
      const passport = openPassport(text, keyring());
      const reason = refusePassport(passport, checkpoint);
      if (passport && !reason) {
        const { difficultyBits, tier, issuedAtSecs, expiresAtSecs } = passport;
        return { how: 'passport', difficultyBits, tier, issuedAtSecs, expiresAtSecs };
      }
      // Of several cookies the one that was ours tells the visitor more than a foreign one.
      if (reason && (passport || !refusal)) refusal = reason;
    }
    return refusal;
  }

  /**
   * Lets a request in, or says why not. A passport is tried before a proof, so that none is spent in vain. At a route in
   * dry-run nothing is spent, so a proof that is shown twice holds twice.
   * @throws Fault 401 `proof-required`, `passport-*`; or of `checkProof`, `challenge-already-used`, `store-unavailable`
   */
  async function admit(route: Route, shown: Shown): Promise<Admission> {
    const byPassport = admitByPassport(route, shown);
    return byPassport && 'how' in byPassport ? byPassport : admitByProof(route, shown, byPassport);
  }

  /** As `admit` after `admitByPassport`, whose refusal is given where no proof was shown. */
  async function admitByProof(route: Route, shown: Shown, refusal: Fault | null): Promise<Admission> {
    const leastBits = leastBitsAt(route, shown.verdict);
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
    return tellingRefusals(route, async () => {
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
      await spend(proof, 'request', network ?? { v4: null, v6: null }, { claim });
      return proof.challenge;
    });
  }

  async function tellingRefusals<Value>(route: Route | null, run: () => Promise<Value>): Promise<Value> {
    try {
      return await run();
    } catch (error) {
      if (error instanceof Fault) tell({ kind: 'refused', routeId: route?.id ?? null, code: error.code });
      throw error;
    }
  }

  function readProof(text: string, use: Use): Proof {
    const parts = splitProof(text);
    if (!parts) throw fault('malformed-request', 'PoW credentials: expected <challenge>:<answer>');
    return checkProof(parts, use, nowSecs(clock), keyring(), digest);
  }

  /** Spends the proof, or gives the record of an honest repeat of the same submission. */
  async function spend(
    proof: Proof,
    use: SpentRecord['use'],
    network: Network,
    { claim = null, solver = null }: { claim?: string | null; solver?: Solver | null } = {},
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
    const first = await spent.spend(challenge, record);
    const isClaimed = claim !== null && first?.claim === claim;
    if (first && !isClaimed && !isHonestRepeat(first, record)) {
      throw fault(
        'challenge-already-used',
        'each challenge mints one passport or admits one request; fetch another',
      );
    }
    if (!first) tellSolved(challenge, solver);
    return first ?? record;
  }

  function tellSolved(
    { route: tag, difficultyBits, issuedAtSecs, rebinding }: Challenge,
    solver: Solver | null,
  ): void {
    const { routes, defaults } = policy();
    const terms = routes.find((route) => route.tag === tag)?.terms ?? defaults;
    tell({
      kind: 'solved',
      difficultyBits,
      tookSecs: Math.max(0, nowSecs(clock) - issuedAtSecs),
      isRebinding: rebinding !== undefined,
      paidShare: paidShareOf(difficultyBits, priceOf(terms, 'suspect')),
      solver,
    });
  }

  return {
    issue,
    offer,
    routeOf,
    redeem,
    mintByCaptcha: createMintByCaptcha({ policy, keyring, spent, clock }),
    admit,
    admitByPassport,
    admitByProof,
    hasWorked: createHasWorked({ keyring, clock, digest }),
    verify,
  };
}
