import type { ExtractPage } from '../../base/extracted-page.ts';
import type { Outbound } from '../../base/outbound.ts';
import { hostOf } from '../../base/page-url.ts';
import type { Clock, Timer } from '../../base/ports.ts';
import type { FeedPage } from '../core/feed-ports.ts';
import { decodeText } from './decode-text.ts';
import { cleanLabels, type EntryPages } from './entry-pages.ts';

// Our choices: somebody waits for the answer, and the site behind the feed is asked no faster than the crawler asks.
export const MOST_FULL_PAGES = 50;
const MOST_MS = 60_000;
const PAUSE_MS = 500;
const PAGE_LIMIT_MS = 10_000;
const PAGE_BYTES = 10_000_000;

export type FullPagesDeps = {
  outbound: Outbound;
  userAgent: string;
  extractPage: ExtractPage;
  clock: Clock;
  timer: Timer;
};

/**
 * Reads the pages behind the first entries, one after the other, and puts their text in the place of the entries' own. An
 * entry whose page does not come keeps its own; one whose page asks not to be indexed fails.
 */
export async function readFullPages(made: EntryPages, deps: FullPagesDeps): Promise<EntryPages> {
  const startedMs = deps.clock.nowMs();
  const pages: FeedPage[] = [];
  const failed = [...made.failed];
  for (const [i, page] of made.pages.entries()) {
    const isInTime = i < MOST_FULL_PAGES && deps.clock.nowMs() - startedMs < MOST_MS;
    if (isInTime && i > 0) await pause(deps.timer);
    const read = isInTime ? await readFullPage(page, deps) : page;
    if (read === 'noindex') failed.push(page.url);
    else pages.push(read);
  }
  return { pages, failed };
}

async function readFullPage(page: FeedPage, deps: FullPagesDeps): Promise<FeedPage | 'noindex'> {
  const { outbound, userAgent, extractPage } = deps;
  let html: string;
  try {
    const answer = await outbound(page.url, {
      redirect: 'follow',
      timeLimitMs: PAGE_LIMIT_MS,
      mostBytes: PAGE_BYTES,
      headers: { accept: 'text/html, application/xhtml+xml', 'user-agent': userAgent },
    });
    const type = answer.headers.get('content-type') ?? '';
    // A redirect to elsewhere is a page of somebody else; what is no HTML has no text here.
    const isOurs = hostOf(answer.url || page.url) === hostOf(page.url);
    if (!answer.ok || !isOurs || !/^(text\/html|application\/xhtml\+xml)\b/i.test(type)) {
      await answer.body?.cancel();
      return page;
    }
    if (/\b(noindex|none)\b/i.test(answer.headers.get('x-robots-tag') ?? '')) {
      await answer.body?.cancel();
      return 'noindex';
    }
    html = decodeText(new Uint8Array(await answer.arrayBuffer()), type);
  } catch {
    return page;
  }
  const found = extractPage(html, page.url);
  if (found.isNoindex) return 'noindex';
  if (found.body === '') return page;
  return {
    ...page,
    title: page.title || found.title,
    headings: found.headings,
    body: found.body,
    labels: cleanLabels([...page.labels, ...found.labels]),
    thumbnail: page.thumbnail ?? found.thumbnail,
    language: found.language ?? page.language,
    publishedAtSecs: page.publishedAtSecs ?? found.publishedAtSecs,
  };
}

const pause = (timer: Timer) => new Promise<void>((resolve) => void timer.after(PAUSE_MS, resolve));
