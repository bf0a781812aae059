import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Network } from '../../../server/base/network.ts';
import type { Spent } from '../../../server/pow/core/spent.ts';
import { unpackChallenge, unpackPassport } from '../../../server/wire/envelope.ts';
import { createTestGate, START_SECS, solve, TEST_POLICY } from '../../test-gate.ts';

const HOME: Network = { v4: Uint8Array.of(192, 0, 2), v6: null };
const AWAY: Network = { v4: Uint8Array.of(198, 51, 100), v6: null };

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

function flipBit(text: string, bit: number): string {
  const bytes = bytesOf(text);
  bytes[bit >> 3] ^= 1 << (bit & 7);
  return textOf(bytes);
}

/** A test gate with a solved challenge for `routeId` (null for any). */
function withSolved(routeId: string | null = 'page') {
  const world = createTestGate();
  const { challenge } = world.gate.issue(routeId === null ? null : world.gate.routeOf(routeId));
  return { ...world, challenge, answer: solve(challenge) };
}

async function withPassport() {
  const world = withSolved();
  const { passport } = await world.gate.redeem(world.challenge, world.answer, HOME);
  const show = (text: string, network = HOME, routeId = 'page') =>
    world.gate.admit(world.gate.routeOf(routeId), { passports: [text], proof: null, network });
  return { ...world, passport, show };
}

describe('a challenge', () => {
  test('seals what the policy of its route says', () => {
    const { gate } = createTestGate();
    const fields = unpackChallenge(bytesOf(gate.issue(gate.routeOf('steep')).challenge));
    assert.equal(fields.difficultyBits, 8);
    assert.equal(fields.issuedAtSecs, START_SECS);
    assert.equal(fields.expiresAtSecs, START_SECS + 60);
    assert.equal(fields.lifetimeSecs, 1_800);
    assert.equal(fields.isPerRequest, false);
    assert.equal(unpackChallenge(bytesOf(gate.issue(gate.routeOf('call')).challenge)).isPerRequest, true);
    assert.equal(unpackChallenge(bytesOf(gate.issue(null).challenge)).route, 0);
  });

  test('warns where a slow device would likely miss the time limit', () => {
    const { gate, usePolicy } = createTestGate();
    assert.equal(gate.issue(null).warning, undefined);
    usePolicy({ defaults: { difficulty_bits: 26 }, routes: [] });
    assert.match(gate.issue(null).warning ?? '', /1000000 tries a second/);
    assert.equal(gate.issue(null).expected_tries, 2 ** 26);
  });

  test('of an unknown route is refused', () => {
    assert.throws(() => createTestGate().gate.routeOf('nowhere'), { code: 'unknown-route' });
  });
});

describe('a passport', () => {
  test('is what a solved challenge gives', async () => {
    const { passport, challenge } = await withPassport();
    assert.equal(passport.length, 95);
    assert.deepEqual(unpackPassport(bytesOf(passport)), {
      kid: 1,
      tier: 0,
      difficultyBits: 4,
      route: 0,
      issuedAtSecs: START_SECS,
      expiresAtSecs: START_SECS + 1_800,
      lifetimeSecs: 1_800,
      challengeId: new Uint8Array(bytesOf(challenge).subarray(22, 30)),
      network: HOME,
    });
  });

  test('admits until the second of its expiry', async () => {
    const { passport, show, clock } = await withPassport();
    clock.advanceSecs(1_799);
    assert.equal((await show(passport)).how, 'passport');
    clock.advanceSecs(1);
    await assert.rejects(show(passport), { code: 'passport-expired' });
  });

  test('is refused in another network', async () => {
    const { passport, show } = await withPassport();
    await assert.rejects(show(passport, AWAY), { code: 'passport-network-mismatch' });
  });

  test('is refused where the route takes more bits', async () => {
    const { passport, show } = await withPassport();
    await assert.rejects(show(passport, HOME, 'steep'), { code: 'passport-too-weak' });
  });

  test('is not even looked at by a route in per-request mode', async () => {
    const { passport, show } = await withPassport();
    await assert.rejects(show(passport, HOME, 'call'), { code: 'proof-required' });
  });

  test('with any one bit flipped is refused', async () => {
    const { passport, show } = await withPassport();
    for (let bit = 0; bit < 71 * 8; bit++) {
      await assert.rejects(show(flipBit(passport, bit)), { code: 'passport-invalid' }, `bit ${bit}`);
    }
  });

  for (const [fault, forge] of [
    ['nothing', () => ''],
    ['junk', () => 'x'.repeat(95)],
    ['a challenge', (challenge: string) => challenge],
    ['a challenge cut to the length of a passport', (challenge: string) => challenge.slice(0, 95)],
    ['a longer text', (_: string, passport: string) => `${passport}A`],
    ['padding', (_: string, passport: string) => `${passport}=`],
  ] as const) {
    test(`forged from ${fault} is refused`, async () => {
      const { passport, challenge, show } = await withPassport();
      await assert.rejects(show(forge(challenge, passport)), { code: 'passport-invalid' });
    });
  }

  test('is found among others, and a foreign one beside it takes nothing away', async () => {
    const { passport, gate } = await withPassport();
    const shown = { passports: ['junk', flipBit(passport, 300), passport], proof: null, network: HOME };
    assert.equal((await gate.admit(gate.routeOf('page'), shown)).how, 'passport');
  });

  test('that was ours names the reason, not the junk around it', async () => {
    const { passport, gate } = await withPassport();
    const shown = { passports: ['junk', passport, 'junk'], proof: null, network: AWAY };
    await assert.rejects(gate.admit(gate.routeOf('page'), shown), { code: 'passport-network-mismatch' });
  });

  test('ages by the lifetime that the route has now', async () => {
    const { passport, show, clock, usePolicy } = await withPassport();
    usePolicy({ ...TEST_POLICY, defaults: { difficulty_bits: 4, passport_ttl_secs: 60 } });
    clock.advanceSecs(60);
    assert.equal((await show(passport)).how, 'passport');
    clock.advanceSecs(1);
    await assert.rejects(show(passport), { code: 'passport-expired' });
  });

  test('outlives the rotation of its key, and not its retirement', async () => {
    const { passport, show, useKids } = await withPassport();
    useKids(2, 1);
    assert.equal((await show(passport)).how, 'passport');
    useKids(2);
    await assert.rejects(show(passport), { code: 'passport-invalid' });
  });
});

