/** The mathematics of the search. Every try is a fresh draw that succeeds with probability 2⁻ᵇ. */

/** How many tries an answer takes in the mean. */
export function expectedTries(difficultyBits: number): number {
  return 2 ** difficultyBits;
}

/**
 * How likely `tries` tries hold an answer: 1 − (1 − 2⁻ᵇ)ⁿ, 0..1.
 *
 * Exact to the last places for small probabilities too, where the formula as written would lose all its digits.
 */
export function probabilityAfter(difficultyBits: number, tries: number): number {
  if (tries === 0) return 0; // else 0 · ln(1 − 1) at no bits
  return -Math.expm1(tries * Math.log1p(-(2 ** -difficultyBits)));
}

/**
 * How many tries hold an answer with at least `probability` (0..1): ⌈ln(1 − p) / ln(1 − 2⁻ᵇ)⌉, the quantile of the
 * geometric distribution. Half of all searches end within those of 0.5, and one in twenty takes more than those of 0.95.
 */
export function triesForProbability(difficultyBits: number, probability: number): number {
  if (difficultyBits === 0) return 1; // every try succeeds, and ln(1 − 1) is no number
  return Math.max(1, Math.ceil(Math.log1p(-probability) / Math.log1p(-(2 ** -difficultyBits))));
}

/** Expected seconds still to go, whatever was tried before; Infinity while no rate is known. */
export function etaSecs(difficultyBits: number, ratePerSec: number): number {
  return expectedTries(difficultyBits) / ratePerSec;
}
