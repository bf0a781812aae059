import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createPool, type SolveOptions } from '../../../browser/solver/pool.ts';
import type { Solution } from '../../../browser/solver/protocol.ts';
import { type OwnCode, SessionError } from '../../../browser/solver/session-error.ts';
import {
  type Answer,
  fakeSession,
  giveChallenge,
  givePassport,
  nthChallenge,
  problem,
  SOLUTION,
} from './fake-gate.ts';
import { never } from './fake-timers.ts';
import { fakeWorkers } from './fake-workers.ts';
import { leadingZeroBits } from './oracle.ts';

/** Asserts a SessionError of this code and status. */
const failsWith = (code: OwnCode | (string & {}), status: number | null) => (error: unknown) => {
  assert.ok(error instanceof SessionError, String(error));
  assert.deepEqual([error.code, error.status], [code, status]);
  return true;
};

/** A solver that never finds anything, as the pool behaves when it is stopped. */
const searchForEver = (_: string, { signal }: SolveOptions = {}) =>
  new Promise<Solution>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

describe('a session', () => {
  test('fetches, solves and redeems', async () => {
    const { obtainPassport, sent, states, pendingTimers } = fakeSession();
    const passport = await obtainPassport({ route: 'demo & more' });
    assert.deepEqual(passport, {
      passport: 'P'.repeat(95),
      ttlSecs: 1800,
      difficultyBits: 4,
      solution: SOLUTION,
    });
    assert.deepEqual(states, ['fetching', 'solving', 'redeeming', 'done']);
    assert.deepEqual(
      sent.map(({ path, init }) => `${init.method} ${path}`),
      ['GET /pow/challenge?route=demo%20%26%20more', 'POST /pow/passport'],
    );
    for (const { init } of sent) {
      assert.equal(init.credentials, 'same-origin');
      assert.equal(init.cache, 'no-store');
    }
    assert.equal(new Headers(sent[1].init.headers).get('content-type'), 'application/json');
    assert.deepEqual(JSON.parse(String(sent[1].init.body)), {
      challenge: nthChallenge(0),
      answer: '7',
      solver: 'simd',
    });
    assert.equal(pendingTimers(), 0, 'no timer is left behind');
  });

  test('really solves, with a pool over Comlink', async () => {
    const pool = createPool({
      spawn: fakeWorkers().spawn,
      now: () => performance.now(),
      after: never,
      workers: 2,
    });
    const { obtainPassport, sent } = fakeSession({ solve: pool.solve });
    await obtainPassport();
    const { answer } = JSON.parse(String(sent[1].init.body));
    assert.ok(leadingZeroBits(new Uint8Array(32), BigInt(answer)) >= 4);
    assert.equal(sent[0].path, '/pow/challenge');
  });

  test('needs no request for a challenge that the page holds', async () => {
    const { obtainPassport, sent, states } = fakeSession();
    const challenge = { challenge: nthChallenge(9), difficulty_bits: 4, expires_in_secs: 60, tier: 'public' };
    await obtainPassport({ challenge });
    assert.deepEqual(states, ['solving', 'redeeming', 'done']);
    assert.equal(JSON.parse(String(sent[0].init.body)).challenge, nthChallenge(9));
  });
});