describe('a proof is checked in the order of the design', () => {
  // Each row is wrong in its own point and in all that are checked later: the first wrong point is the one named.
  const wrongAnswer = '01';
  const elsewhere = 'steep';
  const rows: [
    string,
    string,
    (world: ReturnType<typeof withSolved>) => [challenge: string, answer: string],
  ][] = [
    ['a text too short', 'malformed-challenge', ({ challenge }) => [challenge.slice(1), wrongAnswer]],
    ['a foreign alphabet', 'malformed-challenge', ({ challenge }) => [`+${challenge.slice(1)}`, wrongAnswer]],
    ['spare bits set', 'malformed-challenge', ({ challenge }) => [`${challenge.slice(0, -1)}_`, wrongAnswer]],
    ['another version', 'seal-invalid', ({ challenge }) => [flipBit(challenge, 1), wrongAnswer]],
    ['an unknown kid', 'seal-invalid', ({ challenge }) => [flipBit(challenge, 8), wrongAnswer]],
    ['another kind', 'seal-invalid', ({ challenge }) => [flipBit(challenge, 17), wrongAnswer]],
    ['a broken tag', 'seal-invalid', ({ challenge }) => [flipBit(challenge, 600), wrongAnswer]],
    [
      'expired',
      'challenge-expired',
      ({ challenge, clock }) => {
        clock.advanceSecs(60);
        return [challenge, wrongAnswer];
      },
    ],
    ['made for another route', 'route-mismatch', ({ challenge }) => [challenge, wrongAnswer]],
  ];
  for (const [title, code, make] of rows) {
    test(`${title}: ${code}`, async () => {
      const world = withSolved();
      const [challenge, answer] = make(world);
      const shown = { passports: [], proof: `${challenge}:${answer}`, network: HOME };
      await assert.rejects(world.gate.admit(world.gate.routeOf(elsewhere), shown), { code });
    });
  }

  test('an answer that is not canonical comes before one that does no work', async () => {
    const { gate, challenge } = withSolved();
    await assert.rejects(gate.redeem(challenge, wrongAnswer, HOME), { code: 'malformed-answer' });
    await assert.rejects(gate.redeem(challenge, solve(challenge, { isRight: false }), HOME), {
      code: 'insufficient-work',
    });
  });

  test('each flipped bit of a challenge is refused', async () => {
    const { gate, challenge, answer } = withSolved();
    for (let bit = 0; bit < 86 * 8; bit++) {
      await assert.rejects(
        gate.redeem(flipBit(challenge, bit), answer, HOME),
        { code: 'seal-invalid' },
        `bit ${bit}`,
      );
    }
  });

  test('difficulty is read from under the seal alone', async () => {
    const { gate, challenge } = withSolved('steep');
    const weak = bytesOf(challenge);
    weak[4] = 0;
    await assert.rejects(gate.redeem(textOf(weak), '0', HOME), { code: 'seal-invalid' });
  });
});

