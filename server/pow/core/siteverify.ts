import type { Head } from '../../wire/envelope.ts';
import type { ProblemCode } from '../../wire/problem.ts';
import type { SiteverifyBody, SiteverifyCode } from '../../wire/siteverify.ts';
import { TIERS } from './tiers.ts';

/** Secrets for the tests of a site, in the form that the CAPTCHA services use: no key, no visitor, always one answer. */
export const TEST_SECRETS: Record<string, SiteverifyCode | null> = {
  '1x0000000000000000000000000000000AA': null,
  '2x0000000000000000000000000000000AA': 'invalid-input-response',
  '3x0000000000000000000000000000000AA': 'timeout-or-duplicate',
};

/** What a refusal of the gate is called in the convention. What is not a matter of the visitor is not in it. */
export const CODE_OF: Partial<Record<ProblemCode, SiteverifyCode>> = {
  'malformed-request': 'invalid-input-response',
  'malformed-challenge': 'invalid-input-response',
  'malformed-answer': 'invalid-input-response',
  'seal-invalid': 'invalid-input-response',
  'insufficient-work': 'invalid-input-response',
  'route-mismatch': 'invalid-input-response',
  'proof-required': 'invalid-input-response',
  'passport-invalid': 'invalid-input-response',
  'passport-too-weak': 'invalid-input-response',
  'passport-expired': 'timeout-or-duplicate',
  'challenge-expired': 'timeout-or-duplicate',
  'challenge-already-used': 'timeout-or-duplicate',
  'passport-network-mismatch': 'network-mismatch',
};

/** The answer for work that holds, read from under its seal. */
export function passed({ issuedAtSecs, expiresAtSecs, difficultyBits, tier }: Head): SiteverifyBody {
  const iso = (secs: number) => new Date(secs * 1000).toISOString();
  return {
    success: true,
    challenge_ts: iso(issuedAtSecs),
    difficulty_bits: difficultyBits,
    tier: TIERS[tier].name,
    expires_at: iso(expiresAtSecs),
    'error-codes': [],
  };
}

/** The answer for work that does not. */
export const failed = (code: SiteverifyCode): SiteverifyBody => ({ success: false, 'error-codes': [code] });