describe('a challenge that expires', () => {
  test('is replaced while it is solved, counted from when it came', async () => {
    const solved: string[] = [];
    const { obtainPassport, advance, untilWaiting, states, pendingTimers } = fakeSession({
      solve: (challenge, options) => {
        solved.push(challenge);
        return solved.length < 3 ? searchForEver(challenge, options) : Promise.resolve(SOLUTION);
      },
    });
    const passport = obtainPassport();
    for (let round = 0; round < 2; round++) {
      await untilWaiting(60_000);
      advance(59_999);
      assert.equal(solved.length, round + 1);
      advance(1);
    }
    assert.equal((await passport).solution, SOLUTION);
    assert.deepEqual(solved, [nthChallenge(0), nthChallenge(1), nthChallenge(2)]);
    assert.deepEqual(states, [
      'fetching',
      'solving',
      'fetching',
      'solving',
      'fetching',
      'solving',
      'redeeming',
      'done',
    ]);
    assert.equal(pendingTimers(), 0);
  });

  test('with real workers: those of the old challenge are stopped, those of the new one solve', async () => {
    const fakes = fakeWorkers((worker) => (worker.index < 2 ? new Promise(() => {}) : undefined));
    const { solve } = createPool({
      spawn: fakes.spawn,
      now: () => performance.now(),
      after: never,
      workers: 2,
    });
    const session = fakeSession({ solve });
    const passport = session.obtainPassport();
    await session.untilWaiting(60_000);
    session.advance(60_000);
    assert.deepEqual(
      fakes.spawned.map((worker) => worker.isTerminated),
      [true, true],
    );
    await passport;
    assert.equal(fakes.spawned.length, 4);
    assert.equal(JSON.parse(String(session.sent[2].init.body)).challenge, nthChallenge(1));
  });

  for (const [status, code] of [
    [409, 'challenge-already-used'],
    [410, 'challenge-expired'],
  ] as const) {
    test(`is replaced where the server says ${code}`, async () => {
      const passport: Answer = (n, request) => (n < 3 ? problem(status, code) : givePassport(n, request));
      const { obtainPassport, sent } = fakeSession({ passport });
      await obtainPassport();
      const redeemed = sent.filter(({ init }) => init.method === 'POST');
      assert.deepEqual(
        redeemed.map(({ init }) => JSON.parse(String(init.body)).challenge),
        [0, 1, 2, 3].map(nthChallenge),
      );
    });

    test(`is replaced three times and no more where the server keeps saying ${code}`, async () => {
      const { obtainPassport, sent } = fakeSession({ passport: () => problem(status, code) });
      await assert.rejects(obtainPassport(), failsWith('too-many-tries', status));
      assert.equal(sent.length, 8);
    });
  }

  test('that comes with no time at all is not asked for for ever', async () => {
    const challenge: Answer = (n) =>
      Response.json({ challenge: nthChallenge(n), difficulty_bits: 4, expires_in_secs: 0, tier: 'public' });
    const { obtainPassport } = fakeSession({ challenge, passport: () => problem(410, 'challenge-expired') });
    await assert.rejects(obtainPassport(), failsWith('too-many-tries', 410));
  });
});

describe('a busy server', () => {
  for (const [status, code] of [
    [429, 'throttled'],
    [503, 'store-unavailable'],
  ] as const) {
    test(`is waited for on ${status} with Retry-After, at either request`, async () => {
      const busyOnce =
        (then: Answer): Answer =>
        (n, request) =>
          n === 0 ? problem(status, code, { 'Retry-After': '7' }) : then(n, request);
      const session = fakeSession({ challenge: busyOnce(giveChallenge), passport: busyOnce(givePassport) });
      const passport = session.obtainPassport();
      for (let request = 0; request < 2; request++) {
        await session.untilWaiting(7000);
        session.advance(7000);
      }
      await passport;
      const told = [
        'fetching',
        'waiting',
        'fetching',
        'solving',
        'redeeming',
        'waiting',
        'redeeming',
        'done',
      ];
      assert.deepEqual(session.states, told, 'the page is told that it waits');
      assert.deepEqual(session.waitSecs, [7, 7]);
      assert.equal(session.sent.length, 4);
      assert.equal(session.sent[3].init.body, session.sent[2].init.body, 'the same answer is shown again');
    });
  }

  test('is asked three more times and no more, never later than 30 s', async () => {
    const session = fakeSession({ challenge: () => problem(503, 'overloaded', { 'Retry-After': '9999' }) });
    const refused = assert.rejects(session.obtainPassport(), failsWith('overloaded', 503));
    for (let round = 0; round < 3; round++) {
      await session.untilWaiting(30_000);
      session.advance(30_000);
    }
    await refused;
    assert.equal(session.sent.length, 4);
    assert.deepEqual(
      session.waits.filter((ms) => ms !== 20_000),
      [30_000, 30_000, 30_000],
    );
  });

  test('that does not say when is not asked again', async () => {
    const session = fakeSession({ challenge: () => problem(429, 'throttled') });
    await assert.rejects(session.obtainPassport(), failsWith('throttled', 429));
    assert.equal(session.sent.length, 1);
  });

  test('is left alone after an abort', async () => {
    const stop = new AbortController();
    const session = fakeSession({ challenge: () => problem(503, 'overloaded', { 'Retry-After': '5' }) });
    const stopped = assert.rejects(
      session.obtainPassport({ signal: stop.signal }),
      failsWith('aborted', null),
    );
    await session.untilWaiting(5000);
    stop.abort();
    await stopped;
    assert.equal(session.sent.length, 1);
    assert.equal(session.pendingTimers(), 0);
  });
});

