import type { After } from './after.ts';
import type { ChallengeBody, GateClient } from './gate-client.ts';
import type { Pool } from './pool.ts';
import type { Solution, SolveProgress } from './protocol.ts';
import { aborted, SessionError } from './session-error.ts';
import type { WhenSeen } from './visibility.ts';

/** `waiting`: a busy server asked for some seconds; the state before it comes again when they are over. */
export type SessionState = 'fetching' | 'solving' | 'redeeming' | 'waiting' | 'done';

export type Passport = {
  /** base64url text. */
  passport: string;
  /** Seconds of life from now. */
  ttlSecs: number;
  difficultyBits: number;
  solution: Solution;
};

export type SessionOptions = {
  /** Policy id of the gated route; without it the passport is for any. */
  route?: string | undefined;
  /** One that the page already holds, so that no request is needed first. Its life counts from the call. */
  challenge?: ChallengeBody | undefined;
  signal?: AbortSignal | undefined;
  /** `waitSecs` comes with `waiting`. */
  onState?: ((state: SessionState, waitSecs?: number) => void) | undefined;
  /** Called at most ten times a second. */
  onProgress?: ((progress: SolveProgress) => void) | undefined;
};

export type SessionDeps = {
  gate: GateClient;
  solve: Pool['solve'];
  /** Monotonic milliseconds (`performance.now`): a device's wall clock may be years off, or set meanwhile. */
  now(): number;
  after: After;
  /** A challenge is not fetched while the page is hidden: the pool would let it expire, again and again. */
  whenSeen?: WhenSeen;
};

/** Our choice: how often a new challenge is fetched because the server would not take the solved one. */
const MOST_ROUNDS = 3;

/** What a timer can hold (HTML, timers: a signed 32-bit number of milliseconds). */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The server's words for a challenge that a new one replaces; the last where a roaming device has moved on meanwhile. */
const STALE = new Set(['challenge-already-used', 'challenge-expired', 'passport-network-mismatch']);

/** A challenge, and when it came, on the clock of SessionDeps. */
export type Held = { body: ChallengeBody; receivedMs: number };

/**
 * Makes the function that fetches a challenge, solves it and gets the passport, which the browser keeps as a cookie.
 *
 * A challenge that expires while it is solved is replaced, as often as it takes: the search has no memory, so a
 * slow device loses nothing by it, and the caller can abort. The promise rejects with SessionError.
 */
export function createSession(deps: SessionDeps): (options?: SessionOptions) => Promise<Passport> {
  return async ({ route, challenge, signal = new AbortController().signal, onState, onProgress } = {}) => {
    const waitingIn = (state: SessionState) => (secs: number | null) =>
      secs === null ? onState?.(state) : onState?.('waiting', secs);
    let held: Held | null = challenge ? { body: challenge, receivedMs: deps.now() } : null;
    for (let rounds = 0; ; ) {
      if (signal.aborted) throw aborted(signal);
      if (!held) {
        const hidden = deps.whenSeen?.();
        if (hidden) await untilAborted(hidden, signal);
        onState?.('fetching');
        const body = await deps.gate.fetchChallenge(route, signal, waitingIn('fetching'));
        held = { body, receivedMs: deps.now() };
      }
      const { body } = held;
      onState?.('solving');
      const solution = await solveInTime(deps, held, signal, onProgress);
      held = null;
      if (!solution) continue;
      onState?.('redeeming');
      try {
        const onWait = waitingIn('redeeming');
        const { passport, ttl_secs } = await deps.gate.redeem(body.challenge, solution, signal, onWait);
        onState?.('done');
        return { passport, ttlSecs: ttl_secs, difficultyBits: body.difficulty_bits, solution };
      } catch (error) {
        if (!(error instanceof SessionError) || !STALE.has(error.code)) throw error;
        if (rounds++ < MOST_ROUNDS) continue;
        const detail = `${rounds} challenges were solved and refused, the last one so: ${error.message}`;
        throw new SessionError('too-many-tries', detail, error.status, { cause: error });
      }
    }
  };
}

/** Waits for `what`. @throws SessionError where the caller aborts first */
export function untilAborted(what: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(aborted(signal));
    signal.addEventListener('abort', stop, { once: true });
    what.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** The solution, or null where the challenge expired before there was one. */
export async function solveInTime<Result = Solution>(
  {
    solve,
    now,
    after,
  }: Pick<SessionDeps, 'now' | 'after'> & {
    solve(...args: Parameters<Pool['solve']>): Promise<Result>;
  },
  { body, receivedMs }: Held,
  signal: AbortSignal,
  onProgress: SessionOptions['onProgress'],
): Promise<Result | null> {
  // At least a second: a server that gives no time at all would else be asked for ever.
  const lifeMs = Math.max(1, body.expires_in_secs) * 1000;
  const leftMs = Math.max(0, receivedMs + lifeMs - now());
  let isExpired = false;
  const stop = new AbortController();
  const pass = () => stop.abort(signal.reason);
  signal.addEventListener('abort', pass, { once: true });
  const cancel = after(Math.min(LONGEST_TIMER_MS, leftMs), () => {
    isExpired = true;
    stop.abort();
  });
  try {
    return await solve(body.challenge, { signal: stop.signal, onProgress });
  } catch (cause) {
    if (signal.aborted) throw aborted(signal);
    if (isExpired) return null;
    if (cause instanceof SessionError) throw cause;
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new SessionError('solver-failed', detail, null, { cause });
  } finally {
    cancel();
    signal.removeEventListener('abort', pass);
  }
}
