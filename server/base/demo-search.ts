/** The site that the home page searches, and how far the crawl that fills it is. */
export type DemoSearch = { siteId: string; state: 'filling' | 'ready' | 'failed'; pages: number };
