import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Network } from '../../server/base/network.ts';
import { createTestGate, solve } from '../test-gate.ts';

// The gate held against a model of it: a list of what was issued and what became of it, by the rules as they stand in
// docs/gate.md. The model knows nothing of envelopes, seals or stores.

const ROUTES = {
  page: { bits: 4, lifeSecs: 1_800 },
  call: { bits: 4, lifeSecs: 0 },
  steep: { bits: 8, lifeSecs: 1_800 },
} as const;
type RouteId = keyof typeof ROUTES;
const LIFE_SECS = 1_800;
const CHALLENGE_SECS = 60;
const REPEAT_SECS = 10;
const DISCOUNT_BITS = 4;
const MOST_NETWORKS = 4;

const v4 = (last: number): Network => ({ v4: Uint8Array.of(192, 0, last), v6: null });
const v6 = (last: number): Network => ({ v4: null, v6: Uint8Array.of(0x20, 1, 0xd, 0xb8, 0, last) });
// The first three are where visitors live; all of them are where a passport is taken to.
const NETWORKS = [v4(1), v4(2), v6(1), v4(3), v4(4), v6(2), v4(5)];
const isV4 = (network: number) => NETWORKS[network].v4 !== null;

type Step =
  | { do: 'issue'; route: RouteId | null }
  | { do: 'wait'; secs: number }
  | { do: 'redeem'; which: number; network: number; answer: Answer }
  | { do: 'prove'; which: number; network: number; answer: Answer; route: RouteId }
  | { do: 'show'; which: number; network: number; route: RouteId }
  /** Shows a passport where it does not hold, and keeps the cheaper challenge that it may get. */
  | { do: 'roam'; which: number; network: number; route: RouteId };
type Answer = 'first' | 'second' | 'wrong';

const routeId = fc.constantFrom<RouteId>('page', 'call', 'steep');
const LATEST = -1;
const which = fc.nat({ max: 5 });
const anyNetwork = fc.nat({ max: NETWORKS.length - 1 });
const network = fc.oneof({ weight: 3, arbitrary: fc.nat({ max: 2 }) }, anyNetwork);
const answer = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Answer>('first') },
  fc.constantFrom<Answer>('second', 'wrong'),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('issue' as const), route: fc.option(routeId) }),
  fc.record({
    do: fc.constant('wait' as const),
    secs: fc.constantFrom(1, 9, 10, 11, 49, 59, 60, 900, 1_799, 1_800),
  }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('redeem' as const), which, network, answer }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('prove' as const), which, network, answer, route: routeId }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('show' as const), which, network, route: routeId }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('roam' as const), which, network: anyNetwork, route: routeId }),
  },
);

/** Stories: groups of steps; the steps of one group are begun at once. */
const story = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 14 });

/** Stories of one passport that is taken from network to network, and what is tried with it on the way. */
const journey = fc
  .array(
    fc.record({
      route: fc.constantFrom<RouteId>('page', 'steep'),
      shownFrom: fc.nat({ max: 12 }),
      to: anyNetwork,
      redeemFrom: fc.option(anyNetwork, { freq: 8 }),
      answer,
      secs: fc.constantFrom(0, 0, 0, 5, 11, 61, 300),
      besides: fc.array(step, { maxLength: 2 }),
    }),
    { minLength: 4, maxLength: 16 },
  )
  .map((legs): Step[][] => [
    [{ do: 'issue', route: 'page' }],
    [{ do: 'redeem', which: 0, network: 0, answer: 'first' }],
    ...legs.flatMap(({ route, shownFrom, to, redeemFrom, answer, secs, besides }): Step[][] => [
      [{ do: 'roam', which: shownFrom, network: to, route }],
      [{ do: 'redeem', which: LATEST, network: redeemFrom ?? to, answer }, ...besides],
      [{ do: 'show', which: shownFrom, network: to, route }],
      [{ do: 'wait', secs }],
    ]),
  ]);

type Spent = { use: 'passport' | 'request'; answer: string; network: number; atSecs: number };
/** What was paid for once in full: the passport and all that it is taken to. */
type Lineage = { taken: Set<number> };
/** `networks`: one, or one of each family. */
type Bound = { networks: readonly number[]; bits: number; atSecs: number; lineage: Lineage };
type Issued = {
  text: string;
  route: RouteId | null;
  bits: number;
  endsSecs: number;
  spent: Spent | null;
  /** There where it re-binds: what it then gives, and who asked. */
  rebinds: (Bound & { askedFrom: number }) | null;
};
type Minted = Bound & { text: string };

/** Asserts that `numRuns` stories go as the model says. */
export async function assertGateIsItsModel(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.oneof(story, journey), async (groups) => {
      const world = createWorld();
      for (const group of groups) await Promise.all(group.map((one) => world.run(one)));
    }),
    { numRuns },
  );
}

