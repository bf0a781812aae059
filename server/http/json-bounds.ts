const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/**
 * Whether JSON text nests at most `mostDepth` deep and has at most `mostValues` openings and commas: told in one walk over
 * the bytes, without making any of its values. 32 MB of `[],[],…` would become a gigabyte of arrays.
 *
 * What is no JSON may be told to be within bounds; the parser refuses it.
 */
export function isJsonWithin(bytes: Uint8Array, mostDepth: number, mostValues: number): boolean {
  let depth = 0;
  let values = 0;
  let isText = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (isText) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) values++;
    // `[` and `{`, `]` and `}` differ in one bit.
    else if ((byte | 0x20) === 0x7b) {
      values++;
      if (++depth > mostDepth) return false;
    } else if ((byte | 0x20) === 0x7d) depth--;
    if (values > mostValues) return false;
  }
  return true;
}
