import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLoadMeter, type LoadMeter } from '../../../server/pow/load-meter.ts';
import { unpackChallenge } from '../../../server/wire/envelope.ts';
import type { PolicyFile } from '../../../server/wire/policy.ts';
import { createTestApp, type TestAppOptions } from '../../test-app.ts';
import { createTestClock, createTestGate, solve, TEST_POLICY } from '../../test-gate.ts';
import { createTestTimer } from '../../test-timer.ts';

const HOME = { v4: Uint8Array.of(127, 0, 0), v6: null };
const LIMITS = { solves_per_sec: 5, in_flight: 5 };
const POLICY: PolicyFile = { ...TEST_POLICY, load: LIMITS };

/** An app whose load is measured, each sample a second after the one before. */
function withLoad(options: TestAppOptions = {}) {
  const timer = createTestTimer();
  // The meter wants the policy and clock of the app, which wants the meter.
  let meter: LoadMeter | null = null;
  const world = createTestApp({
    policy: POLICY,
    ...options,
    extraBits: () => meter?.extraBits() ?? 0,
    tell: (event) => meter?.tell(event),
    enterPaid: () => meter?.enter() ?? (() => {}),
  });
  const own = createLoadMeter({ policy: () => world.state.policy, clock: world.clock, timer });
  meter = own;
  own.watch();
  const pass = (secs: number) => {
    for (let sec = 0; sec < secs; sec++) {
      world.clock.advanceSecs(1);
      timer.fire();
    }
  };
  const bitsOf = (route: string) => world.gate.issue(world.gate.routeOf(route)).difficulty_bits;
  return { ...world, meter: own, pass, bitsOf };
}

/** Wins `count` passports in the second that passes then. */
async function pay({ gate, pass }: ReturnType<typeof withLoad>, count: number, secs: number) {
  for (let sec = 0; sec < secs; sec++) {
    for (let i = 0; i < count; i++) {
      const { challenge } = gate.issue(gate.routeOf('page'));
      await gate.redeem(challenge, solve(challenge), HOME);
    }
    pass(1);
  }
}

describe('verified solves', () => {
  test('raise the price of new challenges, up to four bits, and it falls again', async () => {
    const world = withLoad();
    await pay(world, 40, 20);
    assert.equal(world.meter.extraBits(), 4);
    assert.equal(world.bitsOf('page'), 8);
    assert.equal(world.bitsOf('steep'), 12);
    const held = await world.request('/demo/');
    assert.match(String(held.headers['www-authenticate']), /difficulty=8/);
    assert.equal((await world.request('/pow/challenge')).json().difficulty_bits, 8);
    world.pass(300);
    assert.equal(world.bitsOf('page'), 4);
  });

  test('never raise the price above 24, and leave what asks for more', async () => {
    const routes = [
      ...TEST_POLICY.routes,
      { id: 'high', paths: ['/high'], difficulty_bits: 22 },
      { id: 'top', paths: ['/top'], difficulty_bits: 24 },
      { id: 'above', paths: ['/above'], difficulty_bits: 30 },
    ];
    const world = withLoad({ policy: { ...POLICY, routes } });
    await pay(world, 40, 20);
    assert.deepEqual(['high', 'top', 'above'].map(world.bitsOf), [24, 24, 30]);
    const { gate } = world;
    assert.equal(gate.issue(gate.routeOf('high'), 'public', {}, 'bot').difficulty_bits, 26);
  });

  test('leave what was issued and minted before worth what it was', async () => {
    const world = withLoad();
    const { gate, request, post } = world;
    const early = gate.issue(gate.routeOf('page')).challenge;
    const proof = gate.issue(gate.routeOf('page')).challenge;
    const { challenge } = gate.issue(gate.routeOf('page'));
    const { passport } = await gate.redeem(challenge, solve(challenge), HOME);
    await pay(world, 40, 20);
    assert.equal(world.bitsOf('page'), 8);
    const cookie = `pow_passport=${passport}`;
    assert.equal((await request({ url: '/demo/', headers: { cookie } })).statusCode, 200);
    assert.equal((await post('/pow/passport', { challenge: early, answer: solve(early) })).statusCode, 200);
    const authorization = `PoW ${proof}:${solve(proof)}`;
    assert.equal((await request({ url: '/demo/', headers: { authorization } })).statusCode, 200);
  });

  test('leave what a key asks for', async () => {
    const world = withLoad();
    await pay(world, 40, 20);
    const { gate } = world;
    assert.equal(gate.issue(null, 'pro', { difficultyBits: 2 }).difficulty_bits, 2);
    assert.equal(gate.issue(null, 'pro').difficulty_bits, 8);
  });

  test('do not raise it where the operator says so, from the next sample on', async () => {
    const world = withLoad();
    await pay(world, 40, 20);
    world.usePolicy({ ...POLICY, load: { ...LIMITS, max_extra_bits: 0 } });
    world.pass(1);
    assert.equal(world.bitsOf('page'), 4);
  });

  test('of challenges from before a rise count for the part of the price that they paid', async () => {
    const world = withLoad();
    const { gate } = world;
    const stock = Array.from({ length: 400 }, () => gate.issue(gate.routeOf('page')).challenge);
    const [before, after] = [stock.slice(0, 200), stock.slice(200)];
    const redeem = (challenge: string) => gate.redeem(challenge, solve(challenge), HOME);
    const pressureOf = async (challenges: string[]) => {
      const { pressure } = world.meter.state();
      for (const challenge of challenges) await redeem(challenge);
      world.pass(1);
      return world.meter.state().pressure - pressure * Math.exp(-1 / 10);
    };
    const full = await pressureOf(before);
    await pay(world, 40, 20);
    assert.equal(world.meter.extraBits(), 4);
    const part = await pressureOf(after);
    assert.ok(Math.abs(part - full / 16) < 1e-9, `${part} of ${full}`);
  });
});