function createWorld() {
  const { gate, clock } = createTestGate();
  let nowSecs = 0;
  const issued: Issued[] = [];
  const minted: Minted[] = [];

  const codeOf = async <T>(run: Promise<T>): Promise<{ code: string; value: T | null }> =>
    run.then(
      (value) => ({ code: 'ok', value }),
      (error) => ({ code: error.code ?? String(error), value: null }),
    );

  const answerTo = (text: string, kind: Answer) =>
    kind === 'wrong' ? solve(text, { isRight: false }) : solve(text, { skip: kind === 'second' ? 1 : 0 });

  /** What the rules say of spending this challenge now; spends it in the model where they say yes. */
  function spendInModel(challenge: Issued, wish: Spent): 'ok' | 'challenge-already-used' {
    const first = challenge.spent;
    challenge.spent ??= wish;
    if (!first) return 'ok';
    const isRepeat =
      first.use === 'passport' &&
      wish.use === 'passport' &&
      first.answer === wish.answer &&
      first.network === wish.network &&
      wish.atSecs - first.atSecs <= REPEAT_SECS;
    return isRepeat ? 'ok' : 'challenge-already-used';
  }

  async function run(one: Step): Promise<void> {
    if (one.do === 'wait') {
      nowSecs += one.secs;
      clock.advanceSecs(one.secs);
      return;
    }
    if (one.do === 'issue') {
      const { bits } = one.route ? ROUTES[one.route] : ROUTES.page;
      const { challenge: text } = gate.issue(one.route ? gate.routeOf(one.route) : null);
      const endsSecs = nowSecs + CHALLENGE_SECS;
      issued.push({ text, route: one.route, bits, endsSecs, spent: null, rebinds: null });
      return;
    }
    if (one.do === 'show') return show(one);
    if (one.do === 'roam') return roam(one);
    const challenge = issued.at(one.which);
    if (!challenge) return;
    const text = answerTo(challenge.text, one.answer);
    if (one.do === 'redeem') await redeem(challenge, text, one);
    else await prove(challenge, text, one);
  }

  async function redeem(
    challenge: Issued,
    text: string,
    { network, answer }: Step & { do: 'redeem' },
  ): Promise<void> {
    let expected: string;
    if (nowSecs >= challenge.endsSecs) expected = 'challenge-expired';
    else if (challenge.route === 'call') expected = 'route-mismatch';
    else if (answer === 'wrong') expected = 'insufficient-work';
    else if (challenge.rebinds && !challenge.rebinds.networks.includes(network))
      expected = 'passport-network-mismatch';
    else expected = spendInModel(challenge, { use: 'passport', answer: text, network, atSecs: nowSecs });
    if (expected === 'ok' && challenge.rebinds && !takeInModel(challenge.rebinds))
      expected = 'challenge-already-used';
    const { bits } = challenge;
    const atSecs = challenge.spent?.atSecs ?? nowSecs;
    const own: Bound = { networks: [network], bits, atSecs, lineage: { taken: new Set() } };
    const { code, value } = await codeOf(gate.redeem(challenge.text, text, NETWORKS[network]));
    assert.equal(code, expected);
    if (!value) return;
    const bound = challenge.rebinds ?? own;
    assert.equal(value.ttl_secs, Math.max(0, bound.atSecs + LIFE_SECS - nowSecs));
    const known = minted.find((passport) => passport.text === value.passport);
    if (known) {
      assert.equal(known.atSecs, bound.atSecs);
      assert.deepEqual(new Set(known.networks), new Set(bound.networks));
    } else minted.push({ ...bound, text: value.passport });
  }

  /** Takes one of the networks of a lineage, and says whether there was one left. */
  function takeInModel({ lineage: { taken }, askedFrom }: { lineage: Lineage; askedFrom: number }): boolean {
    if (taken.size >= MOST_NETWORKS && !taken.has(askedFrom)) return false;
    taken.add(askedFrom);
    return true;
  }

  async function roam({ which, network, route }: Step & { do: 'roam' }): Promise<void> {
    const passport = minted[which % minted.length];
    if (!passport) return;
    const { bits: price, lifeSecs } = ROUTES[route];
    const bits = Math.max(1, Math.max(price, passport.bits) - DISCOUNT_BITS);
    const isOffered =
      lifeSecs > 0 &&
      !passport.networks.includes(network) &&
      passport.bits >= price &&
      passport.atSecs + lifeSecs - nowSecs >= CHALLENGE_SECS &&
      bits < price;
    const shown = { passports: [passport.text], proof: null, network: NETWORKS[network] };
    const offered = gate.offer(gate.routeOf(route), shown);
    assert.equal(offered !== null, isOffered);
    if (!offered) return;
    assert.equal(offered.difficulty_bits, bits);
    const kept = passport.networks.filter((other) => isV4(other) !== isV4(network));
    issued.push({
      text: offered.challenge,
      route,
      bits,
      endsSecs: nowSecs + CHALLENGE_SECS,
      spent: null,
      rebinds: { ...passport, networks: [network, ...kept], askedFrom: network },
    });
  }

  async function prove(
    challenge: Issued,
    text: string,
    { network, answer, route }: Step & { do: 'prove' },
  ): Promise<void> {
    let expected: string;
    if (nowSecs >= challenge.endsSecs) expected = 'challenge-expired';
    else if (challenge.rebinds) expected = 'route-mismatch';
    else if (challenge.route !== null && challenge.route !== route) expected = 'route-mismatch';
    else if (challenge.bits < ROUTES[route].bits) expected = 'insufficient-work';
    else if (answer === 'wrong') expected = 'insufficient-work';
    else expected = spendInModel(challenge, { use: 'request', answer: text, network, atSecs: nowSecs });
    const shown = { passports: [], proof: `${challenge.text}:${text}`, network: NETWORKS[network] };
    const { code } = await codeOf(gate.admit(gate.routeOf(route), shown));
    assert.equal(code, expected);
  }

  async function show({ which, network, route }: Step & { do: 'show' }): Promise<void> {
    const passport = minted[which];
    if (!passport) return;
    const { bits, lifeSecs } = ROUTES[route];
    let expected = 'ok';
    if (lifeSecs === 0) expected = 'proof-required';
    else if (nowSecs >= passport.atSecs + lifeSecs) expected = 'passport-expired';
    else if (!passport.networks.includes(network)) expected = 'passport-network-mismatch';
    else if (passport.bits < bits) expected = 'passport-too-weak';
    const shown = { passports: [passport.text], proof: null, network: NETWORKS[network] };
    const { code } = await codeOf(gate.admit(gate.routeOf(route), shown));
    assert.equal(code, expected);
  }

  return { run };
}
