/**
 * Pages without a collection: words by Zipf's law (exponent 1), the same for a seed on every machine, made as they are
 * asked for, so that a million of them need no memory and any of them can be had again.
 */
export const WORDS = 200_000;
const BODY_WORDS = 120;
const TITLE_WORDS = 3;

const CONSONANTS = 'bdfgklmnprstvz';
const VOWELS = 'aeiou';
const SYLLABLES = CONSONANTS.length * VOWELS.length;

export type GeneratedPage = { title: string; body: string };

/** Kinds of queries that growth and speed are told for. */
export const KINDS = ['word', 'two words', 'beginning', 'typing error', 'phrase', 'frequent word'] as const;
export type Kind = (typeof KINDS)[number];

// Of two to four syllables, frequent words short as in a language, neighbours in rank unlike one another.
const words: readonly string[] = Array.from({ length: WORDS }, (_, rank) => {
  let rest = rank + SYLLABLES;
  let word = '';
  while (rest > 0) {
    const syllable = rest % SYLLABLES;
    word += CONSONANTS[syllable % CONSONANTS.length] + VOWELS[Math.floor(syllable / CONSONANTS.length)];
    rest = Math.floor(rest / SYLLABLES);
  }
  return word;
});

/** A sequence of numbers in 0..1 for a seed: a Weyl sequence through the finaliser of MurmurHash3. */
export function createChance(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
}

// The rank is log-uniform, which is Zipf's law with exponent 1.
const wordOf = (chance: () => number): string => words[Math.floor(WORDS ** chance()) - 1];

/** The page of a number. */
export function generatePage(number: number): GeneratedPage {
  const chance = createChance(number);
  const run = (length: number) => Array.from({ length }, () => wordOf(chance)).join(' ');
  return { title: run(TITLE_WORDS), body: run(BODY_WORDS) };
}

/** Queries of one kind for a site that holds the pages 0 to `pages` - 1. */
export function generateQueries(kind: Kind, count: number, pages: number): string[] {
  const chance = createChance(1_000_003 * (KINDS.indexOf(kind) + 1));
  const whole = (below: number) => Math.floor(chance() * below);
  const longWord = () => {
    let word = wordOf(chance);
    while (word.length < 6) word = wordOf(chance);
    return word;
  };
  const queries: Record<Kind, () => string> = {
    word: () => `${wordOf(chance)} `,
    'two words': () => `${wordOf(chance)} ${wordOf(chance)} `,
    beginning: () => longWord().slice(0, -2),
    'typing error': () => {
      const word = longWord();
      const at = 1 + whole(word.length - 3);
      return `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)} `;
    },
    phrase: () => {
      const body = generatePage(whole(pages)).body.split(' ');
      const at = whole(body.length - 1);
      return `"${body[at]} ${body[at + 1]}"`;
    },
    'frequent word': () => `${words[whole(20)]} `,
  };
  return Array.from({ length: count }, queries[kind]);
}
