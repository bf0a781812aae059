import { createHash, hkdfSync } from 'node:crypto';

const BLOCK_BYTES = 64;

/** HMAC-SHA-256 by its definition (RFC 2104 §2), for keys up to one block: what the measured ones are checked with. */
export function hmacByDefinition(key: Uint8Array, message: Uint8Array): Buffer {
  const pad = (byte: number) => Buffer.alloc(BLOCK_BYTES, byte).map((value, i) => value ^ (key[i] ?? 0));
  const inner = createHash('sha256').update(pad(0x36)).update(message).digest();
  return createHash('sha256').update(pad(0x5c)).update(inner).digest();
}

/**
 * Tells whether a text is an envelope sealed under `secret`, with nothing of the code that is measured: Node's base64url,
 * and the seal by definition over all bytes but the last 32.
 */
export function createSealCheck(secret: Uint8Array, purpose: string, sizeBytes: number) {
  const subkey = new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), purpose, 32));
  return function isSealedText(text: string): boolean {
    const bytes = Buffer.from(text, 'base64url');
    const covered = sizeBytes - 32;
    return (
      bytes.length === sizeBytes &&
      bytes.toString('base64url') === text &&
      hmacByDefinition(subkey, bytes.subarray(0, covered)).equals(bytes.subarray(covered))
    );
  };
}
