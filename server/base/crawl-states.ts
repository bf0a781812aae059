/** What a crawl may be in; the last three are its end. */
export const CRAWL_STATES = ['queued', 'running', 'done', 'cancelled', 'failed'] as const;
export type CrawlState = (typeof CRAWL_STATES)[number];
