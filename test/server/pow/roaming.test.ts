import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseAddress } from '../../../server/base/address.ts';
import { type Network, networkOf } from '../../../server/base/network.ts';
import type { Spent } from '../../../server/pow/core/spent.ts';
import { createMemorySpent } from '../../../server/store/memory-spent.ts';
import { unpackChallenge, unpackPassport } from '../../../server/wire/envelope.ts';
import type { PolicyFile } from '../../../server/wire/policy.ts';
import { createTestApp } from '../../test-app.ts';
import { createTestGate, solve, type TestGateOptions } from '../../test-gate.ts';

const at = (text: string): Network => networkOf(parseAddress(text) ?? assert.fail(text));
const HOME = at('192.0.2.1');
const AWAY = at('198.51.100.1');
const HOME_V6 = at('2001:db8:1::1');
const AWAY_V6 = at('2001:db8:2::1');

const POLICY: PolicyFile = {
  defaults: { difficulty_bits: 8 },
  routes: [
    { id: 'page', paths: ['/demo/*'] },
    { id: 'call', paths: ['/call'], passport_ttl_secs: 0 },
    { id: 'steep', paths: ['/steep'], difficulty_bits: 12 },
    { id: 'cheap', paths: ['/cheap'], difficulty_bits: 3 },
    { id: 'one', paths: ['/one'], difficulty_bits: 1 },
    { id: 'brief', paths: ['/brief'], passport_ttl_secs: 300 },
  ],
};

/** A gate and a visitor with a passport of `route`, won at HOME. */
async function withPassport(routeId = 'page', options: TestGateOptions = {}) {
  const world = createTestGate({ policy: POLICY, ...options });
  const { gate } = world;
  const { challenge } = gate.issue(gate.routeOf(routeId));
  const { passport } = await gate.redeem(challenge, solve(challenge), HOME);
  const offer = (network: Network, { passports = [passport], route = routeId } = {}) =>
    gate.offer(gate.routeOf(route), { passports, proof: null, network });
  /** Roams and gives the new passport. */
  const roam = async (network: Network, from = passport) => {
    const offered = offer(network, { passports: [from] });
    assert.ok(offered, 'no offer');
    return (await gate.redeem(offered.challenge, solve(offered.challenge), network)).passport;
  };
  const admits = (text: string, network: Network, route = routeId) =>
    gate.admit(gate.routeOf(route), { passports: [text], proof: null, network });
  return { ...world, passport, offer, roam, admits };
}

const fieldsOf = (text: string) => unpackPassport(new Uint8Array(Buffer.from(text, 'base64url')));

