/** A page as the index takes it. All texts are plain; lengths and forms were checked at the door. */
export type IndexPage = {
  /** Lowercase hexadecimal SHA-256 of `siteId + url` in UTF-8: 64 characters. */
  id: string;
  /** As the WHATWG URL parser writes it, without fragment. */
  url: string;
  title: string;
  /** Texts of the headings, in order; they stand in `body` as well. */
  headings: readonly string[];
  body: string;
  labels: readonly string[];
  thumbnail: string | null;
  /** BCP 47 as declared, or null: then the index detects it. */
  language: string | null;
  updatedAtSecs: number;
  publishedAtSecs: number | null;
  /** Who brought the page: a recrawl touches only what the crawler made. */
  source: 'api' | 'crawl' | 'feed' | 'snapshot';
};

export type PutOutcome = { id: string; isNew: boolean };

export type SearchRequest = {
  /** As typed: words, `"a phrase"`, `-excluded`. At most 1,024 bytes of UTF-8. */
  query: string;
  /** Results to leave out before the first, and how many to give. */
  offset: number;
  limit: number;
  /** All must hold. */
  labels: readonly string[];
  sort: 'relevance' | 'date';
  /** Groups of words that stand for one another. */
  synonyms: readonly (readonly string[])[];
};

/** A text and where the query's words stand in it: [start, end) in UTF-16 units, ascending, disjoint. */
export type Marked = { text: string; ranges: readonly (readonly [number, number])[] };

export type Hit = {
  page: Omit<IndexPage, 'body' | 'headings'>;
  score: number;
  title: Marked;
  /** The best window of the body. */
  snippet: Marked;
  url: Marked;
};

export type SearchAnswer = {
  total: number;
  hits: readonly Hit[];
  /** Labels of all results, the most frequent first. */
  labels: readonly { label: string; count: number }[];
  /** The query as it was likely meant, or null. */
  suggestion: string | null;
};

/**
 * The port of the index: LMDB is the embedded one, a distributed engine can stand behind it as well.
 * Every implementation passes `test/contract/index-backend.ts`.
 *
 * A write that was acknowledged is durable and seen by the next search. Sites never see one another.
 * @throws (all) Fault `store-unavailable`
 */
export type IndexBackend = {
  /**
   * Adds or replaces pages, all or none (but for a store that fails in the middle of a large call). Gives an outcome for each page, in the order given; of two with one id the
   * later wins. Null, and nothing is written, where the site would hold more than `mostPages` after it.
   */
  put(siteId: string, pages: readonly IndexPage[], mostPages: number): Promise<PutOutcome[] | null>;
  get(siteId: string, pageId: string): Promise<IndexPage | null>;
  /** Removes pages, and says how many there were. */
  remove(siteId: string, pageIds: readonly string[]): Promise<number>;
  /** Pages without their texts, in the order of their ids, those after `after`, at most `limit`. */
  list(siteId: string, after: string | null, limit: number): Promise<Omit<IndexPage, 'body' | 'headings'>[]>;
  /** Forgets the site and gives its space back. */
  drop(siteId: string): Promise<void>;
  search(siteId: string, request: SearchRequest): Promise<SearchAnswer>;
  /** Whole queries that begin as the text given does, the likeliest first. */
  autocomplete(siteId: string, text: string, limit: number): Promise<string[]>;
  /** `bytes`: what the site takes in the store, roughly. */
  size(siteId: string): Promise<{ pages: number; bytes: number }>;
  close(): Promise<void>;
};
