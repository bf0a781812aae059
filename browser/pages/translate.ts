import type { Language } from './language.ts';

/**
 * Puts the texts of one language into the page: title, every `data-text`, and the accessible names in `data-label`.
 * English stands in the HTML already and is left as it is.
 */
export function translate(page: Document, language: Language, text: Record<string, unknown>): void {
  if (page.documentElement.lang === language) return;
  page.documentElement.lang = language;
  const lookUp = (key: string): string => {
    const value = text[key];
    if (typeof value !== 'string') throw new Error(`translate: no text "${key}" in ${language}`);
    return value;
  };
  page.title = lookUp('title');
  for (const element of page.querySelectorAll<HTMLElement>('[data-text]')) {
    element.textContent = lookUp(element.dataset.text as string);
  }
  for (const element of page.querySelectorAll<HTMLElement>('[data-label]')) {
    element.setAttribute('aria-label', lookUp(element.dataset.label as string));
  }
}