describe('a passport that is good but for its network', () => {
  test('gets a challenge of four bits less, for this one purpose', async () => {
    const { offer } = await withPassport();
    const offered = offer(AWAY);
    assert.equal(offered?.difficulty_bits, 4);
    assert.equal(offered?.expected_tries, 16);
    assert.equal(offered?.rebind, true);
    assert.equal(offered?.challenge.length, 115);
  });

  test('is then good here, with its age, bits, tier, end and lineage as they were', async () => {
    const { passport, roam, admits, clock } = await withPassport();
    clock.advanceSecs(600);
    const moved = await roam(AWAY);
    assert.equal((await admits(moved, AWAY)).how, 'passport');
    assert.deepEqual(fieldsOf(moved), { ...fieldsOf(passport), network: AWAY });
    await assert.rejects(admits(moved, HOME), { code: 'passport-network-mismatch' });
    clock.advanceSecs(1_199);
    await admits(moved, AWAY);
    clock.advanceSecs(1);
    await assert.rejects(admits(moved, AWAY), { code: 'passport-expired' });
  });

  test('never ends later, however often it roams', async () => {
    const { passport, roam, clock } = await withPassport();
    let held = passport;
    for (const network of [AWAY, at('203.0.113.1'), AWAY, at('203.0.113.1')]) {
      clock.advanceSecs(100);
      held = await roam(network, held);
    }
    assert.equal(fieldsOf(held).expiresAtSecs, fieldsOf(passport).expiresAtSecs);
    assert.equal(fieldsOf(held).issuedAtSecs, fieldsOf(passport).issuedAtSecs);
  });

  test('tells how long is left, for the cookie', async () => {
    const { gate, offer, clock } = await withPassport();
    clock.advanceSecs(600);
    const { challenge } = offer(AWAY) ?? assert.fail();
    clock.advanceSecs(10);
    assert.equal((await gate.redeem(challenge, solve(challenge), AWAY)).ttl_secs, 1_800 - 610);
  });

  test('is good in IPv4 and IPv6 after one roam between them', async () => {
    const { roam, admits, offer } = await withPassport();
    const both = await roam(HOME_V6);
    assert.deepEqual(fieldsOf(both).network, { v4: HOME.v4, v6: HOME_V6.v6 });
    for (const network of [HOME, HOME_V6, HOME, HOME_V6]) {
      await admits(both, network);
      assert.equal(offer(network, { passports: [both] }), null);
    }
    // Away from home each family is one more roam; the other family's network stays until then.
    const away = await roam(AWAY, both);
    assert.deepEqual(fieldsOf(away).network, { v4: AWAY.v4, v6: HOME_V6.v6 });
    assert.deepEqual(fieldsOf(await roam(AWAY_V6, away)).network, { v4: AWAY.v4, v6: AWAY_V6.v6 });
  });

  test('may be redeemed by the other family of a dual-stack visitor', async () => {
    const { gate, offer } = await withPassport();
    const { challenge } = offer(HOME_V6) ?? assert.fail();
    assert.equal((await gate.redeem(challenge, solve(challenge), HOME)).passport.length, 95);
  });
});

describe('the price of roaming', () => {
  for (const [title, routeId, extraBits, verdict, expected] of [
    ['is four bits under the route', 'page', 0, 'suspect', 4],
    ['counts the load', 'page', 3, 'suspect', 7],
    ['is one bit at least', 'cheap', 0, 'suspect', 1],
    ['counts the load over the least', 'cheap', 4, 'suspect', 3],
  ] as const) {
    test(title, async () => {
      let load = 0;
      const { gate, passport } = await withPassport(routeId, { extraBits: () => load });
      load = extraBits;
      const shown = { passports: [passport], proof: null, network: AWAY, verdict };
      assert.equal(gate.offer(gate.routeOf(routeId), shown)?.difficulty_bits, expected);
    });
  }

  test('counts the verdict: a bot takes along only what a bot has paid', async () => {
    const { gate, passport } = await withPassport('steep');
    const shown = { passports: [passport], proof: null, network: AWAY, verdict: 'bot' as const };
    assert.equal(gate.offer(gate.routeOf('page'), shown)?.difficulty_bits, 8);
    assert.equal(gate.offer(gate.routeOf('steep'), shown), null);
  });

  test('is that of the stronger passport, and nothing is offered that costs no less than a new one', async () => {
    const steep = await withPassport('steep');
    // Worth 12 bits, so it would be 8: what a newcomer pays here.
    assert.equal(steep.offer(AWAY, { route: 'page' }), null);
    assert.equal(steep.offer(AWAY, { route: 'steep' })?.difficulty_bits, 8);
    assert.equal((await withPassport('one')).offer(AWAY), null);
  });

  test('is not given in the last minute of a passport', async () => {
    const { offer, clock } = await withPassport();
    clock.advanceSecs(1_740);
    assert.ok(offer(AWAY));
    clock.advanceSecs(1);
    assert.equal(offer(AWAY), null);
  });

  test('is not given where the route would find the passport too old by then', async () => {
    const { offer, clock } = await withPassport();
    clock.advanceSecs(241);
    assert.equal(offer(AWAY, { route: 'brief' }), null);
    assert.ok(offer(AWAY));
  });

  test('is not given for a passport that is expired, too weak, foreign, changed, or good as it is', async () => {
    const { gate, passport, offer, clock, useKids } = await withPassport('cheap');
    assert.equal(offer(AWAY, { route: 'page' }), null);
    assert.equal(offer(AWAY, { route: 'call' }), null);
    assert.equal(offer(HOME), null);
    assert.equal(offer({ v4: null, v6: null }), null);
    assert.equal(offer(AWAY, { passports: [] }), null);
    assert.equal(offer(AWAY, { passports: ['junk', gate.issue(null).challenge] }), null);
    const bytes = Buffer.from(passport, 'base64url');
    for (const place of [3, 4, 5, 13, 17, 21, 29, 30, 38, 70]) {
      const changed = Buffer.from(bytes);
      changed[place] ^= 1;
      assert.equal(offer(AWAY, { passports: [changed.toString('base64url')] }), null);
    }
    // Behind others it is found, too.
    assert.ok(offer(AWAY, { passports: ['junk', passport] }));
    useKids(2);
    assert.equal(offer(AWAY), null);
    useKids(2, 1);
    assert.ok(offer(AWAY));
    clock.advanceSecs(1_800);
    assert.equal(offer(AWAY), null);
  });
});

