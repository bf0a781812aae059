import type { SealingKey } from './core/keyring.ts';

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const LEAST_BYTES = 32;

/**
 * The keys that `text` writes as `kid:base64,…` (kid 0..255, base64 or base64url, 32 bytes or more each).
 * @throws RangeError that names the place but never the secret
 */
export function readSealingKeys(text: string): SealingKey[] {
  const keys = text.split(',').map((entry, i) => {
    const [kidText, secretText = ''] = entry.trim().split(':', 2);
    const kid = /^\d{1,3}$/.test(kidText) ? Number(kidText) : Number.NaN;
    if (!(kid <= 255)) throw new RangeError(`key ${i + 1}: expected kid:base64 with a kid of 0..255`);
    if (!BASE64.test(secretText))
      throw new RangeError(`key ${i + 1} (kid ${kid}): expected base64 after the colon`);
    const secret = Buffer.from(secretText, 'base64');
    if (secret.length < LEAST_BYTES) {
      throw new RangeError(
        `key ${i + 1} (kid ${kid}): expected ${LEAST_BYTES} bytes or more, got ${secret.length}`,
      );
    }
    return { kid, secret: new Uint8Array(secret) };
  });
  const kids = keys.map(({ kid }) => kid);
  if (new Set(kids).size < kids.length)
    throw new RangeError(`expected each kid once, got ${kids.join(', ')}`);
  return keys;
}
