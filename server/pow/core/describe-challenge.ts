import type { ChallengeBody } from '../../wire/pow.ts';
import type { Terms, TierName } from './tiers.ts';

// A mid-range phone of some years ago; slower than this is rare. Our choice, told in the docs.
const SLOW_DEVICE_TRIES_PER_SEC = 1_000_000;

/** What a caller is told of a sealed challenge. */
export function describeChallenge(
  challenge: string,
  tier: TierName,
  { difficultyBits, challengeTtlSecs }: Pick<Terms, 'difficultyBits' | 'challengeTtlSecs'>,
): ChallengeBody {
  const expectedTries = 2 ** difficultyBits;
  return {
    challenge,
    difficulty_bits: difficultyBits,
    expires_in_secs: challengeTtlSecs,
    tier,
    expected_tries: expectedTries,
    ...(isLikelyMissed(expectedTries, challengeTtlSecs) && {
      warning: `a device of ${SLOW_DEVICE_TRIES_PER_SEC} tries a second would likely not finish in ${challengeTtlSecs} s`,
    }),
  };
}

// At twice the expected tries 86% have found an answer.
const isLikelyMissed = (expectedTries: number, ttlSecs: number) =>
  (2 * expectedTries) / SLOW_DEVICE_TRIES_PER_SEC > ttlSecs;