describe('a challenge is spent once', () => {
  test('the same submission soon after gets the same passport', async () => {
    const { gate, challenge, answer, clock } = withSolved();
    const first = await gate.redeem(challenge, answer, HOME);
    clock.advanceSecs(10);
    const second = await gate.redeem(challenge, answer, HOME);
    assert.equal(second.passport, first.passport);
    assert.equal(second.ttl_secs, first.ttl_secs - 10);
    clock.advanceSecs(1);
    await assert.rejects(gate.redeem(challenge, answer, HOME), { code: 'challenge-already-used' });
  });

  test('also where the key was rotated in between', async () => {
    const { gate, challenge, answer, useKids } = withSolved();
    const first = await gate.redeem(challenge, answer, HOME);
    useKids(2, 1);
    assert.equal((await gate.redeem(challenge, answer, HOME)).passport, first.passport);
  });

  test('another network or another answer gets nothing', async () => {
    const { gate, challenge, answer } = withSolved();
    await gate.redeem(challenge, answer, HOME);
    await assert.rejects(gate.redeem(challenge, answer, AWAY), { code: 'challenge-already-used' });
    await assert.rejects(gate.redeem(challenge, solve(challenge, { skip: 1 }), HOME), {
      code: 'challenge-already-used',
    });
  });

  test('64 at once from one network get one passport', async () => {
    const { gate, challenge, answer } = withSolved();
    const bodies = await Promise.all(Array.from({ length: 64 }, () => gate.redeem(challenge, answer, HOME)));
    assert.equal(new Set(bodies.map(({ passport }) => passport)).size, 1);
  });

  test('64 at once from 64 networks admit one', async () => {
    const { gate, challenge, answer } = withSolved();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 64 }, (_, i) =>
        gate.redeem(challenge, answer, { v4: Uint8Array.of(10, 0, i), v6: null }),
      ),
    );
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  test('64 requests at once with one proof: one is admitted', async () => {
    const { gate, challenge, answer } = withSolved('call');
    const shown = { passports: [], proof: `${challenge}:${answer}`, network: HOME };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 64 }, () => gate.admit(gate.routeOf('call'), shown)),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    assert.equal(refused.length, 63);
    for (const { reason } of refused) assert.equal(reason.code, 'challenge-already-used');
  });

  test('a passport or a request, never both', async () => {
    const minted = withSolved(null);
    await minted.gate.redeem(minted.challenge, minted.answer, HOME);
    const proof = `${minted.challenge}:${minted.answer}`;
    await assert.rejects(
      minted.gate.admit(minted.gate.routeOf('page'), { passports: [], proof, network: HOME }),
      {
        code: 'challenge-already-used',
      },
    );

    const used = withSolved(null);
    const shown = { passports: [], proof: `${used.challenge}:${used.answer}`, network: HOME };
    assert.equal((await used.gate.admit(used.gate.routeOf('page'), shown)).how, 'request');
    await assert.rejects(used.gate.redeem(used.challenge, used.answer, HOME), {
      code: 'challenge-already-used',
    });
  });

  test('a challenge for one request mints nothing', async () => {
    const { gate, challenge, answer } = withSolved('call');
    await assert.rejects(gate.redeem(challenge, answer, HOME), { code: 'route-mismatch' });
    const shown = { passports: [], proof: `${challenge}:${answer}`, network: HOME };
    assert.equal((await gate.admit(gate.routeOf('call'), shown)).how, 'request');
  });

  test('a failed check spends nothing', async () => {
    const { gate, challenge, answer } = withSolved();
    await assert.rejects(gate.redeem(challenge, solve(challenge, { isRight: false }), HOME));
    await assert.rejects(gate.redeem(challenge, '007', HOME));
    const proof = `${challenge}:${answer}`;
    await assert.rejects(gate.admit(gate.routeOf('steep'), { passports: [], proof, network: HOME }), {
      code: 'route-mismatch',
    });
    assert.equal((await gate.redeem(challenge, answer, HOME)).passport.length, 95);
  });

  test('a passport that admits spares the proof beside it', async () => {
    const { gate, passport } = await withPassport();
    const { challenge } = gate.issue(gate.routeOf('page'));
    const shown = { passports: [passport], proof: `${challenge}:${solve(challenge)}`, network: HOME };
    assert.equal((await gate.admit(gate.routeOf('page'), shown)).how, 'passport');
    assert.equal((await gate.admit(gate.routeOf('page'), { ...shown, passports: [] })).how, 'request');
  });

  test('a challenge of fewer bits than the route takes is refused, whatever route it was made for', async () => {
    const { gate, challenge, answer } = withSolved(null);
    const shown = { passports: [], proof: `${challenge}:${answer}`, network: HOME };
    await assert.rejects(gate.admit(gate.routeOf('steep'), shown), { code: 'insufficient-work' });
  });

  test('a proof without a colon is told so', async () => {
    const { gate } = createTestGate();
    const shown = { passports: [], proof: 'junk', network: HOME };
    await assert.rejects(gate.admit(gate.routeOf('page'), shown), { code: 'malformed-request' });
  });
});

test('while the store is down nothing is minted, and passports go on', async () => {
  const down: Spent = {
    spend: () => Promise.reject(Object.assign(new Error('down'), { code: 'store-unavailable' })),
    purge: async () => 0,
  };
  const { passport } = await withPassport();
  const { gate } = createTestGate({ spent: down });
  const { challenge } = gate.issue(null);
  await assert.rejects(gate.redeem(challenge, solve(challenge), HOME), { code: 'store-unavailable' });
  const shown = { passports: [passport], proof: null, network: HOME };
  assert.equal((await gate.admit(gate.routeOf('page'), shown)).how, 'passport');
});
