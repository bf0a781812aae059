/** A page of the documentation that has a place of its own in the list. */
export type Listed = {
  /** What its address ends with. */
  name: string;
  /** From the root of the project. */
  file: string;
  /** Of the file only what stands under this heading of the second level. */
  section?: string;
};

/**
 * The order of the documentation: categories, and the pages in them. A file of `docs/` that is not named here stands at
 * the end, so that none is ever missing; a file that an installation lacks is left out.
 */
export const CATEGORIES: readonly { label: string; pages: readonly Listed[] }[] = [
  { label: 'Start', pages: [inDocs('quick-start'), inDocs('deployment'), inDocs('configuration')] },
  {
    label: 'Gate',
    pages: [
      inDocs('gate'),
      inDocs('difficulty'),
      inDocs('widget'),
      inDocs('siteverify'),
      inDocs('captcha'),
      inDocs('bench'),
      inDocs('chat'),
    ],
  },
  {
    label: 'Search',
    pages: [inDocs('search'), inDocs('search-index'), inDocs('crawl'), inDocs('feeds'), inDocs('search-bar')],
  },
  { label: 'IP intelligence', pages: [inDocs('ip')] },
  {
    label: 'Operation',
    pages: [
      inDocs('access'),
      inDocs('console'),
      inDocs('metrics'),
      inDocs('errors'),
      { name: 'security', file: 'SECURITY.md' },
    ],
  },
  {
    label: 'Project',
    pages: [
      { name: 'figures', file: 'README.md', section: 'Figures' },
      inDocs('decisions'),
      { name: 'changelog', file: 'CHANGELOG.md' },
      { name: 'contributing', file: 'CONTRIBUTING.md' },
    ],
  },
];

/** Where files of `docs/` stand that no category names. */
export const OTHERS = 'More';

/** Names under `/docs/` that are no files of Markdown. */
export const API_PAGE = 'api';

function inDocs(name: string): Listed {
  return { name, file: `docs/${name}.md` };
}

/** `/docs/gate` and the like. */
export const addressOf = (name: string): string => `/docs/${name}`;