describe('a server that never answers', () => {
  const hang: Answer = (_, { init }) =>
    new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
  /** The head comes, the body does not. */
  const hangInBody: Answer = (_, { init }) =>
    new Response(
      new ReadableStream({
        start: (body) => init.signal?.addEventListener('abort', () => body.error(init.signal?.reason)),
      }),
    );
  for (const [name, answers, status] of [
    ['at the challenge', { challenge: hang }, null],
    ['at the passport', { passport: hang }, null],
    ['in the middle of an answer', { challenge: hangInBody }, 200],
  ] as const) {
    test(`counts as unreachable after 20 s: ${name}`, async () => {
      const session = fakeSession(answers);
      const passport = session.obtainPassport();
      const isRefused = assert.rejects(passport, failsWith('unreachable', status));
      await session.untilWaiting(20_000);
      while (session.states.at(-1) !== ('passport' in answers ? 'redeeming' : 'fetching'))
        await new Promise(setImmediate);
      await new Promise(setImmediate);
      session.advance(20_000);
      await isRefused;
      assert.equal(session.pendingTimers(), 0);
    });
  }
});

describe('a failure', () => {
  const REFUSED: readonly [status: number, code: string][] = [
    [400, 'unknown-route'],
    [401, 'unknown-key'],
    [403, 'insufficient-work'],
    [403, 'seal-invalid'],
    [500, 'internal'],
  ];
  for (const [status, code] of REFUSED) {
    test(`carries the server's code: ${code}`, async () => {
      const { obtainPassport } = fakeSession({ passport: () => problem(status, code) });
      await assert.rejects(obtainPassport(), (error: Error) => {
        assert.equal(error.message, `detail of ${code}`);
        return failsWith(code, status)(error);
      });
    });
  }

  const UNREACHABLE: readonly [what: string, answer: Answer, status: number | null][] = [
    ['the network is down', () => Promise.reject(new TypeError('Failed to fetch')), null],
    ["a proxy's error page", () => new Response('<h1>Bad gateway</h1>', { status: 502 }), 502],
    ['HTML with 200', () => new Response('<h1>Sign in to this Wi-Fi</h1>'), 200],
    ['JSON of another kind', () => Response.json({ hello: 'world' }), 200],
    ['JSON null', () => Response.json(null), 200],
    ['an error that is a JSON null', () => Response.json(null, { status: 404 }), 404],
  ];
  for (const [what, answer, status] of UNREACHABLE) {
    test(`is unreachable at either request: ${what}`, async () => {
      await assert.rejects(
        fakeSession({ challenge: answer }).obtainPassport(),
        failsWith('unreachable', status),
      );
      await assert.rejects(
        fakeSession({ passport: answer }).obtainPassport(),
        failsWith('unreachable', status),
      );
    });
  }

  test('of the solver says what was wrong', async () => {
    const solve = () => Promise.reject(new Error('no worker is left'));
    const session = fakeSession({ solve });
    await assert.rejects(session.obtainPassport(), (error: Error) => {
      assert.equal(error.message, 'no worker is left');
      return failsWith('solver-failed', null)(error);
    });
    assert.equal(session.pendingTimers(), 0);
  });

  test('of a challenge that no solver takes names what came', async () => {
    const challenge: Answer = () =>
      Response.json({ challenge: 'short', difficulty_bits: 4, expires_in_secs: 60, tier: 'public' });
    const { solve } = createPool({ spawn: fakeWorkers().spawn, now: () => 0, after: never, workers: 1 });
    await assert.rejects(fakeSession({ challenge, solve }).obtainPassport(), (error: Error) => {
      assert.match(error.message, /expected 115 characters, got 5/);
      return failsWith('solver-failed', null)(error);
    });
  });
});

describe('an abort', () => {
  test('before the start sends nothing', async () => {
    const { obtainPassport, sent } = fakeSession();
    await assert.rejects(obtainPassport({ signal: AbortSignal.abort() }), failsWith('aborted', null));
    assert.equal(sent.length, 0);
  });

  test('while fetching, solving or redeeming is named so', async () => {
    for (const when of ['fetching', 'solving', 'redeeming']) {
      const stop = new AbortController();
      const hangs: Answer = (_, { init }) =>
        new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
      const session = fakeSession({
        challenge: when === 'fetching' ? hangs : giveChallenge,
        passport: when === 'redeeming' ? hangs : givePassport,
        solve: when === 'solving' ? searchForEver : async () => SOLUTION,
      });
      const states: string[] = [];
      const onState = (state: string) => {
        states.push(state);
        if (state === when) setImmediate(() => stop.abort());
      };
      await assert.rejects(
        session.obtainPassport({ signal: stop.signal, onState }),
        failsWith('aborted', null),
      );
      assert.equal(states[states.length - 1], when);
      assert.equal(session.pendingTimers(), 0);
    }
  });
});
