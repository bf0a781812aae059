import { parseFeed } from 'feedsmith';
import type { FeedEntry, ParsedFeed } from '../core/feed-ports.ts';

type Feed = ReturnType<typeof parseFeed<string>>;
type Of<Format extends Feed['format']> = Extract<Feed, { format: Format }>['feed'];
type Item<Format extends 'rss' | 'rdf' | 'json'> = NonNullable<Of<Format>['items']>[number];
type AtomEntry = NonNullable<Of<'atom'>['entries']>[number];

/** Our choice: what a site takes of one feed. Those beyond are counted as failed, by their links. */
export const MOST_ENTRIES = 1_000;
const MOST_NAMED = 10_000;

/**
 * Reads RSS 0.9x, 1.0 and 2.0, Atom and JSON Feed.
 * @param url where the feed was
 * @throws what feedsmith throws for what is no feed
 */
export function readFeedEntries(text: string, url: string): ParsedFeed {
  const parsed = parseFeed<string>(text);
  const entries = listEntries(parsed, url).slice(0, MOST_NAMED);
  // Of those that are only named, nothing else is carried along.
  return { entries: entries.map((entry, i) => (i < MOST_ENTRIES ? entry : { ...entry, content: null })) };
}

function listEntries(parsed: Feed, url: string): FeedEntry[] {
  switch (parsed.format) {
    case 'rss':
      return (parsed.feed.items ?? []).map((item, i) =>
        readRssItem(item, i, baseOf(url, parsed.feed.link), parsed.feed.language),
      );
    case 'rdf':
      return (parsed.feed.items ?? []).map((item, i) =>
        readRdfItem(item, i, baseOf(url, parsed.feed.link), parsed.feed.dc?.languages?.[0]),
      );
    case 'atom': {
      const base = baseOf(url, parsed.feed.xml?.base);
      return (parsed.feed.entries ?? []).map((entry, i) =>
        readAtomEntry(entry, i, base, parsed.feed.xml?.lang),
      );
    }
    case 'json':
      return (parsed.feed.items ?? []).map((item, i) => readJsonItem(item, i, url, parsed.feed.language));
  }
}

function readRssItem(item: Item<'rss'>, i: number, base: string, language: string | undefined): FeedEntry {
  const { guid } = item;
  // RSS 2.0: a guid is the address of the page unless it says that it is not.
  const ownLink = item.link ?? (guid?.isPermaLink !== false && isHttp(guid?.value) ? guid?.value : undefined);
  const picture = item.enclosures?.find(({ type }) => type?.startsWith('image/'))?.url;
  return entryOf(i, {
    link: ownLink,
    base,
    id: guid?.value,
    title: item.title ?? item.dc?.titles?.[0],
    html: longest([item.content?.encoded, item.description, item.media?.description?.value]),
    labels: [...(item.categories ?? []).map(({ name }) => name), ...(item.dc?.subjects ?? [])],
    thumbnail: item.media?.thumbnails?.[0]?.url ?? picture,
    published: item.pubDate ?? item.dc?.dates?.[0],
    language: item.dc?.languages?.[0] ?? language,
  });
}

function readRdfItem(item: Item<'rdf'>, i: number, base: string, language: string | undefined): FeedEntry {
  const about = item.rdf?.about;
  return entryOf(i, {
    link: item.link ?? (isHttp(about) ? about : undefined),
    base,
    id: about,
    title: item.title ?? item.dc?.titles?.[0],
    html: longest([item.content?.encoded, item.description]),
    labels: item.dc?.subjects ?? [],
    published: item.dc?.dates?.[0],
    language: item.dc?.languages?.[0] ?? language,
  });
}

function readAtomEntry(entry: AtomEntry, i: number, base: string, language: string | undefined): FeedEntry {
  const { content, summary, title } = entry;
  const links = (entry.links ?? []).filter(({ rel = 'alternate' }) => rel === 'alternate');
  const link = links.find(({ type = 'text/html' }) => type.includes('html')) ?? links[0];
  const isHtml = (type: string | undefined) => type === 'html' || type === 'xhtml';
  // RFC 4287 §4.1.3.1: other types name a media type, such as a picture in base64.
  const texts = [content, summary].filter(
    (one) => one?.value !== undefined && [undefined, 'text', 'html', 'xhtml'].includes(one.type),
  );
  const text = texts[0];
  return {
    ...entryOf(i, {
      link: link?.href,
      base: baseOf(base, entry.xml?.base),
      id: entry.id,
      title: title?.value,
      html: text?.value ?? entry.media?.groups?.[0]?.description?.value,
      labels: (entry.categories ?? []).map(({ label, term }) => label ?? term),
      thumbnail: entry.media?.thumbnails?.[0]?.url ?? entry.media?.groups?.[0]?.thumbnails?.[0]?.url,
      published: entry.published ?? entry.updated,
      language: entry.xml?.lang ?? language,
    }),
    isTitleHtml: isHtml(title?.type),
    ...(text?.value && { content: { text: text.value, isHtml: isHtml(text.type) } }),
  };
}

function readJsonItem(item: Item<'json'>, i: number, base: string, language: string | undefined): FeedEntry {
  const text = item.content_text ?? (item.content_html === undefined ? item.summary : undefined);
  return {
    ...entryOf(i, {
      link: item.url ?? item.external_url,
      base,
      id: item.id,
      title: item.title,
      html: item.content_html,
      labels: item.tags ?? [],
      thumbnail: item.image ?? item.banner_image,
      published: item.date_published ?? item.date_modified,
      language: item.language ?? language,
    }),
    // JSON Feed 1.1: a title is plain text.
    isTitleHtml: false,
    ...(item.content_html === undefined && text !== undefined && { content: { text, isHtml: false } }),
  };
}

type Told = {
  link: string | undefined;
  base: string;
  id: string | undefined;
  title: string | undefined;
  html: string | undefined;
  labels: readonly (string | undefined)[];
  thumbnail?: string | undefined;
  published: string | undefined;
  language: string | undefined;
};

const entryOf = (i: number, told: Told): FeedEntry => ({
  link: told.link ? (URL.parse(told.link.trim(), told.base)?.href ?? told.link) : null,
  name: told.id?.trim() || told.title?.trim() || `entry ${i + 1}`,
  title: told.title ?? '',
  isTitleHtml: true,
  content: told.html ? { text: told.html, isHtml: true } : null,
  labels: told.labels.filter((label) => label !== undefined),
  thumbnail: told.thumbnail ? (URL.parse(told.thumbnail, told.base)?.href ?? null) : null,
  published: told.published ?? null,
  language: told.language ?? null,
});

const baseOf = (url: string, own: string | undefined): string =>
  (own ? URL.parse(own, url)?.href : undefined) ?? url;

const longest = (texts: readonly (string | undefined)[]) =>
  texts.reduce((best, text) => ((text?.length ?? 0) > (best?.length ?? 0) ? text : best), undefined);

const isHttp = (text: string | undefined) => text !== undefined && /^https?:\/\//i.test(text);