test('ten thousand challenges fetched and as many junk answers, refusals and broken requests raise nothing', async () => {
  const world = withLoad();
  const { gate, request, post, meter, pass } = world;
  const junk = { challenge: 'A'.repeat(115), answer: '1' };
  for (let sec = 0; sec < 20; sec++) {
    for (let i = 0; i < 500; i++) {
      const { challenge } = gate.issue(gate.routeOf('page'));
      const wrong = solve(challenge, { isRight: false });
      await assert.rejects(gate.redeem(challenge, wrong, HOME), { code: 'insufficient-work' });
    }
    await post('/pow/passport', junk);
    await post('/pow/passport', '{');
    await request('/demo/');
    await request({ url: '/demo/', headers: { authorization: `PoW ${junk.challenge}:1` } });
    await request({ url: '/demo/', headers: { cookie: 'pow_passport=junk' } });
    pass(1);
  }
  assert.equal(meter.state().pressure, 0);
  assert.equal(meter.extraBits(), 0);
});

test('what a client says of itself changes nothing', async () => {
  const { request } = withLoad();
  const headers = { 'x-load': '99', priority: 'u=0', 'save-data': 'on', 'device-memory': '0.25' };
  assert.equal((await request({ url: '/pow/challenge?load=4', headers })).json().difficulty_bits, 4);
});

test('a submission that is repeated counts once', async () => {
  const { gate, meter, pass } = withLoad();
  const { challenge } = gate.issue(gate.routeOf('page'));
  const answer = solve(challenge);
  for (let i = 0; i < 100; i++) await gate.redeem(challenge, answer, HOME);
  pass(1);
  assert.ok(meter.state().pressure < 0.03, String(meter.state().pressure));
});

describe('paid requests in work', () => {
  test('raise the price while they last, and end with the last byte or the connection', async () => {
    const { meter, pass } = withLoad();
    const leave = Array.from({ length: 40 }, () => meter.enter());
    pass(20);
    assert.equal(meter.extraBits(), 4);
    for (const one of leave) {
      one();
      one();
    }
    pass(300);
    assert.equal(meter.extraBits(), 0);
    assert.ok(meter.state().pressure >= 0 && meter.state().pressure < 1e-9);
    // Each that left, left once: the next one counts whole.
    meter.enter();
    pass(300);
    assert.ok(Math.abs(meter.state().pressure - 1 / LIMITS.in_flight) < 1e-9);
  });

  test('are those that were let in by passport or proof, once each', async () => {
    let entered = 0;
    let left = 0;
    const { request, gate } = createTestApp({
      enterPaid: () => {
        entered++;
        return () => {
          left++;
        };
      },
    });
    const { challenge } = gate.issue(null);
    const { passport } = await gate.redeem(challenge, solve(challenge), HOME);
    await request({ url: '/demo/', headers: { cookie: `pow_passport=${passport}` } });
    assert.deepEqual([entered, left], [1, 1]);
    await request('/demo/');
    await request('/openapi.json');
    assert.deepEqual([entered, left], [1, 1]);
    const proof = gate.issue(gate.routeOf('page')).challenge;
    await request({ url: '/demo/nothing', headers: { pow: `${proof}:${solve(proof)}` } });
    assert.deepEqual([entered, left], [2, 2]);
  });

  test('are not those that nobody paid for', async () => {
    let entered = 0;
    const enterPaid = () => {
      entered++;
      return () => {};
    };
    const exempt = { routes: [{ id: 'page', paths: ['/demo/*'], exempt: { networks: ['127.0.0.0/8'] } }] };
    await createTestApp({ enterPaid, policy: exempt }).request('/demo/');
    await createTestApp({ enterPaid, verdictOf: () => 'human' }).request('/demo/');
    assert.equal(entered, 0);
  });

  test('are not made more of by a clock that is set', () => {
    const clock = createTestClock();
    const timer = createTestTimer();
    const { state } = createTestGate({ policy: POLICY });
    const meter = createLoadMeter({ policy: () => state.policy, clock, timer });
    meter.watch();
    meter.enter();
    clock.advanceSecs(3_600);
    meter.enter()();
    clock.advanceSecs(-3_590);
    timer.fire();
    // Two at most were in work at once, for ten seconds of which five count.
    assert.ok(meter.state().pressure <= 2 / LIMITS.in_flight, String(meter.state().pressure));
  });
});

test('samples end with the watch', () => {
  const timer = createTestTimer();
  const { state } = createTestGate();
  const stop = createLoadMeter({ policy: () => state.policy, clock: createTestClock(), timer }).watch();
  timer.fire();
  assert.equal(timer.waiting(), 1);
  stop();
  assert.equal(timer.waiting(), 0);
});

test('the bits that are sealed are the ones that are told', async () => {
  const world = withLoad();
  await pay(world, 40, 20);
  const { challenge, difficulty_bits: told } = world.gate.issue(null);
  assert.equal(unpackChallenge(Buffer.from(challenge, 'base64url')).difficultyBits, told);
});
