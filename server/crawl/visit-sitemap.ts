import { readLink } from '../base/page-url.ts';
import { admitAddresses } from './admit-address.ts';
import type { Waiting } from './core/ports.ts';
import { readSitemap, SITEMAP_BYTES } from './sitemap.ts';
import { type CrawlContext, NOTHING, type Visit } from './visit-page.ts';

// Our choices: sitemaps.org allows no index in an index, sites have them two deep.
const MOST_NESTING = 4;
const MOST_SITEMAPS = 1_000;

/** Asks for a sitemap and lists what it names. */
export async function visitSitemap(context: CrawlContext, item: Waiting): Promise<Visit> {
  const { record, robotsOf } = context;
  const { url, depth, via, tries } = item;
  const leave = (detail: string): Visit => ({ ...NOTHING, skipped: [{ url, reason: 'sitemap', detail }] });

  // Where robots.txt cannot be had from its server nothing may be asked for (RFC 9309 §2.3.1.4), sitemaps neither.
  const { unavailable } = await robotsOf(new URL(url).origin);
  if (unavailable !== null) return isGuess(url) ? NOTHING : leave(unavailable.detail);
  const answer = await context.ask(url, record.configs[0], SITEMAP_BYTES);
  if (answer.kind === 'busy') {
    return tries < 2
      ? { ...NOTHING, retry: { ...item, tries: tries + 1 } }
      : leave(`the server answered ${answer.status}`);
  }
  if (answer.kind === 'redirect') {
    const target = answer.location === null ? null : readLink(answer.location, url);
    if (target === null || via.length >= 10 || target === url || via.includes(target)) {
      return leave('it redirects in a circle, too often, or to nowhere');
    }
    return { ...NOTHING, add: [{ ...item, url: target, via: [...via, url] }] };
  }
  // Where no sitemap was named the usual place is looked at, and nothing there is nothing to tell of.
  if (answer.kind === 'refused' && answer.reason === 'not-found' && isGuess(url)) return NOTHING;
  if (answer.kind !== 'body') return leave(answer.kind === 'refused' ? answer.detail : 'not understood');
  try {
    const { pages, sitemaps } = await readSitemap(answer.bytes, answer.headers.get('content-type'));
    const urls = [...new Set(pages.flatMap((text) => readLink(text, url) ?? []))];
    const found = await admitAddresses(record.configs, robotsOf, urls, 0, true);
    const isDeep = depth >= MOST_NESTING || record.sitemaps >= MOST_SITEMAPS;
    const nested = sitemaps.flatMap((text) => readLink(text, url) ?? []);
    return {
      ...NOTHING,
      add: [...found.add, ...(isDeep ? [] : nested.map((one) => sitemapAt(one, depth + 1)))],
      skipped: [
        ...found.skipped,
        ...(isDeep
          ? nested.map((one) => ({
              url: one,
              reason: 'limit' as const,
              detail: 'too many sitemaps, or too deep in each other',
              isNew: true,
            }))
          : []),
      ],
    };
  } catch (error) {
    if (isGuess(url)) return NOTHING;
    return leave(`not a sitemap: ${(error as Error).message.split('\n')[0].slice(0, 200)}`);
  }
}

export const sitemapAt = (url: string, depth = 0): Waiting => ({
  kind: 'sitemap',
  url,
  depth,
  via: [],
  tries: 0,
});

export const GUESSED_PATH = '/sitemap.xml';
const isGuess = (url: string) => new URL(url).pathname === GUESSED_PATH;
