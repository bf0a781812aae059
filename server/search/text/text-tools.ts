import type { TextTools } from '../core/text-tools.ts';
import { detectLanguage } from './detect-language.ts';
import { createSegmenter } from './segment.ts';
import { createStemmers } from './stemmers.ts';
import { LISTED_LANGUAGES, STOP_WORDS } from './stop-words.ts';

const BITS = new Map(LISTED_LANGUAGES.map((language, i) => [language, 1 << i]));
// Both written forms of Norwegian share one list.
const ALIASES: Record<string, string> = { nb: 'no', nn: 'no' };

/** Stemming by Snowball, words of dense scripts by ICU (`Intl.Segmenter`), stop words and detection by our own lists. */
export function createTextTools(): TextTools {
  return {
    stem: createStemmers(),
    isStopWord: (language, word) =>
      ((STOP_WORDS.get(word) ?? 0) & (BITS.get(ALIASES[language] ?? language) ?? 0)) !== 0,
    segment: createSegmenter(),
    detect: detectLanguage,
  };
}
