import { type ChallengeBody, isChallengeBody } from '../solver/gate-client.ts';
import type { Passport } from '../solver/obtain-passport.ts';
import type { SolveProgress } from '../solver/protocol.ts';
import { SessionError } from '../solver/session-error.ts';
import { type Refusal, readRefusal } from './refusal.ts';
import { makeReplay, type Replay } from './replay.ts';
import { createSharedSolve } from './shared-solve.ts';

export type GateFetchOptions = {
  /** What sends the requests; without it the global `fetch`. */
  fetch?: typeof globalThis.fetch;
  /** Called at most ten times a second while a puzzle is solved. */
  onProgress?: (progress: SolveProgress) => void;
  /** The most that is paid; a gate that asks for more is refused. 28 without it. */
  mostDifficultyBits?: number;
};

/** What a solve is told. */
export type SolveAsked = {
  /** The gate's origin. */
  origin: string;
  route: string | undefined;
  /** The challenge of the refusal; undefined where its body held none. */
  challenge: ChallengeBody | undefined;
  /** When it came, on the clock of `now`. */
  receivedMs: number;
  signal: AbortSignal;
  onProgress: ((progress: SolveProgress) => void) | undefined;
  fetch: typeof globalThis.fetch;
};

export type GateFetchDeps = {
  /** What a relative URL counts from, in a page. */
  base(): string | undefined;
  /** Whether the platform itself keeps the passport of that origin, as a cookie that comes with each request. */
  keepsCookies(origin: string): boolean;
  /** Whether passports of that origin can be used here at all; where not, each request takes a proof. */
  takesPassports(origin: string): boolean;
  obtainPassport(asked: SolveAsked): Promise<Passport>;
  /** Gives `challenge:answer`, or null where the challenge expired before there was one. */
  solve(asked: SolveAsked): Promise<string | null>;
  /** Monotonic milliseconds. */
  now(): number;
};

/** A passport in hand. `mark` tells one from another. */
type Held = { passport: string; endMs: number; mark: number };

/** Our choice: a passport with less than this is not worth a request that may be refused. */
const LEAST_LEFT_MS = 2000;

/** Our choice: above what the server itself ever adds to its default of 20. */
const MOST_BITS = 28;

/** Our choice: after a passport of another call, one of its own; what is refused then is refused. */
const MOST_TRIES = 3;

/** Our choice: how often a proof that came too late is replaced; each time the whole request is sent twice. */
const MOST_LATE = 3;

/**
 * Makes a `fetch` that pays at a gate: where an answer is its 401, it solves the puzzle and sends the request again, with
 * a passport, or with a proof in the header `PoW` where each request takes one. Every other answer is passed on as it is,
 * and so is the gate's where it refuses the paid request, too.
 *
 * Rejects as `fetch` does; with TypeError for a body that cannot be sent again; with SessionError where a gate that asks
 * for a proof cannot be paid.
 */
export function createGateFetchWith(
  deps: GateFetchDeps,
  options: GateFetchOptions = {},
): typeof globalThis.fetch {
  const mostBits = options.mostDifficultyBits ?? MOST_BITS;
  const passports = new Map<string, Held>();
  const share = createSharedSolve<void>();
  let marks = 0;
  const fetch: typeof globalThis.fetch = (input, init) => (options.fetch ?? globalThis.fetch)(input, init);

  const heldFor = (origin: string): Held | null => {
    const held = passports.get(origin);
    return held && held.endMs - LEAST_LEFT_MS > deps.now() ? held : null;
  };

  const cookieOf = (held: Held | null, origin: string): Record<string, string> =>
    held && !deps.keepsCookies(origin) ? { cookie: `pow_passport=${held.passport}` } : {};

  const asked = async (replay: Replay, { route }: Refusal, response: Response) => ({
    origin: replay.url.origin,
    route,
    receivedMs: deps.now(),
    challenge: await challengeOf(response),
    onProgress: options.onProgress,
    fetch,
  });

  /**
   * One request in per-request mode: its proof is its own. Null where the challenge did not last: the request is then sent
   * bare again, since its 401 alone has the price of this very request.
   */
  const prove = async (replay: Replay, refusal: Refusal, response: Response): Promise<Response | null> => {
    const { signal = new AbortController().signal } = replay;
    const proof = await deps.solve({ ...(await asked(replay, refusal, response)), signal });
    return proof === null ? null : replay.send(fetch, { pow: proof });
  };

  /** Wins a passport, together with all who want one for this route now. */
  const win = async (replay: Replay, refusal: Refusal, response: Response): Promise<void> => {
    const { origin } = replay.url;
    const question = await asked(replay, refusal, response);
    await share(`${origin} ${refusal.route ?? ''}`, replay.signal, async (signal) => {
      const { passport, ttlSecs } = await deps.obtainPassport({ ...question, signal });
      passports.set(origin, { passport, endMs: deps.now() + ttlSecs * 1000, mark: ++marks });
    });
  };

  return async function gateFetch(input, init) {
    const replay = makeReplay(input, init, deps.base());
    const { origin } = replay.url;
    let used = heldFor(origin);
    let response = await replay.send(fetch, cookieOf(used, origin));
    let hasWon = false;
    let late = 0;
    for (let tries = 1; tries < MOST_TRIES; ) {
      const refusal = readRefusal(response);
      // What a redirect has led to elsewhere is not ours to pay: the passport would be for another origin.
      const isElsewhere = response.url !== '' && new URL(response.url).origin !== origin;
      if (!refusal || hasWon || isElsewhere) break;
      if (refusal.difficultyBits > mostBits) throw tooDifficult(refusal.difficultyBits, mostBits);
      try {
        if (refusal.mode === 'request' || !deps.takesPassports(origin)) {
          const paid = await prove(replay, refusal, response);
          if (paid && !(late < MOST_LATE && (await isTooLate(paid)))) return paid;
          // A search has no memory: a slow device loses nothing by another challenge, and the caller can leave.
          if (paid) late++;
          response = await replay.send(fetch, cookieOf(used, origin));
          continue;
        }
        // Another call may have won one while this was under way.
        const news = heldFor(origin);
        if (!news || news.mark === used?.mark) {
          await win(replay, refusal, response);
          hasWon = true;
        } else await response.body?.cancel();
      } catch (error) {
        // As `fetch` itself says it.
        if (error instanceof SessionError && replay.signal?.aborted) throw replay.signal.reason;
        throw error;
      }
      tries++;
      used = heldFor(origin);
      response = await replay.send(fetch, cookieOf(used, origin));
    }
    return response;
  };
}

const tooDifficult = (bits: number, most: number) =>
  new SessionError('too-difficult', `the gate asks for ${bits} bits, expected at most ${most}`, 401);

/** Whether a gate says that the proof expired on its way. Nothing has come to the route then, and nothing is spent. */
async function isTooLate(response: Response): Promise<boolean> {
  const isProblem = (response.headers.get('content-type') ?? '').startsWith('application/problem+json');
  if (response.status !== 410 || !isProblem) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return (body as { code?: unknown } | null)?.code === 'challenge-expired';
}

/** The challenge in the body of a refusal; undefined where there is none, as in a page for people. */
async function challengeOf(response: Response): Promise<ChallengeBody | undefined> {
  const body: unknown = await response.json().catch(() => null);
  const challenge = (body as { challenge?: unknown } | null)?.challenge;
  return isChallengeBody(challenge) ? challenge : undefined;
}
