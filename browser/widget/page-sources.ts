import { after } from '../solver/after.ts';
import type { Passport } from '../solver/obtain-passport.ts';
import { obtainPassport, SessionError } from '../solver/session.ts';
import { askFrame } from './ask-frame.ts';
import { pageFrame } from './page-frame.ts';
import { createPassportSource, createTurns, type Obtain, type PassportSource } from './passport-source.ts';

const sources = new Map<string, PassportSource>();
const takeTurns = createTurns();

/** The one source of this page for a gate and a route. @param api an origin */
export function sourceOf(api: string, route: string | undefined): PassportSource {
  const key = `${api} ${route ?? ''}`;
  const known = sources.get(key);
  if (known) return known;
  const obtain = takeTurns(api === location.origin ? ownOrigin(route) : otherOrigin(api, route));
  const source = createPassportSource({ obtain, now: Date.now });
  sources.set(key, source);
  return source;
}

const otherOrigin =
  (api: string, route: string | undefined): Obtain =>
  async (options) => {
    const question = { type: 'passport' as const, ...(route !== undefined && { route }) };
    const answer = await askFrame({ ...pageFrame(api), after }, question, options);
    return (answer as { passport: Passport }).passport;
  };

/**
 * Solves in workers of this page. Where it may start none (its policy forbids them, or the policy `gatehouse` of Trusted
 * Types, or the worker's file is of an older build), a frame of the same origin may.
 */
const ownOrigin =
  (route: string | undefined): Obtain =>
  async (options) => {
    try {
      return await obtainPassport({ ...options, route });
    } catch (error) {
      if (!(error instanceof SessionError) || error.code !== 'solver-failed') throw error;
      try {
        return await otherOrigin(location.origin, route)(options);
      } catch (second) {
        // That there is no frame either says less than why there was no worker.
        throw second instanceof SessionError && second.code === 'frame-failed' ? error : second;
      }
    }
  };
