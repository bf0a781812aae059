/** The names of all texts, in the order of the tables below: a name for each text of each language costs a hundred bytes. */
const NAMES = [
  'search',
  'clear',
  'results',
  'one',
  'many',
  'searching',
  'none',
  'noneNote',
  'suggestion',
  'categories',
  'more',
  'offline',
  'server',
  'retry',
] as const;

export type FinderText = Record<(typeof NAMES)[number], string>;

/** Every sentence of the bar. `{n}` and `{query}` are filled in. */
const TEXTS: Record<string, readonly string[]> = {
  en: [
    'Search',
    'Clear the search',
    'Results',
    '{n} result',
    '{n} results',
    'Searching…',
    'Nothing found for “{query}”',
    'Try fewer or other words.',
    'Did you mean {query}?',
    'Categories',
    'More results',
    'The search cannot be reached. Are you online?',
    'The search does not work right now. Please try again in a moment.',
    'Try again',
  ],
  de: [
    'Suchen',
    'Suche leeren',
    'Ergebnisse',
    '{n} Ergebnis',
    '{n} Ergebnisse',
    'Suche läuft…',
    'Nichts gefunden zu „{query}“',
    'Versuchen Sie es mit weniger oder anderen Wörtern.',
    'Meinten Sie {query}?',
    'Kategorien',
    'Weitere Ergebnisse',
    'Die Suche ist nicht erreichbar. Sind Sie online?',
    'Die Suche funktioniert gerade nicht. Bitte versuchen Sie es gleich noch einmal.',
    'Erneut versuchen',
  ],
  fr: [
    'Rechercher',
    'Effacer la recherche',
    'Résultats',
    '{n} résultat',
    '{n} résultats',
    'Recherche en cours…',
    'Aucun résultat pour « {query} »',
    'Essayez avec moins de mots ou d’autres mots.',
    'Vouliez-vous dire {query} ?',
    'Catégories',
    'Plus de résultats',
    'La recherche est injoignable. Êtes-vous en ligne ?',
    'La recherche ne fonctionne pas pour le moment. Veuillez réessayer dans un instant.',
    'Réessayer',
  ],
  es: [
    'Buscar',
    'Borrar la búsqueda',
    'Resultados',
    '{n} resultado',
    '{n} resultados',
    'Buscando…',
    'No se encontró nada para «{query}»',
    'Pruebe con menos palabras o con otras.',
    '¿Quiso decir {query}?',
    'Categorías',
    'Más resultados',
    'No se puede acceder a la búsqueda. ¿Tiene conexión?',
    'La búsqueda no funciona en este momento. Inténtelo de nuevo más tarde.',
    'Reintentar',
  ],
  ar: [
    'بحث',
    'مسح البحث',
    'النتائج',
    'عدد النتائج: {n}',
    'عدد النتائج: {n}',
    'جارٍ البحث…',
    'لا توجد نتائج عن «{query}»',
    'جرّب كلمات أقل أو كلمات أخرى.',
    'هل تقصد {query}؟',
    'التصنيفات',
    'المزيد من النتائج',
    'يتعذر الوصول إلى البحث. هل أنت متصل بالإنترنت؟',
    'البحث لا يعمل حاليًا. يُرجى المحاولة بعد قليل.',
    'إعادة المحاولة',
  ],
};

/** The languages that the bar speaks. */
export const FINDER_LANGUAGES: readonly string[] = Object.keys(TEXTS);

const RIGHT_TO_LEFT = ['ar'];

/** The words of a bar. `direction` is null where that of the page holds. */
export type Wording = {
  language: string;
  text: FinderText;
  direction: 'rtl' | 'ltr' | null;
  count(n: number): string;
  number(n: number): string;
};

/**
 * The words in the first of the languages that the bar speaks, English where it speaks none.
 * @param preferred BCP 47 tags, best first
 */
export function chooseWording(preferred: readonly string[]): Wording {
  const primaries = preferred.map((tag) => tag.toLowerCase().split('-')[0]);
  const language = primaries.find((primary) => FINDER_LANGUAGES.includes(primary)) ?? 'en';
  const text = Object.fromEntries(NAMES.map((name, at) => [name, TEXTS[language][at]])) as FinderText;
  const number = (n: number) => n.toLocaleString(language);
  return {
    language,
    text,
    number,
    direction: RIGHT_TO_LEFT.includes(language) ? 'rtl' : null,
    count(n) {
      const isOne = new Intl.PluralRules(language).select(n) === 'one';
      return fill(isOne ? text.one : text.many, { n: number(n) });
    },
  };
}

/** A text with its slots filled. */
export const fill = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (slot, name: string) => values[name] ?? slot);