describe('the cheaper challenge', () => {
  test('is good from the network that asked alone', async () => {
    const { gate, offer } = await withPassport();
    const { challenge } = offer(AWAY) ?? assert.fail();
    const answer = solve(challenge);
    for (const network of [at('203.0.113.1'), HOME, AWAY_V6, { v4: null, v6: null }]) {
      await assert.rejects(gate.redeem(challenge, answer, network), { code: 'passport-network-mismatch' });
    }
    // Nothing was spent by those.
    assert.equal((await gate.redeem(challenge, answer, AWAY)).passport.length, 95);
  });

  test('admits no request and proves nothing to a site', async () => {
    const { gate, offer } = await withPassport('steep');
    const { challenge } = offer(AWAY) ?? assert.fail();
    const proof = `${challenge}:${solve(challenge)}`;
    for (const route of ['cheap', 'page', 'steep', 'call']) {
      const shown = { passports: [], proof, network: AWAY };
      await assert.rejects(gate.admit(gate.routeOf(route), shown), { code: 'route-mismatch' });
    }
    for (const route of [null, gate.routeOf('cheap')]) {
      const asked = { route, network: AWAY, claim: null };
      await assert.rejects(gate.verify(proof, asked), { code: 'route-mismatch' });
    }
    assert.equal((await gate.redeem(challenge, solve(challenge), AWAY)).passport.length, 95);
  });

  test('needs its work, is spent once, and expires', async () => {
    const { gate, offer, clock } = await withPassport();
    const first = offer(AWAY)?.challenge ?? assert.fail();
    const wrong = solve(first, { isRight: false });
    await assert.rejects(gate.redeem(first, wrong, AWAY), { code: 'insufficient-work' });
    const minted = await gate.redeem(first, solve(first), AWAY);
    assert.deepEqual(await gate.redeem(first, solve(first), AWAY), minted);
    await assert.rejects(gate.redeem(first, solve(first, { skip: 1 }), AWAY), {
      code: 'challenge-already-used',
    });
    clock.advanceSecs(11);
    await assert.rejects(gate.redeem(first, solve(first), AWAY), { code: 'challenge-already-used' });
    const second = offer(AWAY)?.challenge ?? assert.fail();
    clock.advanceSecs(60);
    await assert.rejects(gate.redeem(second, solve(second), AWAY), { code: 'challenge-expired' });
  });

  test('cannot be made of another, nor be changed: every bit is under the seal', async () => {
    const { gate, offer } = await withPassport();
    const bytes = Buffer.from(offer(AWAY)?.challenge ?? '', 'base64url');
    for (let bit = 0; bit < 54 * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] ^= 1 << (bit & 7);
      const text = changed.toString('base64url');
      await assert.rejects(gate.redeem(text, '0', AWAY), { code: 'seal-invalid' });
    }
    const plain = Buffer.from(gate.issue(null).challenge, 'base64url');
    plain[5] |= 8;
    await assert.rejects(gate.redeem(plain.toString('base64url'), '0', AWAY), { code: 'seal-invalid' });
  });

  test('is never twice the same: nine bytes of its nonce are random', async () => {
    const { offer } = await withPassport();
    const nonceOf = () => unpackChallenge(Buffer.from(offer(AWAY)?.challenge ?? '', 'base64url')).nonce;
    const nonces = Array.from({ length: 100 }, () => Buffer.from(nonceOf()).toString('hex'));
    assert.equal(new Set(nonces).size, 100);
    assert.equal(new Set(nonces.map((nonce) => nonce.slice(0, 46))).size, 1);
    assert.equal(new Set(nonces.map((nonce) => nonce.slice(46))).size, 100);
  });
});

