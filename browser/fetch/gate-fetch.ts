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
  /** Gives `challenge:answer`. */
  solve(asked: SolveAsked): Promise<string>;
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
    challenge: await challengeOf(response),
    onProgress: options.onProgress,
    fetch,
  });

  /** One request in per-request mode: its proof is its own. */
  const prove = async (replay: Replay, refusal: Refusal, response: Response): Promise<Response> => {
    const { signal = new AbortController().signal } = replay;
    const proof = await deps.solve({ ...(await asked(replay, refusal, response)), signal });
    return replay.send(fetch, { pow: proof });
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
    for (let tries = 1; tries < MOST_TRIES; tries++) {
      const refusal = readRefusal(response);
      // What a redirect has led to elsewhere is not ours to pay: the passport would be for another origin.
      const isElsewhere = response.url !== '' && new URL(response.url).origin !== origin;
      if (!refusal || hasWon || isElsewhere) break;
      if (refusal.difficultyBits > mostBits) throw tooDifficult(refusal.difficultyBits, mostBits);
      try {
        if (refusal.mode === 'request' || !deps.takesPassports(origin))
          return await prove(replay, refusal, response);
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
      used = heldFor(origin);
      response = await replay.send(fetch, cookieOf(used, origin));
    }
    return response;
  };
}

const tooDifficult = (bits: number, most: number) =>
  new SessionError('too-difficult', `the gate asks for ${bits} bits, expected at most ${most}`, 401);

/** The challenge in the body of a refusal; undefined where there is none, as in a page for people. */
async function challengeOf(response: Response): Promise<ChallengeBody | undefined> {
  const body: unknown = await response.json().catch(() => null);
  const challenge = (body as { challenge?: unknown } | null)?.challenge;
  return isChallengeBody(challenge) ? challenge : undefined;
}
