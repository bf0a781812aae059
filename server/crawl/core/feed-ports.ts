/** An entry of a feed, whatever the feed's kind. Texts are as the feed has them: neither bounded nor clean. */
export type FeedEntry = {
  /** Absolute, as resolved; null where the entry names no page. */
  link: string | null;
  /** What the entry is told by where it has no link: its id, its title or its place. */
  name: string;
  title: string;
  /** Whether the title may hold markup. */
  isTitleHtml: boolean;
  /** The text of the entry itself: the longest that it brings. */
  content: { text: string; isHtml: boolean } | null;
  labels: readonly string[];
  thumbnail: string | null;
  /** As the feed writes it. */
  published: string | null;
  language: string | null;
};

export type ParsedFeed = { entries: readonly FeedEntry[] };

/**
 * Reads a feed.
 * @param url where it was: relative links start there
 * @returns null where the text is no feed, or takes more time or memory than a feed may
 */
export type ParseFeed = (text: string, url: string) => Promise<ParsedFeed | null>;

/** A feed that a site takes entries from. */
export type FeedRecord = {
  siteId: string;
  url: string;
  /** Whether the pages behind the entries are read as well. */
  fullPages: boolean;
  /** What the feed's server said of its state (RFC 9110 §8.8), for the next time. */
  etag: string | null;
  lastModified: string | null;
  /** The last attempt. */
  fetchedAtSecs: number;
  /** Failed attempts in a row. */
  failures: number;
};

/**
 * Where the feeds of sites are kept. Every implementation passes `test/contract/feeds.ts`.
 * @throws (what writes) Fault `store-unavailable`
 */
export type FeedStore = {
  /** Adds the feed, or replaces what is kept of it. */
  put(record: FeedRecord): Promise<void>;
  /** The feeds of a site, at most `limit`. */
  list(siteId: string, limit: number): FeedRecord[];
  /** Forgets a feed, and says whether there was one. */
  remove(siteId: string, url: string): Promise<boolean>;
  /** Feeds of all sites in an order of its own, those behind `after` (null: from the first), at most `limit`. */
  batch(after: FeedRecord | null, limit: number): FeedRecord[];
};

/** What is known of a site here. */
export type FeedSite = {
  siteId: string;
  /** A pilot is for one host: `host`, or that of its first page while that is null. */
  isPilot: boolean;
  host: string | null;
  /** How often its feeds are read again; null: never. */
  recrawlHours: number | null;
};

/** A page as an entry made it. */
export type FeedPage = {
  url: string;
  title: string;
  headings: readonly string[];
  body: string;
  labels: readonly string[];
  thumbnail: string | null;
  language: string | null;
  publishedAtSecs: number | null;
};

/** The port of the sites that feeds fill: search has them. */
export type FeedSites = {
  /** @throws Fault `store-unavailable` */
  make(tenant: string | null): Promise<{ siteId: string; siteSecret: string }>;
  find(siteId: string): FeedSite | null;
  /**
   * Writes pages and gives their ids, in the order given. A page that somebody else brought (the crawler, the API, a
   * snapshot) has more of its text than a feed and stays as it is; one that is the same already is not written again.
   * @throws Fault `pilot-limit`, `site-limit`, `unknown-site`, `store-unavailable`
   */
  write(siteId: string, pages: readonly FeedPage[]): Promise<string[]>;
  drop(siteId: string): Promise<void>;
};
