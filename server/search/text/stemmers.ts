import { newStemmer } from 'snowball-stemmers';

// Snowball's algorithms by the primary tag of BCP 47; `english` is Porter2.
const ALGORITHMS: Record<string, string> = {
  en: 'english',
  de: 'german',
  fr: 'french',
  es: 'spanish',
  it: 'italian',
  pt: 'portuguese',
  nl: 'dutch',
  sv: 'swedish',
  no: 'norwegian',
  nb: 'norwegian',
  nn: 'norwegian',
  da: 'danish',
  fi: 'finnish',
  ru: 'russian',
};

/** Languages whose words are stemmed. */
export const STEMMED_LANGUAGES = Object.keys(ALGORITHMS);

// A stem takes 1 to 8 µs, and words repeat. Two generations keep what is used and stay bounded.
const GENERATION = 50_000;

/** A function from language and folded word to stem; what has no stemmer is its own stem. */
export function createStemmers(): (language: string, word: string) => string {
  const byLanguage = new Map<string, (word: string) => string>();
  return (language, word) => {
    let stem = byLanguage.get(language);
    if (!stem) {
      const algorithm = ALGORITHMS[language];
      if (algorithm === undefined) return word;
      const stemmer = newStemmer(algorithm);
      stem = remember((text) => stemmer.stem(text));
      byLanguage.set(language, stem);
    }
    return stem(word);
  };
}

function remember(compute: (word: string) => string): (word: string) => string {
  let young = new Map<string, string>();
  let old = new Map<string, string>();
  return (word) => {
    let value = young.get(word);
    if (value !== undefined) return value;
    value = old.get(word) ?? compute(word);
    if (young.size >= GENERATION) {
      old = young;
      young = new Map();
    }
    young.set(word, value);
    return value;
  };
}
