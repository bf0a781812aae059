import * as at from '../../../assembly/layout.ts';
import { encodeBase64url, readBase64url } from '../../base/base64url.ts';
import type { Digest, Random } from '../../base/ports.ts';
import { type Challenge, packChallenge, unpackChallenge } from '../../wire/envelope.ts';
import { fault } from '../../wire/problem.ts';
import type { Keyring } from './keyring.ts';
import type { Route } from './policy.ts';
import { type Terms, type TierName, tierByte } from './tiers.ts';
import { hasWork, readAnswer } from './work.ts';

/** A fresh challenge, sealed, as base64url text of 115 characters. `route` null is for any route. */
export function issueChallenge(
  { tier, terms, route }: { tier: TierName; terms: Terms; route: Route | null },
  nowSecs: number,
  random: Random,
  keyring: Keyring,
): string {
  const challenge: Challenge = {
    kid: keyring.signingKid,
    tier: tierByte(tier),
    difficultyBits: terms.difficultyBits,
    isPerRequest: terms.passportTtlSecs === 0,
    route: route?.tag ?? 0,
    issuedAtSecs: nowSecs,
    expiresAtSecs: nowSecs + terms.challengeTtlSecs,
    lifetimeSecs: terms.passportTtlSecs,
    nonce: random.bytes(at.NONCE_BYTES),
  };
  return encodeBase64url(keyring.seal(packChallenge(challenge)));
}

/** What a solved challenge is shown for. */
export type Use =
  | { for: 'passport' }
  | { for: 'request'; route: Route; leastBits: number }
  /** By a site's own server, which may not say what for. */
  | { for: 'anything' };

/** A proof that holds, not yet spent. `answer` is its canonical text. */
export type Proof = { challenge: Challenge; answer: string };

/** What a text `<challenge>:<answer>` holds, or null where it has no colon. There is no second reading of one. */
export function splitProof(text: string): { challenge: string; answer: string } | null {
  const colon = text.indexOf(':');
  return colon < 0 ? null : { challenge: text.slice(0, colon), answer: text.slice(colon + 1) };
}

/**
 * Checks a solved challenge, cheapest first: text, seal, expiry, use, answer, hash. Everything but the answer is read
 * from under the seal. Nothing is spent here.
 *
 * @throws Fault `malformed-challenge`, `seal-invalid`, `challenge-expired`, `route-mismatch`, `malformed-answer`,
 *   `insufficient-work`, in this order
 */
export function checkProof(
  text: { challenge: string; answer: string },
  use: Use,
  nowSecs: number,
  keyring: Keyring,
  digest: Digest,
): Proof {
  const challenge = openChallenge(text.challenge, keyring);
  if (nowSecs >= challenge.expiresAtSecs) {
    throw fault(
      'challenge-expired',
      `the challenge expired ${nowSecs - challenge.expiresAtSecs} s ago; fetch another`,
    );
  }
  refuseOtherUse(challenge, use);
  const answer = readAnswer(text.answer);
  if (answer === null) {
    throw fault(
      'malformed-answer',
      'answer: expected a decimal integer 0..18446744073709551615 without leading zeros',
    );
  }
  if (!hasWork(digest, challenge.nonce, answer, challenge.difficultyBits)) {
    throw fault(
      'insufficient-work',
      `the hash of this answer has fewer than ${challenge.difficultyBits} leading zero bits`,
    );
  }
  return { challenge, answer: text.answer };
}

// One for all calls; nothing of it is handed on. An array above 64 bytes lies outside of V8's heap, and to make one takes
// as long as to read the text.
const envelope = new Uint8Array(at.CHALLENGE_BYTES);

function openChallenge(text: string, keyring: Keyring): Challenge {
  if (!readBase64url(text, envelope)) {
    throw fault(
      'malformed-challenge',
      `challenge: expected ${at.CHALLENGE_CHARS} characters of canonical base64url, got ${text.length} characters`,
    );
  }
  if (!keyring.isSealed(envelope, at.KIND_CHALLENGE)) {
    throw fault(
      'seal-invalid',
      'the challenge was not sealed here, or was changed, or its key has been retired',
    );
  }
  return unpackChallenge(envelope);
}

function refuseOtherUse(challenge: Challenge, use: Use): void {
  if (use.for === 'passport') {
    if (challenge.isPerRequest) {
      throw fault(
        'route-mismatch',
        'this challenge admits one request and mints no passport; send it with the request',
      );
    }
    return;
  }
  if (challenge.rebinding) {
    throw fault(
      'route-mismatch',
      'this challenge re-binds a passport; redeem it at /pow/passport, or fetch another for a request',
    );
  }
  if (use.for === 'anything') return;
  if (challenge.route !== 0 && challenge.route !== use.route.tag) {
    throw fault(
      'route-mismatch',
      `this challenge was made for another route than ${JSON.stringify(use.route.id)}`,
    );
  }
  if (challenge.difficultyBits < use.leastBits) {
    throw fault(
      'insufficient-work',
      `route ${JSON.stringify(use.route.id)} takes ${use.leastBits} bits, the challenge has ${challenge.difficultyBits}`,
    );
  }
}
