import type * as z from 'zod';
import type { GateBody, SystemBody } from './console.ts';
import { type CrawlBody, CrawlQuery, type CrawlSummary, StartCrawlInput } from './crawl.ts';

// What the console reads and writes of crawls; apart from the rest, which pure rules import and which knows no URL.

export const NewConsoleCrawl = StartCrawlInput;
export const ConsoleCrawlQuery = CrawlQuery.omit({ siteSecret: true });

export type CrawlsBody = { crawls: CrawlSummary[] };
export type CrawlView = z.infer<typeof CrawlBody>;
export type ActiveCrawl = CrawlSummary & { siteId: string };
export type ActiveCrawlsBody = {
  /** Of all sites, the oldest first; at most a hundred. */
  crawls: ActiveCrawl[];
  /** Why an address may be left out: every reason with its meaning. */
  reasons: Record<string, string>;
};

/** One event of the stream. */
export type LiveBody = { gate: GateBody; system: SystemBody; crawls: ActiveCrawl[] };
