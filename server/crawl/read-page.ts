import type { ExtractPage } from '../base/extracted-page.ts';
import { cutUtf8 } from '../base/utf8.ts';
import { BODY_BYTES, MOST_LABELS, TITLE_BYTES } from '../wire/page.ts';
import { decodePage } from './charset.ts';
import { labelsOf } from './core/categories.ts';
import type { CrawledPage } from './core/ports.ts';
import type { SkipReason } from './core/reasons.ts';
import type { Robots } from './core/robots.ts';
import { readRobotsTag } from './core/robots-tag.ts';
import type { ReadPdf } from './pdf-text.ts';
import { pathOf } from './scope.ts';

export type ReadPageDeps = { extractPage: ExtractPage; readPdf: ReadPdf; token: string };

/** What an answer holds: where it leads, and the page, or why it is none. */
export type ReadAnswer = {
  links(): readonly string[];
  canonical: string | null;
  outcome: { page: CrawledPage } | { reason: SkipReason; detail: string };
};

/** Reads a body as a page, by its content type. */
export async function readPage(
  { extractPage, readPdf, token }: ReadPageDeps,
  url: string,
  headers: Headers,
  bytes: Uint8Array,
  selector: string | null,
  robots: Robots,
): Promise<ReadAnswer> {
  const contentType = headers.get('content-type');
  const type = (contentType ?? '').split(';')[0].trim().toLowerCase();
  const tag = readRobotsTag(headers.get('x-robots-tag'), token);
  const none = (reason: SkipReason, detail: string): ReadAnswer => ({
    links: () => [],
    canonical: null,
    outcome: { reason, detail },
  });
  const withLabels = (labels: readonly string[]) =>
    [...new Set([...labels, ...labelsOf(robots.categories, pathOf(url))])].slice(0, MOST_LABELS);

  if (type === 'application/pdf' || (type === '' && isPdf(bytes))) {
    if (tag.isNoindex) return none('noindex', 'X-Robots-Tag');
    if (!isPdf(bytes)) return none('content-type', 'said to be a PDF, and is none');
    try {
      const { title, text } = await readPdf(bytes);
      const body = cutUtf8(text.replace(/\s+/g, ' ').trim().toWellFormed(), BODY_BYTES);
      if (body === '') return none('empty', 'a PDF without a text: scanned pages, perhaps');
      const page = {
        url,
        title: cutUtf8(title.trim().toWellFormed() || nameOf(url), TITLE_BYTES),
        headings: [],
        body,
        language: null,
        labels: withLabels([]),
        thumbnail: null,
        publishedAtSecs: null,
      };
      return { links: () => [], canonical: null, outcome: { page } };
    } catch {
      return none('content-type', 'a PDF that cannot be read, or not in time');
    }
  }
  const isHtml = type === 'text/html' || type === 'application/xhtml+xml';
  if (!isHtml && !(type === '' && /^\s*</.test(new TextDecoder('latin1').decode(bytes.subarray(0, 512))))) {
    return none('content-type', type === '' ? 'no content type' : type.slice(0, 100));
  }
  const read = extractPage(decodePage(bytes, contentType), url, selector);
  const links = () =>
    read.isNofollow || tag.isNofollow
      ? []
      : read.links().flatMap(({ url: link, isNofollow }) => (isNofollow ? [] : link));
  const { canonical, isNoindex, isNofollow: _, links: __, ...rest } = read;
  const answer = (outcome: ReadAnswer['outcome']): ReadAnswer => ({ links, canonical, outcome });
  if (isNoindex || tag.isNoindex) {
    return answer({ reason: 'noindex', detail: isNoindex ? 'a robots meta' : 'X-Robots-Tag' });
  }
  if (canonical !== null && canonical !== url) return answer({ reason: 'canonical', detail: canonical });
  if (rest.title === '' && rest.body === '')
    return answer({ reason: 'empty', detail: 'no title and no text' });
  return answer({ page: { ...rest, url, labels: withLabels(rest.labels) } });
}

const isPdf = (bytes: Uint8Array) =>
  new TextDecoder('latin1').decode(bytes.subarray(0, 1_024)).includes('%PDF-');

/** The last part of an address, as people would write it. */
function nameOf(url: string): string {
  const last = new URL(url).pathname.split('/').pop() ?? '';
  try {
    return decodeURIComponent(last) || url;
  } catch {
    return last;
  }
}
