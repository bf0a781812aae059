import { obtainPassportFor, solveChallengeFor } from '../frame/solve-for-page.ts';
import { after } from '../solver/after.ts';
import { createGateClient } from '../solver/gate-client.ts';
import { solveInTime, untilAborted } from '../solver/obtain-passport.ts';
import { createWhenSeen } from '../solver/visibility.ts';
import { createGateFetchWith, type GateFetchOptions } from './gate-fetch.ts';

export { SessionError } from '../solver/session-error.ts';
export type { GateFetchOptions };

const now = () => performance.now();
const isOwn = (origin: string) => origin === location.origin;

/**
 * A `fetch` for pages that pays at a gate. On the page's own origin it wins a passport, which the browser keeps as a cookie.
 * On another, whose gate must list the page's origin, each request carries a proof: browsers keep no cookie there.
 */
export function createGateFetch(options: GateFetchOptions = {}): typeof globalThis.fetch {
  return createGateFetchWith(
    {
      base: () => document.baseURI,
      keepsCookies: () => true,
      takesPassports: isOwn,
      now,
      obtainPassport: ({ origin, ...asked }) => obtainPassportFor(origin, asked),
      async solve({ origin, route, challenge, receivedMs, fetch, signal, onProgress }) {
        const gate = createGateClient({ after, fetch: (path, init) => fetch(new URL(path, origin), init) });
        const held = challenge
          ? { body: challenge, receivedMs }
          : { body: await gate.fetchChallenge(route, signal), receivedMs: now() };
        const answer = await solveInTime(
          { now, after, solve: (text, asked = {}) => solveChallengeFor(origin, text, asked) },
          held,
          signal,
          onProgress,
        );
        // A hidden page solves nothing, so that the next challenge would expire like this one.
        const hidden = answer === null ? createWhenSeen(document)() : null;
        if (hidden) await untilAborted(hidden, signal);
        return answer === null ? null : `${held.body.challenge}:${answer}`;
      },
    },
    options,
  );
}
