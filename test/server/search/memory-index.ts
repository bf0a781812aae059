import type { Hit, IndexBackend, IndexPage, Marked } from '../../../server/search/core/ports.ts';

type Site = Map<string, IndexPage>;

/**
 * An index in a Map: pages that hold all words of the query, those with more of them first. It knows no stems, typos or
 * phrases; routes and service need none to be tested.
 */
export function createMemoryIndex(): IndexBackend & { sites: Map<string, Site> } {
  const sites = new Map<string, Site>();
  const siteOf = (siteId: string): Site => sites.get(siteId) ?? new Map();

  return {
    sites,
    async put(siteId, pages, mostPages) {
      const site = new Map(siteOf(siteId));
      const outcomes = pages.map((page) => {
        const isNew = !site.has(page.id);
        site.set(page.id, page);
        return { id: page.id, isNew };
      });
      if (site.size > mostPages) return null;
      sites.set(siteId, site);
      return outcomes;
    },
    get: async (siteId, pageId) => siteOf(siteId).get(pageId) ?? null,
    remove: async (siteId, pageIds) => pageIds.filter((id) => siteOf(siteId).delete(id)).length,
    list: async (siteId, after, limit) =>
      [...siteOf(siteId).values()]
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .filter(({ id }) => after === null || id > after)
        .slice(0, limit),
    async drop(siteId) {
      sites.delete(siteId);
    },
    async search(siteId, { query, offset, limit, labels, sort, synonyms }) {
      const words = wordsOf(query);
      const groups = words.map((word) => synonyms.find((group) => group.includes(word)) ?? [word]);
      const found = [...siteOf(siteId).values()].flatMap((page): Hit[] => {
        const text = `${page.title} ${page.body} ${page.url}`;
        const counts = groups.map((group) => rangesOf(text, group).length);
        const isHit =
          words.length > 0 && !counts.includes(0) && labels.every((label) => page.labels.includes(label));
        if (!isHit) return [];
        const mark = (marked: string): Marked => ({ text: marked, ranges: rangesOf(marked, groups.flat()) });
        const score = counts.reduce((sum, count) => sum + count, 0);
        return [{ page, score, title: mark(page.title), snippet: mark(page.body), url: mark(page.url) }];
      });
      const dateOf = ({ page }: Hit) => page.publishedAtSecs ?? page.updatedAtSecs;
      found.sort((a, b) => (sort === 'date' ? dateOf(b) - dateOf(a) : b.score - a.score));
      const counts = new Map<string, number>();
      for (const { page } of found) {
        for (const label of page.labels) counts.set(label, (counts.get(label) ?? 0) + 1);
      }
      return {
        total: found.length,
        hits: found.slice(offset, offset + limit),
        labels: [...counts].map(([label, count]) => ({ label, count })).sort((a, b) => b.count - a.count),
        suggestion: null,
      };
    },
    autocomplete: async (siteId, text, limit) =>
      [...siteOf(siteId).values()]
        .map(({ title }) => title.toLowerCase())
        .filter((title) => title.startsWith(text.toLowerCase()))
        .slice(0, limit),
    async size(siteId) {
      const pages = [...siteOf(siteId).values()];
      return { pages: pages.length, bytes: pages.reduce((sum, { body }) => sum + body.length, 0) };
    },
    close: async () => {},
  };
}

/** The words that are asked for: those excluded by a `-` count for nothing here. */
const wordsOf = (query: string) =>
  query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '' && !word.startsWith('-'));

function rangesOf(text: string, words: readonly string[]): [number, number][] {
  const lower = text.toLowerCase();
  const ranges = words.flatMap((word) => {
    const found: [number, number][] = [];
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + word.length)) {
      found.push([at, at + word.length]);
    }
    return found;
  });
  return ranges.sort(([a], [b]) => a - b);
}
