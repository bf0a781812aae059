declare module 'snowball-stemmers' {
  /** A stemmer of one of Snowball's algorithms, such as `english`. */
  export function newStemmer(algorithm: string): { stem(word: string): string };
  export function algorithms(): string[];
}
