import { createHash } from 'node:crypto';
import { BITS_AT, NONCE_AT, NONCE_BYTES } from '../assembly/layout.ts';

/** A challenge with the decimal text that is shown for it. */
export type ShownProof = { challenge: string; answer: string };

/** The least answer that solves a challenge of up to about 12 bits: every one is tried. */
export function solve(challenge: string): ShownProof {
  return { challenge, answer: firstAnswer(challenge, true) };
}

/** The same challenge with an answer in the right form that does not solve it. */
export function solveWrongly(challenge: string): ShownProof {
  return { challenge, answer: firstAnswer(challenge, false) };
}

/** The challenge with the last bit of its tag flipped: all is done for it, up to the comparison of the tags. */
export function flipTagBit(challenge: string): string {
  const bytes = Buffer.from(challenge, 'base64url');
  bytes[bytes.length - 1] ^= 1;
  return bytes.toString('base64url');
}

function firstAnswer(challenge: string, isSolving: boolean): string {
  const envelope = Buffer.from(challenge, 'base64url');
  const message = Buffer.alloc(NONCE_BYTES + 8);
  envelope.copy(message, 0, NONCE_AT, NONCE_AT + NONCE_BYTES);
  const target = 2n ** BigInt(256 - envelope[BITS_AT]);
  for (let answer = 0n; ; answer++) {
    message.writeBigUInt64LE(answer, NONCE_BYTES);
    const digest = createHash('sha256').update(message).digest('hex');
    if (BigInt(`0x${digest}`) < target === isSolving) return String(answer);
  }
}
