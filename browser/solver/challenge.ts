import {
  BITS_AT,
  CHALLENGE_BYTES,
  CHALLENGE_CHARS,
  ENVELOPE_VERSION,
  KIND_AT,
  KIND_CHALLENGE,
  NONCE_AT,
  NONCE_BYTES,
  VERSION_AT,
} from '../../assembly/layout.ts';
import * as status from '../../assembly/status.ts';
import { decodeBase64url } from '../../server/base/base64url.ts';

/** What a solver reads of a challenge. The seal is the server's business. */
export type OpenChallenge = {
  difficultyBits: number;
  /** 32 bytes. */
  nonce: Uint8Array;
};

/** What was wrong with a challenge text. */
export type RefusalKind = 'length' | 'text' | 'version' | 'kind' | 'bits';

/** A text is no challenge that can be solved. The message says what was expected and what came. */
export class ChallengeRefused extends Error {
  override readonly name = 'ChallengeRefused';
  readonly kind: RefusalKind;
  constructor(kind: RefusalKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/**
 * The difficulty and nonce in a challenge text: 115 characters of canonical base64url, version 1, kind 1.
 *
 * @throws ChallengeRefused
 */
export function openChallenge(text: string): OpenChallenge {
  if (text.length !== CHALLENGE_CHARS) throw refusal(status.REFUSED_LENGTH, text);
  const bytes = decodeBase64url(text);
  if (bytes === null || bytes.length !== CHALLENGE_BYTES) throw refusal(status.REFUSED_TEXT, text);
  if (bytes[VERSION_AT] !== ENVELOPE_VERSION) throw refusal(status.REFUSED_VERSION, text);
  if (bytes[KIND_AT] !== KIND_CHALLENGE) throw refusal(status.REFUSED_KIND, text);
  if (bytes[BITS_AT] > status.MAX_DIFFICULTY_BITS) throw refusal(status.REFUSED_BITS, text);
  return { difficultyBits: bytes[BITS_AT], nonce: bytes.slice(NONCE_AT, NONCE_AT + NONCE_BYTES) };
}

/** The error for a status below zero (assembly/status.ts), which every kernel gives for the same text. */
export function refusal(code: number, text: string): ChallengeRefused {
  const byte = (offset: number) => decodeBase64url(text)?.[offset];
  switch (code) {
    case status.REFUSED_LENGTH:
      return new ChallengeRefused(
        'length',
        `challenge: expected ${CHALLENGE_CHARS} characters, got ${text.length}`,
      );
    case status.REFUSED_TEXT:
      return new ChallengeRefused(
        'text',
        `challenge: expected canonical base64url without padding, ${foreignPart(text)}`,
      );
    case status.REFUSED_VERSION:
      return new ChallengeRefused(
        'version',
        `challenge: expected version ${ENVELOPE_VERSION}, got ${byte(VERSION_AT)}`,
      );
    case status.REFUSED_KIND:
      return new ChallengeRefused(
        'kind',
        `challenge: expected kind ${KIND_CHALLENGE} (a challenge), got ${byte(KIND_AT)}`,
      );
    case status.REFUSED_BITS:
      return new ChallengeRefused(
        'bits',
        `challenge: expected at most ${status.MAX_DIFFICULTY_BITS} difficulty bits, got ${byte(BITS_AT)}`,
      );
    default:
      throw new RangeError(`solver status: expected -5..-1, got ${code}`);
  }
}

function foreignPart(text: string): string {
  const at = text.search(/[^A-Za-z0-9_-]/);
  return at < 0 ? 'got spare bits that are not zero' : `got ${JSON.stringify(text[at])} at ${at}`;
}
