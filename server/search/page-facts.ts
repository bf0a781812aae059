import { readLink } from '../base/page-url.ts';
import { cutUtf8 } from '../base/utf8.ts';
import { LABEL_BYTES, MOST_LABELS } from '../wire/page.ts';
import { foldSpace } from './html-text.ts';

// Our choice; more than a page that people read leads to.
const MOST_LINKS = 5_000;

/** What a page says about itself, collected element by element. */
export type PageFacts = {
  title: string;
  language: string | null;
  labels: string[];
  thumbnail: string | null;
  canonical: string | null;
  isNoindex: boolean;
  isNofollow: boolean;
  publishedAtSecs: number | null;
  links(): { url: string; isNofollow: boolean }[];
};

/**
 * Hears the elements of a page and gives what they say. Addresses are made absolute at the end, when `<base>` is known.
 * @param robotsNames names of metas that are addressed to us, lower case: `robots` and our own token
 */
export function createPageFacts(pageUrl: string, robotsNames: readonly string[]) {
  const metas = new Map<string, string>();
  const robots: string[] = [];
  const hrefs = new Map<string, boolean>();
  // The first of each kind counts, as in the first of several sources.
  let title = '';
  let language = '';
  let base: string | null = null;
  let canonical: string | null = null;
  let time: string | null = null;
  let jsonLd: string | null = null;

  function hear(name: string, attributes: ReadonlyMap<string, string>, text: string): void {
    const value = (attribute: string) => attributes.get(attribute)?.trim() ?? '';
    if (name === 'title' && title === '') title = foldSpace(text);
    else if (name === 'html') language ||= value('lang') || value('xml:lang');
    else if (name === 'base') base ??= value('href') || null;
    else if (name === 'time') time ??= value('datetime') || null;
    else if (name === 'link' && wordsOf(value('rel')).includes('canonical'))
      canonical ??= value('href') || null;
    else if (name === 'script' && value('type').toLowerCase() === 'application/ld+json') {
      jsonLd ??= findPublished(text);
    } else if (name === 'meta') hearMeta(value);
    else if ((name === 'a' || name === 'area') && hrefs.size < MOST_LINKS && value('href') !== '') {
      const isNofollow = wordsOf(value('rel')).includes('nofollow');
      // One link that may be followed is enough.
      hrefs.set(value('href'), isNofollow && (hrefs.get(value('href')) ?? true));
    }
  }

  function hearMeta(value: (attribute: string) => string): void {
    const name = (
      value('name') ||
      value('property') ||
      value('http-equiv') ||
      value('itemprop')
    ).toLowerCase();
    const content = value('content');
    if (robotsNames.includes(name)) robots.push(...content.toLowerCase().split(/[\s,]+/));
    if (name !== '' && content !== '' && !metas.has(name)) metas.set(name, content);
  }

  function finish(): PageFacts {
    const from = (base !== null && readLink(base, pageUrl)) || pageUrl;
    const picture = metas.get('og:image') ?? metas.get('twitter:image');
    const published = [
      metas.get('article:published_time'),
      jsonLd,
      metas.get('datepublished'),
      metas.get('date'),
      time,
    ];
    return {
      title: title || foldSpace(metas.get('og:title') ?? ''),
      language: readLanguage(language || (metas.get('content-language') ?? '')),
      labels: readLabels(metas.get('sis-labels') ?? ''),
      thumbnail: picture === undefined ? null : readLink(picture, from),
      canonical: canonical === null ? null : readLink(canonical, from),
      isNoindex: robots.some((word) => word === 'noindex' || word === 'none'),
      isNofollow: robots.some((word) => word === 'nofollow' || word === 'none'),
      publishedAtSecs: published.reduce<number | null>((found, text) => found ?? readTime(text), null),
      links: () => resolveLinks(hrefs, from),
    };
  }

  return { hear, finish };
}

/** The addresses that links lead to, each once. */
function resolveLinks(hrefs: ReadonlyMap<string, boolean>, from: string): ReturnType<PageFacts['links']> {
  const links = new Map<string, boolean>();
  for (const [href, isNofollow] of hrefs) {
    const url = readLink(href, from);
    if (url !== null) links.set(url, isNofollow && (links.get(url) ?? true));
  }
  return [...links].map(([url, isNofollow]) => ({ url, isNofollow }));
}

const wordsOf = (text: string) => text.toLowerCase().split(/\s+/);

// Of the page before: a site's pages are mostly in one language, and canonical writing costs as much as ten links.
let lastLanguage: { text: string; language: string | null } = { text: '', language: null };

function readLanguage(text: string): string | null {
  if (text !== lastLanguage.text) lastLanguage = { text, language: canonicalLanguage(text) };
  return lastLanguage.language;
}

function canonicalLanguage(text: string): string | null {
  try {
    return Intl.getCanonicalLocales(text.slice(0, 64))[0] ?? null;
  } catch {
    return null;
  }
}

const readLabels = (text: string): string[] =>
  [...new Set(text.split(',').map((label) => cutUtf8(foldSpace(label), LABEL_BYTES).toWellFormed()))]
    .filter((label) => label !== '')
    .slice(0, MOST_LABELS);

// ISO 8601 as pages write it: a day, or a day and a time whose zone, where it is missing, is taken for UTC.
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s?(Z|[+-]\d\d:?\d\d)?)?$/i;

function readTime(text: string | null | undefined): number | null {
  const [, day, time = '00:00', zone = 'Z'] = ISO.exec(text ?? '') ?? [];
  const ms = day === undefined ? Number.NaN : Date.parse(`${day}T${time}${zone.toUpperCase()}`);
  return ms >= 0 ? Math.floor(ms / 1000) : null;
}

/** The first `datePublished` of a JSON-LD text: of what stands at its top, in an array there, or in its `@graph`. */
function findPublished(text: string): string | null {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return null;
  }
  const tops = [read].flat(1).filter(isRecord);
  const things = tops.flatMap((top) => [top, ...[top['@graph']].flat(1).filter(isRecord)]);
  for (const { datePublished } of things) if (typeof datePublished === 'string') return datePublished;
  return null;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
