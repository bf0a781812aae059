import { obtainPassportFor } from '../frame/solve-for-page.ts';
import { createPassportSource, createTurns, type PassportSource } from './passport-source.ts';

const sources = new Map<string, PassportSource>();
const takeTurns = createTurns();

/** The one source of this page for a gate and a route. @param api an origin */
export function sourceOf(api: string, route: string | undefined): PassportSource {
  const key = `${api} ${route ?? ''}`;
  const known = sources.get(key);
  if (known) return known;
  const obtain = takeTurns((options) => obtainPassportFor(api, { ...options, route }));
  const source = createPassportSource({ obtain, now: Date.now });
  sources.set(key, source);
  return source;
}
