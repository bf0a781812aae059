import { createGateClient } from '../../../browser/solver/gate-client.ts';
import {
  createSession,
  type SessionDeps,
  type SessionOptions,
} from '../../../browser/solver/obtain-passport.ts';
import type { Solution } from '../../../browser/solver/protocol.ts';
import { challengeText } from './challenge-text.ts';

export type SentRequest = { path: string; init: RequestInit };

/** What the server answers to the n-th request of that path (from 0), or what the network throws. */
export type Answer = (n: number, request: SentRequest) => Response | Promise<Response>;

/** The nth challenge is of 4 bits, and its nonce starts with n. */
export function nthChallenge(n: number): string {
  return challengeText({ bits: 4, nonce: Uint8Array.of(n, ...new Uint8Array(31)) });
}

/** A problem body as the server sends it. */
export function problem(status: number, code: string, headers: Record<string, string> = {}): Response {
  const body = {
    type: 'about:blank',
    title: code,
    status,
    code,
    detail: `detail of ${code}`,
    request_id: 'r',
  };
  return Response.json(body, { status, headers: { 'Content-Type': 'application/problem+json', ...headers } });
}

/** The usual answers: a challenge for 60 s, a passport for 30 min. */
export const giveChallenge: Answer = (n) =>
  Response.json({ challenge: nthChallenge(n), difficulty_bits: 4, expires_in_secs: 60, tier: 'public' });
export const givePassport: Answer = () => Response.json({ passport: 'P'.repeat(95), ttl_secs: 1800 });

export const SOLUTION: Solution = { answer: '7', tries: 8, elapsedMs: 1, workers: 1, kernel: 'simd' };

/** A session on a clock and timers that the test moves, with a solver that the test gives. */
export function fakeSession({
  challenge = giveChallenge,
  passport = givePassport,
  solve = async () => SOLUTION,
}: {
  challenge?: Answer;
  passport?: Answer;
  solve?: SessionDeps['solve'];
} = {}) {
  let nowMs = 5000;
  const timers = new Set<{ dueMs: number; then: () => void }>();
  const waits: number[] = [];
  const sent: SentRequest[] = [];
  const states: string[] = [];
  const waitSecs: number[] = [];

  const after = (ms: number, then: () => void) => {
    waits.push(ms);
    const timer = { dueMs: nowMs + ms, then };
    timers.add(timer);
    return () => timers.delete(timer) as unknown as undefined;
  };
  const fetch = async (path: string, init: RequestInit) => {
    const kind = (request: SentRequest) => request.path.startsWith('/pow/challenge');
    const request = { path, init };
    const n = sent.filter((other) => kind(other) === kind(request)).length;
    sent.push(request);
    return (kind(request) ? challenge : passport)(n, request);
  };
  /** Moves the clock, and lets what is due by then happen. */
  const advance = (ms: number) => {
    nowMs += ms;
    for (const timer of [...timers]) {
      if (timer.dueMs <= nowMs && timers.delete(timer)) timer.then();
    }
  };
  const now = () => nowMs;
  const obtain = createSession({ gate: createGateClient({ fetch, after }), solve, now, after });
  return {
    obtainPassport: (options: SessionOptions = {}) =>
      obtain({
        onState(state, secs) {
          states.push(state);
          if (secs !== undefined) waitSecs.push(secs);
        },
        ...options,
      }),
    advance,
    now,
    /** Milliseconds of every timer that was set. */
    waits,
    /** How many timers are set now. */
    pendingTimers: () => timers.size,
    sent,
    states,
    /** The seconds told with each `waiting`. */
    waitSecs,
    /** Resolves once a timer of `ms` is set: how a test knows that the session waits. */
    async untilWaiting(ms: number): Promise<void> {
      while (![...timers].some((timer) => timer.dueMs === nowMs + ms)) await new Promise(setImmediate);
    },
  };
}
