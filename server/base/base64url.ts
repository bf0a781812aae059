/** base64url without padding (RFC 4648 §5), canonical both ways: one byte string has exactly one text. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const NONE = 255;

const VALUES = new Uint8Array(128).fill(NONE);
for (let i = 0; i < 64; i++) VALUES[ALPHABET.charCodeAt(i)] = i;

// Two characters at a time: the text of each 12-bit number.
const PAIRS = Array.from({ length: 4096 }, (_, i) => ALPHABET[i >> 6] + ALPHABET[i & 63]);

/** The text of `bytes`: ceil(4n / 3) characters, no padding. */
export function encodeBase64url(bytes: Uint8Array): string {
  let text = '';
  let i = 0;
  for (; i + 2 < bytes.length; i += 3) {
    const word = (bytes[i] << 16) | (bytes[i + 1] << 8) | bytes[i + 2];
    text += PAIRS[word >> 12] + PAIRS[word & 4095];
  }
  const rest = bytes.length - i;
  if (rest === 1) text += ALPHABET[bytes[i] >> 2] + ALPHABET[(bytes[i] & 3) << 4];
  if (rest === 2) {
    const word = (bytes[i] << 8) | bytes[i + 1];
    text += ALPHABET[word >> 10] + ALPHABET[(word >> 4) & 63] + ALPHABET[(word & 15) << 2];
  }
  return text;
}

/**
 * The bytes of `text`, or null where it is not the canonical text of any byte string:
 * a foreign character, padding, a length that is 1 modulo 4, or a spare bit that is not zero.
 * A second text for the same bytes would let one proof be shown as two.
 */
export function decodeBase64url(text: string): Uint8Array | null {
  const rest = text.length % 4;
  if (rest === 1) return null;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let word = 0;
  let bits = 0;
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const value = code < 128 ? VALUES[code] : NONE;
    if (value === NONE) return null;
    word = ((word << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = word >> bits;
    }
  }
  return (word & ((1 << bits) - 1)) === 0 ? bytes : null;
}
