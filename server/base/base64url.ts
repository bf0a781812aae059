/** base64url without padding (RFC 4648 §5), canonical both ways: one byte string has exactly one text. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
// Negative, so that a word of four values is negative where one of them is foreign.
const FOREIGN = -1;

const VALUES = new Int8Array(128).fill(FOREIGN);
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
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  return readBase64url(text, bytes) ? bytes : null;
}

/**
 * Writes the bytes of `text` to `bytes`; false where they are not as many, or the text is not canonical. It may have
 * written then.
 */
export function readBase64url(text: string, bytes: Uint8Array): boolean {
  const rest = text.length % 4;
  if (rest === 1 || bytes.length !== Math.floor((text.length * 3) / 4)) return false;
  // Four characters make three bytes. Whether any was foreign is asked once, at the end: a third of the time.
  let codes = 0;
  let words = 0;
  let at = 0;
  for (let i = 0; i < text.length - rest; i += 4) {
    const a = text.charCodeAt(i);
    const b = text.charCodeAt(i + 1);
    const c = text.charCodeAt(i + 2);
    const d = text.charCodeAt(i + 3);
    const word = (VALUES[a & 127] << 18) | (VALUES[b & 127] << 12) | (VALUES[c & 127] << 6) | VALUES[d & 127];
    codes |= a | b | c | d;
    words |= word;
    bytes[at++] = word >> 16;
    bytes[at++] = word >> 8;
    bytes[at++] = word;
  }
  let spareBits = 0;
  if (rest > 0) {
    const a = text.charCodeAt(text.length - rest);
    const b = text.charCodeAt(text.length - rest + 1);
    // What is missing counts as A, which is zero.
    const c = rest === 3 ? text.charCodeAt(text.length - 1) : 65;
    const word = (VALUES[a & 127] << 12) | (VALUES[b & 127] << 6) | VALUES[c & 127];
    codes |= a | b | c;
    words |= word;
    bytes[at++] = word >> 10;
    if (rest === 3) bytes[at] = word >> 2;
    spareBits = rest === 3 ? word & 3 : word & 1023;
  }
  return codes < 128 && words >= 0 && spareBits === 0;
}
