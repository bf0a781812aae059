import { hash } from 'node:crypto';
import { blake2b } from '@noble/hashes/blake2.js';
import type { Proof } from './solver.ts';

/** Whether the message has the digest that the solver says; computed by another implementation than its own. */
export function isProven({ message, hash: algorithm, at, expected, tries }: Proof): boolean {
  const digest = algorithm === 'sha256' ? hash('sha256', message, 'buffer') : blake2b(message, { dkLen: 32 });
  return tries > 0 && expected.every((byte, i) => digest[at + i] === byte);
}

/** A proof as JSON takes it, since it travels from another process. */
export type WrittenProof = Omit<Proof, 'message'> & { message: string };

export const writeProof = (proof: Proof): WrittenProof => ({
  ...proof,
  message: Buffer.from(proof.message).toString('hex'),
});

export const readProof = (proof: WrittenProof): Proof => ({
  ...proof,
  message: Buffer.from(proof.message, 'hex'),
});