describe('one passport shared out over many networks', () => {
  const networks = Array.from({ length: 40 }, (_, i) => at(`10.0.${i}.1`));

  test('is worth four of them at the discount, however it is tried', async () => {
    const { passport, gate, offer } = await withPassport();
    const challenges = networks.map((network) => offer(network)?.challenge ?? assert.fail());
    const results = await Promise.allSettled(
      challenges.map((challenge, i) => gate.redeem(challenge, solve(challenge), networks[i])),
    );
    const minted = results.filter((result) => result.status === 'fulfilled');
    assert.equal(minted.length, 4);
    for (const result of results) {
      if (result.status === 'rejected') assert.equal(result.reason.code, 'challenge-already-used');
    }
    // Those that were re-bound are of the same lineage: nor do they open a fifth.
    for (const held of [passport, ...minted.map(({ value }) => value.passport)]) {
      const { challenge } = offer(at('10.9.9.9'), { passports: [held] }) ?? assert.fail();
      await assert.rejects(gate.redeem(challenge, solve(challenge), at('10.9.9.9')), {
        code: 'challenge-already-used',
      });
    }
  });

  test('goes to and fro between the four as it likes', async () => {
    const { passport, roam, clock } = await withPassport();
    let held = passport;
    for (let i = 0; i < 20; i++) {
      clock.advanceSecs(20);
      held = await roam(networks[i % 4], held);
    }
    await assert.rejects(roam(networks[4], held), { code: 'challenge-already-used' });
  });

  test('is bounded apart from any other passport', async () => {
    const { gate, roam } = await withPassport();
    for (const network of networks.slice(0, 4)) await roam(network);
    const { challenge } = gate.issue(gate.routeOf('page'));
    const { passport: other } = await gate.redeem(challenge, solve(challenge), HOME);
    assert.ok(await roam(networks[5], other));
  });

  test('stays bounded after the clock was set back, and until the passport ends', async () => {
    const spent = createMemorySpent();
    const { roam, clock } = await withPassport('page', { spent });
    for (const network of networks.slice(0, 4)) await roam(network);
    clock.advanceSecs(1_700);
    await spent.purge(Math.floor(clock.nowMs() / 1_000));
    await assert.rejects(roam(networks[5]), { code: 'challenge-already-used' });
  });
});

test('while the store is down nothing is re-bound, and the same submission is answered once it is back', async () => {
  const memory = createMemorySpent();
  let calls = 0;
  let failsAt = -1;
  const spent: Spent = {
    ...memory,
    async spend(...call) {
      if (calls++ === failsAt) throw Object.assign(new Error('down'), { code: 'store-unavailable' });
      return memory.spend(...call);
    },
  };
  const { gate, offer } = await withPassport('page', { spent });
  const { challenge } = offer(AWAY) ?? assert.fail();
  // The proof is spent, and the store fails before the network is.
  failsAt = calls + 1;
  await assert.rejects(gate.redeem(challenge, solve(challenge), AWAY), { code: 'store-unavailable' });
  assert.equal((await gate.redeem(challenge, solve(challenge), AWAY)).passport.length, 95);
});

