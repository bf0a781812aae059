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
  /** Calls `then` after `ms` milliseconds, unless the function that it gives is called before. */
  after(ms: number, then: () => void): () => void;
};

/** The two requests of a session. Both reject with SessionError. */
export type GateClient = {
  fetchChallenge(route: string | undefined, signal: AbortSignal): Promise<ChallengeBody>;
  redeem(challenge: string, answer: string, signal: AbortSignal): Promise<PassportBody>;
};

/** Our choice: how often one request is repeated that a busy server put off. */
const MOST_WAITS = 3;

/** Speaks to the gate on the page's own origin; a 429 or 503 with Retry-After is waited for and repeated. */
export function createGateClient({ fetch, after }: GateClientDeps): GateClient {
  const request = async (path: string, init: RequestInit, signal: AbortSignal): Promise<unknown> => {
    for (let waits = 0; ; waits++) {
      if (signal.aborted) throw aborted(signal);
      const response = await send(path, init, signal);
      if (response.ok) return readJson(response, signal);
      const waitSecs = retryAfterSecs(response.headers.get('retry-after'), response.headers.get('date'));
      const isBusy = response.status === 429 || response.status === 503;
      if (!isBusy || waitSecs === null || waits === MOST_WAITS) throw await problemOf(response, signal);
      await response.body?.cancel();
      await wait(waitSecs * 1000, signal);
    }
  };

  const send = async (path: string, init: RequestInit, signal: AbortSignal): Promise<Response> => {
    try {
      return await fetch(path, { ...init, credentials: 'same-origin', cache: 'no-store', signal });
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
    async fetchChallenge(route, signal) {
      const query = route === undefined ? '' : `?route=${encodeURIComponent(route)}`;
      const body = await request(`/pow/challenge${query}`, { method: 'GET' }, signal);
      if (!isChallengeBody(body)) throw unexpected('a challenge', body);
      return body;
    },
    async redeem(challenge, answer, signal) {
      const init = {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ challenge, answer }),
      };
      const body = await request('/pow/passport', init, signal);
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

function isChallengeBody(body: unknown): body is ChallengeBody {
  if (!isRecord(body) || typeof body.challenge !== 'string') return false;
  return [body.difficulty_bits, body.expires_in_secs].every(Number.isFinite) && typeof body.tier === 'string';
}

function isPassportBody(body: unknown): body is PassportBody {
  return isRecord(body) && typeof body.passport === 'string' && Number.isFinite(body.ttl_secs);
}
