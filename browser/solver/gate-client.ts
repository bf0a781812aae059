import type { After } from './after.ts';
import type { Solution } from './protocol.ts';
import { retryAfterSecs } from './retry-after.ts';
import { aborted, SessionError } from './session-error.ts';

/** The body of GET /pow/challenge, as on the wire. */
export type ChallengeBody = {
  challenge: string;
  difficulty_bits: number;
  expires_in_secs: number;
  tier: string;
};

/** The body of POST /pow/passport, as on the wire. */
export type PassportBody = { passport: string; ttl_secs: number };

export type GateClientDeps = {
  fetch(path: string, init: RequestInit): Promise<Response>;
  after: After;
};

/** Told the seconds that a busy server asked to wait, and null when the request is sent again. */
export type OnWait = (secs: number | null) => void;

export type Found = Pick<Solution, 'answer' | 'kernel'>;

/** The two requests of a session. Both reject with SessionError. */
export type GateClient = {
  fetchChallenge(route: string | undefined, signal: AbortSignal, onWait?: OnWait): Promise<ChallengeBody>;
  /** @param found tells the server which code found the answer as well, for its operator's figures */
  redeem(challenge: string, found: Found, signal: AbortSignal, onWait?: OnWait): Promise<PassportBody>;
};

/** Our choice: the answers are small and made in milliseconds, so that one that takes longer is not coming. */
const ANSWER_LIMIT_MS = 20_000;

/** Our choice: how often one request is repeated that a busy server put off. */
const MOST_WAITS = 3;

/** Speaks to the gate on the page's own origin; a 429 or 503 with Retry-After is waited for and repeated. */
export function createGateClient({ fetch, after }: GateClientDeps): GateClient {
  const request = async (path: string, init: RequestInit, signal: AbortSignal, onWait?: OnWait) => {
    for (let waits = 0; ; waits++) {
      const answer = await attempt(path, init, signal, waits < MOST_WAITS);
      if ('body' in answer) return answer.body;
      onWait?.(answer.waitSecs);
      await wait(answer.waitSecs * 1000, signal);
      onWait?.(null);
    }
  };

  /** One request with its answer, within the time limit. */
  const attempt = async (
    path: string,
    init: RequestInit,
    signal: AbortSignal,
    mayWait: boolean,
  ): Promise<{ body: unknown } | { waitSecs: number }> => {
    if (signal.aborted) throw aborted(signal);
    const stop = new AbortController();
    const pass = () => stop.abort(signal.reason);
    signal.addEventListener('abort', pass, { once: true });
    const cancel = after(ANSWER_LIMIT_MS, () => stop.abort(new Error(`no answer for ${ANSWER_LIMIT_MS} ms`)));
    try {
      const response = await send(path, { ...init, signal: stop.signal }, signal);
      if (response.ok) return { body: await readJson(response, signal) };
      const waitSecs = retryAfterSecs(response.headers.get('retry-after'), response.headers.get('date'));
      const isBusy = response.status === 429 || response.status === 503;
      if (!isBusy || waitSecs === null || !mayWait) throw await problemOf(response, signal);
      await response.body?.cancel();
      return { waitSecs };
    } finally {
      cancel();
      signal.removeEventListener('abort', pass);
    }
  };

  const send = async (path: string, init: RequestInit, signal: AbortSignal): Promise<Response> => {
    try {
      return await fetch(path, { ...init, credentials: 'same-origin', cache: 'no-store' });
    } catch (cause) {
      throw failure(signal, 'The server could not be reached.', null, cause);
    }
  };

  const wait = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const stop = () => {
        cancel();
        reject(aborted(signal));
      };
      const cancel = after(ms, () => {
        signal.removeEventListener('abort', stop);
        resolve();
      });
      signal.addEventListener('abort', stop, { once: true });
    });

  return {
    async fetchChallenge(route, signal, onWait) {
      const query = route === undefined ? '' : `?route=${encodeURIComponent(route)}`;
      const body = await request(`/pow/challenge${query}`, { method: 'GET' }, signal, onWait);
      if (!isChallengeBody(body)) throw unexpected('a challenge', body);
      return body;
    },
    async redeem(challenge, { answer, kernel }, signal, onWait) {
      const init = {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ challenge, answer, solver: kernel }),
      };
      const body = await request('/pow/passport', init, signal, onWait);
      if (!isPassportBody(body)) throw unexpected('a passport', body);
      return body;
    },
  };
}

async function readJson(response: Response, signal: AbortSignal): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    throw failure(
      signal,
      `Expected JSON, got something else with status ${response.status}.`,
      response.status,
      cause,
    );
  }
}

/** The error in a problem body (RFC 9457); a proxy in between may answer without one. */
async function problemOf(response: Response, signal: AbortSignal): Promise<SessionError> {
  const body = await response.json().catch(() => null);
  if (signal.aborted) return aborted(signal);
  if (isRecord(body) && typeof body.code === 'string') {
    const detail = typeof body.detail === 'string' ? body.detail : body.code;
    return new SessionError(body.code, detail, response.status);
  }
  return new SessionError(
    'unreachable',
    `The server answered ${response.status} and no more.`,
    response.status,
  );
}

function failure(signal: AbortSignal, detail: string, status: number | null, cause: unknown): SessionError {
  return signal.aborted ? aborted(signal) : new SessionError('unreachable', detail, status, { cause });
}

function unexpected(what: string, body: unknown): SessionError {
  return new SessionError(
    'unreachable',
    `Expected ${what}, got ${(JSON.stringify(body) ?? '').slice(0, 80)}`,
    200,
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Whether this is the answer of GET /pow/challenge. */
export function isChallengeBody(body: unknown): body is ChallengeBody {
  if (!isRecord(body) || typeof body.challenge !== 'string') return false;
  return [body.difficulty_bits, body.expires_in_secs].every(Number.isFinite) && typeof body.tier === 'string';
}

function isPassportBody(body: unknown): body is PassportBody {
  return isRecord(body) && typeof body.passport === 'string' && Number.isFinite(body.ttl_secs);
}
