/** Our choice: short enough that progress is live and a found answer is heard at once, long enough that the
 * message around a step costs nothing (a message per 1,000 tries would cost three quarters of the speed). */
const TARGET_MS = 50;
/** Below a clock tick, as browsers round them, the rate is unknown. */
const LEAST_MS = 1;
const MOST_TRIES = 2 ** 31 - 1;

/** Tries of a worker's first step: some milliseconds on a fast device, not a second on the slowest. */
export const FIRST_STEP_TRIES = 4096;

/**
 * How many tries the next step makes, after one of `tries` tries took `elapsedMs`: a whole number.
 * It grows or shrinks by no more than a factor of 8, so that one hiccup or one coarse clock does little.
 */
export function nextStepTries(tries: number, elapsedMs: number): number {
  const factor = TARGET_MS / Math.max(elapsedMs, LEAST_MS);
  const wanted = Math.round(tries * Math.min(8, Math.max(1 / 8, factor)));
  return Math.min(MOST_TRIES, Math.max(1, wanted));
}
