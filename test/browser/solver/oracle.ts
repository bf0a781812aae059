import { createHash } from 'node:crypto';

const WRAP = 2n ** 64n;

/** Leading zero bits of SHA-256(nonce ‖ answer as u64, little-endian), by node:crypto. */
export function leadingZeroBits(nonce: Uint8Array, answer: bigint): number {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(answer);
  const digest = createHash('sha256').update(nonce).update(bytes).digest();
  const bits = [...digest].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.indexOf('1');
}

/** What a kernel's step must give: the first answer of `count` from `start` on, wrapping at 2⁶⁴, or null. */
export function naiveStep(nonce: Uint8Array, bits: number, start: bigint, count: number): bigint | null {
  for (let i = 0n; i < count; i++) {
    const answer = (start + i) % WRAP;
    if (leadingZeroBits(nonce, answer) >= bits) return answer;
  }
  return null;
}
