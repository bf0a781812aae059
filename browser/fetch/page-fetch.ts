import { obtainPassportFor, solveChallengeFor } from '../frame/solve-for-page.ts';
import { after } from '../solver/after.ts';
import { createGateClient } from '../solver/gate-client.ts';
import { createGateFetchWith, type GateFetchOptions } from './gate-fetch.ts';

export { SessionError } from '../solver/session-error.ts';
export type { GateFetchOptions };

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
      now: () => performance.now(),
      obtainPassport: ({ origin, ...asked }) => obtainPassportFor(origin, asked),
      async solve({ origin, route, challenge, fetch, signal, onProgress }) {
        const gate = createGateClient({ after, fetch: (path, init) => fetch(new URL(path, origin), init) });
        const { challenge: text } = challenge ?? (await gate.fetchChallenge(route, signal));
        return `${text}:${await solveChallengeFor(origin, text, { signal, onProgress })}`;
      },
    },
    options,
  );
}
