import { triesForProbability } from '../../solver/odds.ts';

/** How long a puzzle of so many bits takes, in seconds: half of all within `median`, 19 of 20 within `most`. */
export type SolveTime = { bits: number; median: number; most: number };

const LEAST_BITS = 16;
const MOST_BITS = 24;

export const BITS = Array.from({ length: MOST_BITS - LEAST_BITS + 1 }, (_, i) => LEAST_BITS + i);

/** The time to solve 16 to 24 bits at so many hashes per second: exact, by the geometric distribution. */
export function solveTimes(ratePerSec: number): SolveTime[] {
  return BITS.map((bits) => ({
    bits,
    median: triesForProbability(bits, 0.5) / ratePerSec,
    most: triesForProbability(bits, 0.95) / ratePerSec,
  }));
}
