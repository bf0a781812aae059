import type { ExtractPage } from '../../base/extracted-page.ts';
import { readPageUrl } from '../../base/page-url.ts';
import { cutUtf8 } from '../../base/utf8.ts';
import { BODY_BYTES, LABEL_BYTES, MOST_LABELS, TITLE_BYTES } from '../../wire/page.ts';
import type { FeedEntry, FeedPage } from '../core/feed-ports.ts';
import { MOST_ENTRIES } from './feed-entries.ts';

/** What becomes of a feed's entries: pages, and the entries that make none, by link, id or title. */
export type EntryPages = { pages: FeedPage[]; failed: string[] };

// Names of failed entries are told in an answer; nobody reads more of one.
const NAME_LENGTH = 300;

/**
 * Makes pages of entries. An entry makes none that has no link or a link that is no page's, that has neither title nor
 * text, that is one too many, or whose link `admits` refuses. Of two with one link the first stands: feeds put the newest
 * first.
 */
export async function makeEntryPages(
  entries: readonly FeedEntry[],
  extractPage: ExtractPage,
  admits: (url: string) => boolean,
): Promise<EntryPages> {
  const pages = new Map<string, FeedPage>();
  const failed: string[] = [];
  const fail = (name: string) => failed.push(name.slice(0, NAME_LENGTH).toWellFormed());
  for (const [i, entry] of entries.entries()) {
    const url = linkOf(entry);
    if (url === null) fail(entry.link ?? entry.name);
    else if (i >= MOST_ENTRIES || !admits(url)) fail(url);
    else if (!pages.has(url)) {
      const page = makePage(entry, url, extractPage);
      if (page.title === '' && page.body === '') fail(url);
      else pages.set(url, page);
      // Other requests come in between, however large the entries are.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return { pages: [...pages.values()], failed };
}

function linkOf({ link }: FeedEntry): string | null {
  try {
    return link === null ? null : readPageUrl(link);
  } catch {
    return null;
  }
}

function makePage(entry: FeedEntry, url: string, extractPage: ExtractPage): FeedPage {
  const read = (html: string) => extractPage(`<!doctype html><body>${html}`, url);
  const { text = '', isHtml = false } = entry.content ?? {};
  const { body, headings } = isHtml ? read(text) : { body: fold(text), headings: [] };
  // Only what may be markup is read as such: "AT&T < IBM" is a title.
  const isMarkup = entry.isTitleHtml && /<[a-z/!]|&(#\d|#x|[a-z])[\da-z]*;/i.test(entry.title);
  const title = isMarkup ? read(entry.title).body : fold(entry.title);
  return {
    url,
    title: cutUtf8(title || (headings[0] ?? ''), TITLE_BYTES).toWellFormed(),
    headings,
    body: cutUtf8(body, BODY_BYTES).toWellFormed(),
    labels: cleanLabels(entry.labels),
    thumbnail: entry.thumbnail === null ? null : linkOf({ ...entry, link: entry.thumbnail }),
    language: readLanguage(entry.language),
    publishedAtSecs: readTime(entry.published),
  };
}

/** Labels as the index takes them: each once, not too long, not too many. */
export function cleanLabels(labels: readonly string[]): string[] {
  const clean = labels.map((label) => cutUtf8(fold(label), LABEL_BYTES).toWellFormed());
  return [...new Set(clean)].filter((label) => label !== '').slice(0, MOST_LABELS);
}

// RFC 822 and ISO 8601 alike. Before 1970 nobody wrote a feed.
function readTime(text: string | null): number | null {
  const ms = Date.parse(text ?? '');
  return ms >= 0 ? Math.floor(ms / 1000) : null;
}

function readLanguage(text: string | null): string | null {
  try {
    return text === null ? null : (Intl.getCanonicalLocales(text.trim().replace('_', '-'))[0] ?? null);
  } catch {
    return null;
  }
}

const fold = (text: string) => text.replace(/\s+/g, ' ').trim();
