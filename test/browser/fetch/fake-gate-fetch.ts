import {
  createGateFetchWith,
  type GateFetchOptions,
  type SolveAsked,
} from '../../../browser/fetch/gate-fetch.ts';
import { challengeText } from '../solver/challenge-text.ts';
import { SOLUTION } from '../solver/fake-gate.ts';

export const CHALLENGE = {
  challenge: challengeText({ bits: 4, nonce: new Uint8Array(32) }),
  difficulty_bits: 4,
  expires_in_secs: 60,
  tier: 'public',
};

/** The 401 of a gate. */
export const refusal = (
  mode: 'passport' | 'request' = 'passport',
  { realm = 'demo', bits = 4 } = {},
): Response =>
  Response.json(
    { code: 'proof-required', challenge: CHALLENGE },
    {
      status: 401,
      headers: { 'WWW-Authenticate': `PoW realm="${realm}", difficulty=${bits}, mode="${mode}"` },
    },
  );

export type Sent = { url: string; headers: Headers; body: string };

/** A gate fetch over a server that the test plays: `answer` gives what comes for each request. */
export function fakeGateFetch(
  answer: (sent: Sent, n: number) => Response | Promise<Response>,
  {
    keepsCookies = false,
    takesPassports = true,
    options = {},
    obtain,
    isInTime = () => true,
  }: {
    keepsCookies?: boolean;
    takesPassports?: boolean;
    options?: GateFetchOptions;
    obtain?: (asked: SolveAsked) => Promise<string>;
    /** Whether the n-th puzzle, from 1, is solved before it expires. */
    isInTime?: (n: number) => boolean;
  } = {},
) {
  const sent: Sent[] = [];
  const asked: SolveAsked[] = [];
  const clock = { ms: 0 };
  const gateFetch = createGateFetchWith(
    {
      base: () => undefined,
      keepsCookies: () => keepsCookies,
      takesPassports: () => takesPassports,
      now: () => clock.ms,
      async obtainPassport(question) {
        asked.push(question);
        const passport = obtain ? await obtain(question) : `P${asked.length}`;
        return { passport, ttlSecs: 1800, difficultyBits: 4, solution: SOLUTION };
      },
      async solve(question) {
        asked.push(question);
        return isInTime(asked.length) ? `${question.challenge?.challenge}:${asked.length}` : null;
      },
    },
    {
      ...options,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        const one = { url: request.url, headers: request.headers, body: await request.text() };
        sent.push(one);
        return answer(one, sent.length - 1);
      },
    },
  );
  return { gateFetch, sent, asked, clock };
}

/** A gate that lets in who sends this passport. */
export const letsIn =
  (passport: string) =>
  ({ headers }: Sent): Response =>
    (headers.get('cookie') ?? '').includes(`pow_passport=${passport}`) ? new Response('in') : refusal();

export const URL_IN = 'https://gate.example/in';
