/** What a character is to the index. */
export const SEPARATOR = 0;
/** A letter, digit or mark of a script that puts spaces between words. */
export const WORD = 1;
/** Of a script without spaces between words, or of Hangul, whose words carry their particles. */
export const DENSE = 2;
/** Invisible inside a word: soft hyphen, joiners, marks of direction. */
export const IGNORED = 3;

const UNKNOWN = 255;

const LETTERS = /^[\p{L}\p{N}\p{M}]$/u;
const DENSE_SCRIPTS =
  /^(?:\p{scx=Han}|\p{scx=Hiragana}|\p{scx=Katakana}|\p{Script=Hangul}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}|\p{Script=Myanmar})$/u;
const INVISIBLE = /^[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]$/u;

const classes = new Uint8Array(65_536).fill(UNKNOWN);
for (let code = 0; code < 128; code++) {
  classes[code] = LETTERS.test(String.fromCharCode(code)) ? WORD : SEPARATOR;
}

/** Of the characters of ASCII: 0 separates, 1 is a small letter or a digit, 3 a capital. */
export const ASCII_WORD = Uint8Array.from({ length: 128 }, (_, code) =>
  classes[code] !== WORD ? 0 : code >= 65 && code <= 90 ? 3 : 1,
);

/** The class of the code point `code`; a lone surrogate separates. */
export function classOf(code: number): number {
  if (code > 0xffff) return classify(code);
  let found = classes[code];
  if (found === UNKNOWN) {
    found = classify(code);
    classes[code] = found;
  }
  return found;
}

function classify(code: number): number {
  if (code >= 0xd800 && code <= 0xdfff) return SEPARATOR;
  const text = String.fromCodePoint(code);
  if (INVISIBLE.test(text)) return IGNORED;
  if (!LETTERS.test(text)) return SEPARATOR;
  // Marks that many scripts share (U+3099 and the like) go with the letter before them either way.
  return DENSE_SCRIPTS.test(text) && !/^[A-Za-z\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]$/.test(text)
    ? DENSE
    : WORD;
}
