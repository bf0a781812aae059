/** What the index needs to know of languages. Packages provide it, so it is a port. */
export type TextTools = {
  /** The stem of a folded word, or the word itself where the language has no stemmer here. */
  stem(language: string, word: string): string;
  isStopWord(language: string, word: string): boolean;
  /**
   * Where words end in `run`, a text of one dense script: ascending offsets, the last is the length.
   * The same text gives the same answer at index and at query time.
   */
  segment(run: string): number[];
  /** The primary tag of the language that `words` (folded) are likely in, or null. */
  detect(words: readonly string[]): string | null;
};
