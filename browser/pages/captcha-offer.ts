import type { SolveProgress } from '../solver/protocol.ts';

/** All our choice. A minute is what visitors still wait for a page that tells them how long it takes. */
export const PATIENCE_SECS = 60;
/** By then every kernel runs at its own pace: optimised code comes within the first second. */
export const MEASURED_AFTER_MS = 3000;

/** What the server takes as a return target (`server/http/return-path.ts`). */
const MOST_RETURN_CHARS = 4096;

/**
 * Whether solving takes too long here for a visitor to be left with it.
 *
 * @param progress of the running search; its rate is measured, whichever kernel runs
 * @param waitedMs since the first search of this page began: several puzzles may have run out meanwhile
 */
export function isTooSlow(
  { elapsedMs, etaSecs }: Pick<SolveProgress, 'elapsedMs' | 'etaSecs'>,
  waitedMs: number,
): boolean {
  const isForeseen = elapsedMs >= MEASURED_AFTER_MS && etaSecs > PATIENCE_SECS;
  return isForeseen || waitedMs >= PATIENCE_SECS * 1000;
}

/** The server's link, with the address that this browser shows: it alone knows the fragment. */
export function offerHref(captcha: string, { pathname, search, hash }: Location, isForm: boolean): string {
  const [path, query] = captcha.split('?');
  const parameters = new URLSearchParams(query);
  const returnTo = `${pathname}${search}${hash}`;
  parameters.delete('return_to');
  if (!isForm && returnTo.length <= MOST_RETURN_CHARS) parameters.set('return_to', returnTo);
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}
