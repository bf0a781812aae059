import type { CrawlState } from '../../base/crawl-states.ts';
import type { Skip, SkipReason } from './reasons.ts';

/** Settings of a crawl: where it starts, and how what lies below is read. */
export type CrawlConfig = {
  /** As `readPageUrl` writes it. */
  url: string;
  pageBodyCssSelector: string | null;
  sitemapsOnly: boolean;
  allowUrlWithQuery: boolean;
  pagesPerSecond: number | null;
};

/** What the crawler knows of a site: never its secret. */
export type CrawledSite = {
  siteId: string;
  /** A pilot has one host, open before its first page, and less of everything. */
  isPilot: boolean;
  host: string | null;
  configs: readonly CrawlConfig[];
  recrawlHours: number | null;
};

/** A page as the crawler hands it over. */
export type CrawledPage = {
  url: string;
  title: string;
  headings: readonly string[];
  body: string;
  language: string | null;
  labels: readonly string[];
  thumbnail: string | null;
  publishedAtSecs: number | null;
};

/**
 * Where crawled pages go: search has the one implementation.
 * @throws (what writes) Fault `pilot-limit`, `site-limit`, `unknown-site`, `store-unavailable`
 */
export type PageSink = {
  /** Null where there is no such site any more. */
  site(siteId: string): CrawledSite | null;
  write(siteId: string, pages: readonly CrawledPage[]): Promise<void>;
  /** Removes pages by their URLs; those that somebody else brought stay. Gives how many went. */
  remove(siteId: string, urls: readonly string[]): Promise<number>;
  /** Whose the page of this URL is: `none` where there is no page. */
  ownerOf(siteId: string, url: string): Promise<'none' | 'crawler' | 'other'>;
};

export type CrawlRecord = {
  /** A random UUID. */
  crawlId: string;
  siteId: string;
  /** Of the crawls of its site, from 1; the store gives it. */
  number: number;
  state: CrawlState;
  configs: CrawlConfig[];
  isScheduled: boolean;
  queuedAtSecs: number;
  startedAtSecs: number | null;
  endedAtSecs: number | null;
  /** Whether the first addresses are in the queue. */
  isSeeded: boolean;
  pagesPerSecond: number;
  /** Requests for pages, sitemaps aside. */
  fetched: number;
  /** Pages written, and pages that are as they were. */
  indexed: number;
  unchanged: number;
  removed: number;
  /** Addresses that wait, and all pages that ever did. */
  queued: number;
  listed: number;
  sitemaps: number;
  /** Addresses that were listed or left out: each is told once. */
  seen: number;
  /** Pages of earlier crawls that this one covers. */
  knownBefore: number;
  skippedCount: Partial<Record<SkipReason, number>>;
  keptOldIndex: boolean;
  /** What the owner should know beside the figures, a sentence each. */
  notices: string[];
  /** Why it failed; null otherwise. */
  problem: string | null;
  /** How often it broke off by an error of ours since it last asked for a page; `fetched` is as it was then. */
  brokeOff: { count: number; fetched: number } | null;
};

/** An address that waits to be asked for. */
export type Waiting = {
  kind: 'page' | 'sitemap';
  url: string;
  /** Links, or sitemaps, from the beginning. */
  depth: number;
  /** The addresses that redirected here, the first one first. */
  via: string[];
  tries: number;
};

/** What the crawler remembers of an address from crawl to crawl. */
export type KnownPage = {
  url: string;
  depth: number;
  etag: string | null;
  lastModified: string | null;
  /** Of title and text: what makes a duplicate; null where no page was ever taken from here. */
  textHash: string | null;
  /** Of all that was written. */
  pageHash: string | null;
  /** Of the settings that it was read by: with others an unchanged answer is read anew. */
  settings: string;
  failures: number;
  /** The crawl that found it so. */
  crawlId: string;
  isGone: boolean;
};

/** What was done about one address, written in one atomic step. */
export type Settlement = {
  /** Where the address stood; null for the seeding. */
  at: number | null;
  /** Addresses to ask for, those that the crawl has not seen before. */
  add: readonly Waiting[];
  /** The address again, at the end of the queue. */
  retry: Waiting | null;
  /** What is left out. `isNew`: it was never asked for, and counts only where the crawl has not seen it before. */
  skipped: readonly (Skip & { isNew?: boolean })[];
  known: readonly KnownPage[];
  /** Whose a text is in this crawl. */
  claim: { textHash: string; url: string } | null;
  /** Pages that wait until the crawl has shown that it finds enough. */
  held: readonly CrawledPage[];
  change(record: CrawlRecord): CrawlRecord;
};

export type ListedSkip = Skip & { at: number };

/**
 * Where crawls are kept, from process to process. Every implementation passes `test/contract/crawls.ts`.
 * @throws (what writes) Fault `store-unavailable`
 */
export type CrawlStore = {
  /** The crawl that is added; where the site has one that has not ended, that one, and nothing is added. */
  add(record: CrawlRecord): Promise<CrawlRecord>;
  get(crawlId: string): CrawlRecord | null;
  /** The crawls of a site, the newest first. */
  ofSite(siteId: string): CrawlRecord[];
  /** All that have not ended, the oldest first. */
  active(): CrawlRecord[];
  /** The sites that have crawls, in the order of their ids. */
  sites(): string[];
  update(crawlId: string, change: (record: CrawlRecord) => CrawlRecord): Promise<CrawlRecord | null>;
  /** Addresses that wait, besides those, sitemaps first, the oldest first. */
  next(crawlId: string, besides: ReadonlySet<number>, limit: number): { at: number; item: Waiting }[];
  /**
   * Writes down what was done. Of `add` no more than `mostPages` pages are taken in a whole crawl; what is beyond is left
   * out as `limit`. Null, and nothing is written, where the crawl is not running.
   */
  settle(crawlId: string, step: Settlement, mostPages: number): Promise<CrawlRecord | null>;
  /** The same for several steps at once, in their order, all or none. */
  settleAll(crawlId: string, steps: readonly Settlement[], mostPages: number): Promise<CrawlRecord | null>;
  /** What was left out, behind `after`; at most 10,000 are kept of a crawl. */
  skipped(crawlId: string, after: number, limit: number): ListedSkip[];
  known(siteId: string, url: string): KnownPage | null;
  /** In the order of their keys, behind the key given; null begins. */
  knownPages(
    siteId: string,
    after: string | null,
    limit: number,
  ): { pages: KnownPage[]; next: string | null };
  putKnown(siteId: string, pages: readonly KnownPage[]): Promise<void>;
  forget(siteId: string, urls: readonly string[]): Promise<void>;
  /** Who claimed a text in this crawl, or null. */
  textOwner(crawlId: string, textHash: string): string | null;
  /** Pages held back, the oldest first; `release` forgets so many of them. */
  held(crawlId: string, limit: number): CrawledPage[];
  release(crawlId: string, count: number): Promise<void>;
  /** Forgets what only a running crawl needs. */
  clear(crawlId: string): Promise<void>;
  /** Forgets a crawl whole, or all of a site. */
  remove(crawlId: string): Promise<void>;
  drop(siteId: string): Promise<void>;
};

/**
 * Whether what a recrawl changes is held back: until it has found half of the pages of before, the site may be down, or
 * answer every address with one and the same page.
 */
export const isHolding = ({ knownBefore, indexed, unchanged }: CrawlRecord): boolean =>
  knownBefore > 0 && (indexed + unchanged) * 2 < knownBefore;

/** Whether a crawl has not ended. */
export const isActive = ({ state }: CrawlRecord): boolean => state === 'queued' || state === 'running';
