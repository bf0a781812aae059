import { LISTED_LANGUAGES, STOP_WORDS } from './stop-words.ts';

// Below this share of stop words a text is no prose of that language: a list of names, code, another language.
const LEAST_SHARE = 0.12;
const LEAST_WORDS = 3;

const SCRIPTS: [language: string, script: RegExp][] = [
  ['ja', /[\u3040-\u30ff]/],
  ['ko', /[\u1100-\u11ff\uac00-\ud7af]/],
  ['th', /[\u0e00-\u0e7f]/],
  ['zh', /[\u3400-\u4dbf\u4e00-\u9fff]/],
];

// All scripts that tell begin with Thai.
const isOfOtherScript = (word: string): boolean => word.charCodeAt(0) >= 0x0e00;

/**
 * The language that folded `words` are likely in, or null: by script where that tells, else by the share of stop words.
 * A word that several languages have counts for each of them in part.
 */
export function detectLanguage(words: readonly string[]): string | null {
  if (words.length < LEAST_WORDS) return null;
  for (const [language, script] of words.some(isOfOtherScript) ? SCRIPTS : []) {
    let of = 0;
    for (const word of words) if (script.test(word)) of++;
    // Japanese is written with Han as well, so a fifth of kana is enough.
    if (of > words.length / 5) return language;
  }
  const shares = new Float64Array(LISTED_LANGUAGES.length);
  for (const word of words) {
    const bits = STOP_WORDS.get(word);
    if (bits === undefined) continue;
    let languages = 0;
    for (let rest = bits; rest !== 0; rest &= rest - 1) languages++;
    for (let i = 0; i < shares.length; i++) if (bits & (1 << i)) shares[i] += 0.5 + 0.5 / languages;
  }
  let best = 0;
  for (let i = 1; i < shares.length; i++) if (shares[i] > shares[best]) best = i;
  return shares[best] / words.length >= LEAST_SHARE ? LISTED_LANGUAGES[best] : null;
}
