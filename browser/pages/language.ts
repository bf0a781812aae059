/** The languages that visitors' pages are written in. To add one, add it here; the compiler then names every table. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * The first of the visitor's languages that we have, English when there is none.
 *
 * @param preferred BCP 47 tags, best first, as in navigator.languages
 */
export function chooseLanguage(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const primary = tag.toLowerCase().split('-')[0];
    const known = LANGUAGES.find((language) => language === primary);
    if (known) return known;
  }
  return 'en';
}
