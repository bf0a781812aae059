import type {
  Hit,
  IndexBackend,
  IndexPage,
  SearchAnswer,
  SearchRequest,
} from '../server/search/core/ports.ts';

/**
 * The index by definition: every page is read for every query. It knows words, phrases, exclusions, labels and paging, and
 * nothing of forms, typing errors or scripts without spaces. What it finds is what the real one must find.
 */
export function createNaiveIndex(): IndexBackend {
  const sites = new Map<string, Map<string, IndexPage>>();
  const pagesOf = (siteId: string) => sites.get(siteId) ?? new Map<string, IndexPage>();

  return {
    async put(siteId, pages, mostPages) {
      const next = new Map(pagesOf(siteId));
      const outcomes = pages.map((page) => {
        const isNew = !next.has(page.id);
        next.set(page.id, page);
        return { id: page.id, isNew };
      });
      if (next.size > mostPages) return null;
      sites.set(siteId, next);
      return outcomes;
    },
    get: async (siteId, pageId) => pagesOf(siteId).get(pageId) ?? null,
    async remove(siteId, pageIds) {
      const pages = pagesOf(siteId);
      return pageIds.filter((id) => pages.delete(id)).length;
    },
    async list(siteId, after, limit) {
      const ids = [...pagesOf(siteId).keys()].sort().filter((id) => after === null || id > after);
      return ids.slice(0, limit).map((id) => headOf(pagesOf(siteId).get(id) as IndexPage));
    },
    async drop(siteId) {
      sites.delete(siteId);
    },
    search: async (siteId, request) => searchNaively([...pagesOf(siteId).values()], request),
    async autocomplete(siteId, text, limit) {
      const start = wordsOf(text).at(-1) ?? '';
      const front = text.slice(0, text.length - start.length);
      const counts = new Map<string, number>();
      for (const page of pagesOf(siteId).values()) {
        for (const word of new Set(textsOf(page).flatMap(wordsOf))) {
          if (start !== '' && word.startsWith(start)) counts.set(word, (counts.get(word) ?? 0) + 1);
        }
      }
      const ranked = [...counts].sort((a, b) => b[1] - a[1]);
      return ranked.slice(0, limit).map(([word]) => front + word);
    },
    async size(siteId) {
      const pages = [...pagesOf(siteId).values()];
      return {
        pages: pages.length,
        bytes: pages.reduce((sum, page) => sum + JSON.stringify(page).length, 0),
      };
    },
    async close() {},
  };
}

export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function headOf(page: IndexPage): Hit['page'] {
  const { body: _body, headings: _headings, ...head } = page;
  return head;
}

const textsOf = ({ title, headings, body, labels }: IndexPage): string[] => [
  title,
  ...headings,
  body,
  ...labels,
];

function searchNaively(pages: readonly IndexPage[], request: SearchRequest): SearchAnswer {
  const { words, phrases, excluded } = readQuery(request.query);
  const isOpen = /[\p{L}\p{N}]$/u.test(request.query);
  const hasPhrase = (page: IndexPage, phrase: readonly string[]) =>
    textsOf(page).some((text) => {
      const own = wordsOf(text);
      return own.some((_, start) => phrase.every((word, i) => own[start + i] === word));
    });
  const matches = pages
    .map((page) => {
      const own = new Set(textsOf(page).flatMap(wordsOf));
      const hasStart = (start: string) => [...own].some((word) => word.startsWith(start));
      const matched = words.filter(
        (word, i) => own.has(word) || (isOpen && i === words.length - 1 && hasStart(word)),
      ).length;
      return { page, matched };
    })
    .filter(({ page, matched }) => matched > 0 && phrases.every((phrase) => hasPhrase(page, phrase)))
    .filter(({ page }) => !excluded.some((phrase) => hasPhrase(page, phrase)))
    .filter(({ page }) => request.labels.every((label) => page.labels.includes(label)));
  const dateOf = ({ publishedAtSecs, updatedAtSecs }: IndexPage) => publishedAtSecs ?? updatedAtSecs;
  matches.sort((a, b) => (request.sort === 'date' ? dateOf(b.page) - dateOf(a.page) : b.matched - a.matched));
  const counts = new Map<string, number>();
  for (const { page } of matches)
    for (const label of new Set(page.labels)) counts.set(label, (counts.get(label) ?? 0) + 1);
  const mark = (text: string) => ({ text, ranges: [] });
  return {
    total: matches.length,
    hits: matches.slice(request.offset, request.offset + request.limit).map(({ page, matched }) => ({
      page: headOf(page),
      score: matched,
      title: markNaively(page.title, words),
      snippet: mark(page.body.slice(0, 240)),
      url: mark(page.url),
    })),
    labels: [...counts].map(([label, count]) => ({ label, count })).sort((a, b) => b.count - a.count),
    suggestion: null,
  };
}

function markNaively(text: string, words: readonly string[]): Hit['title'] {
  const ranges = [...text.matchAll(/[\p{L}\p{N}]+/gu)]
    .filter(([word]) => words.includes(word.toLowerCase()))
    .map(({ index, 0: word }): [number, number] => [index, index + word.length]);
  return { text, ranges };
}

function readQuery(query: string): { words: string[]; phrases: string[][]; excluded: string[][] } {
  const phrases: string[][] = [];
  const excluded: string[][] = [];
  const rest = query.replace(/(^|\s)(-?)"([^"]*)"|(^|\s)-(\S+)/g, (_, _a, minus, quoted, _b, word) => {
    const phrase = wordsOf(quoted ?? word);
    if (phrase.length === 0) return ' ';
    if (minus === '-' || word !== undefined) excluded.push(phrase);
    else phrases.push(phrase);
    return minus === '-' || word !== undefined ? ' ' : ` ${quoted} `;
  });
  return { words: [...new Set(wordsOf(rest))], phrases, excluded };
}
