/** What an HTML page holds for a search. Texts are plain, white space in them is folded, and all of it is bounded. */
export type ExtractedPage = {
  title: string;
  headings: readonly string[];
  body: string;
  /** BCP 47 in canonical form, or null. */
  language: string | null;
  /** Of `<meta name="sis-labels">`. */
  labels: readonly string[];
  /** An absolute http(s) URL, or null. */
  thumbnail: string | null;
  /** Of `<link rel="canonical">`, absolute and without fragment; null where there is none. */
  canonical: string | null;
  publishedAtSecs: number | null;
  /** What `<meta name="robots">` and the metas addressed to us ask for. */
  isNoindex: boolean;
  isNofollow: boolean;
  /** Where the page leads: absolute, http(s), without fragment, each once. Made when asked for: many do not ask. */
  links(): { url: string; isNofollow: boolean }[];
};

/**
 * The port of extraction: what the crawler reads of a page, and what a pushed snapshot is read by.
 *
 * Never throws: hostile HTML gives less, not an error.
 * @param url where the page was; relative addresses in it start there, or at its `<base>`
 * @param selector limits the text to what it matches; where it matches nothing the whole body counts
 */
export type ExtractPage = (html: string, url: string, selector?: string | null) => ExtractedPage;
