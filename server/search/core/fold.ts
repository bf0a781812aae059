/** The form in which words are compared: compatible forms made one, lower case, without diacritics. */

// Letters that Unicode does not decompose, but which people type without (our choice, after common search engines).
const SPECIAL: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŋ: 'n',
  ŧ: 't',
  ĸ: 'k',
  ɓ: 'b',
  ƒ: 'f',
  ё: 'е',
  ς: 'σ',
  ſ: 's',
};

const NON_ASCII = /[^\0-\x7f]/;
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;
// Marks go where they are an accent (Latin, Greek) or optional (Arabic, Hebrew points); in other scripts they make another
// letter: й is not и, and a Thai or Devanagari vowel sign is a vowel.
const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu;
const POINTS = /[\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g;
const FOLDED_SPECIALLY = new RegExp(`[${Object.keys(SPECIAL).join('')}]`, 'g');

// Folding a word that is not ASCII takes some µs, and texts repeat their words.
const MOST_REMEMBERED = 20_000;
const remembered = new Map<string, string>();

/** `word`, which is one token, folded. What has no letters left is empty. */
export function fold(word: string): string {
  if (!NON_ASCII.test(word)) return word.toLowerCase();
  const known = remembered.get(word);
  if (known !== undefined) return known;
  const folded = word
    .normalize('NFKC')
    .toLowerCase()
    .replace(INVISIBLE, '')
    .normalize('NFD')
    .replace(ACCENTS, '$1')
    .replace(POINTS, '')
    .normalize('NFC')
    .replace(FOLDED_SPECIALLY, (letter) => SPECIAL[letter]);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(word, folded);
  return folded;
}