describe('over HTTP', () => {
  const behind = { trustedProxies: ['127.0.0.1'], policy: POLICY };
  const from = (address: string) => ({ 'x-forwarded-for': address });

  async function withCookie(home = '192.0.2.1') {
    const world = createTestApp(behind);
    const { challenge } = (await world.request('/pow/challenge?route=page')).json();
    const minted = await world.post('/pow/passport', { challenge, answer: solve(challenge) }, from(home));
    return { ...world, cookie: String(minted.headers['set-cookie']).split(';')[0] };
  }

  test('a refusal carries the cheaper challenge, whose passport opens the page from both networks', async () => {
    const { request, post, cookie } = await withCookie();
    const away = from('2001:db8::1');
    const refused = await request({ url: '/demo/', headers: { cookie, ...away } });
    assert.equal(refused.statusCode, 401);
    assert.equal(refused.json().code, 'passport-network-mismatch');
    assert.match(String(refused.headers['www-authenticate']), /difficulty=4, mode="passport"/);
    const { challenge, difficulty_bits: bits, rebind } = refused.json().challenge;
    assert.deepEqual({ bits, rebind }, { bits: 4, rebind: true });
    // No cookie is needed to redeem: a program may keep its passports elsewhere.
    const moved = await post('/pow/passport', { challenge, answer: solve(challenge) }, away);
    assert.equal(moved.statusCode, 200, moved.body);
    assert.match(
      String(moved.headers['set-cookie']),
      /; Max-Age=1800; Secure; HttpOnly; SameSite=Lax; Path=\/$/,
    );
    const both = String(moved.headers['set-cookie']).split(';')[0];
    for (const address of ['192.0.2.9', '2001:db8::2', '192.0.2.1']) {
      const answer = await request({ url: '/demo/', headers: { cookie: both, ...from(address) } });
      assert.equal(answer.statusCode, 200);
    }
  });

  test('the verifying page is given it, too', async () => {
    const { request, cookie } = await withCookie();
    const headers = { cookie, accept: 'text/html', 'sec-fetch-dest': 'document', ...from('203.0.113.9') };
    const { body, statusCode } = await request({ url: '/demo/', headers });
    assert.equal(statusCode, 401);
    const data = /data-gate="([^"]*)"/.exec(body)?.[1].replaceAll('&quot;', '"') as string;
    const { difficulty_bits: bits, challenge } = JSON.parse(data);
    assert.deepEqual([bits, challenge.difficulty_bits, challenge.rebind], [4, 4, true]);
  });

  test('forward-auth gives it for a told path and where no path is told', async () => {
    const { request, post, cookie } = await withCookie();
    const headers = { cookie, ...from('203.0.113.9') };
    for (const told of [{ 'x-original-uri': '/demo/', 'x-original-method': 'GET' }, {}]) {
      const refused = await request({ url: '/pow/auth', headers: { ...headers, ...told } });
      assert.equal(refused.statusCode, 401);
      assert.equal(refused.json().challenge.rebind, true);
      const { challenge } = refused.json().challenge;
      const moved = await post('/pow/passport', { challenge, answer: solve(challenge) }, headers);
      const now = { ...headers, ...told, cookie: String(moved.headers['set-cookie']).split(';')[0] };
      assert.equal((await request({ url: '/pow/auth', headers: now })).statusCode, 204);
    }
  });

  test('a challenge that is fetched has the full price, whatever cookie comes along', async () => {
    const { request, cookie } = await withCookie();
    const headers = { cookie, ...from('203.0.113.9') };
    const fetched = (await request({ url: '/pow/challenge?route=page', headers })).json();
    assert.deepEqual([fetched.difficulty_bits, fetched.rebind], [8, undefined]);
  });
});
