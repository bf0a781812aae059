import type { CrawlConfig } from './core/ports.ts';

/**
 * Whether a crawl covers an address: the same host and port as one of its beginnings (http and https are one where the
 * ports are the usual), in the folder of that or below.
 */
export function findConfig(configs: readonly CrawlConfig[], url: string): CrawlConfig | null {
  const asked = new URL(url);
  const covering = configs.filter((config) => {
    const start = new URL(config.url);
    return siteOf(start) === siteOf(asked) && asked.pathname.startsWith(folderOf(start));
  });
  return covering.reduce<CrawlConfig | null>(
    (best, config) => (best && best.url.length >= config.url.length ? best : config),
    null,
  );
}

const siteOf = (url: URL) => (url.port === '' ? url.hostname : url.host);

/** The folder of an address: its path up to the last slash. */
export const folderOf = ({ pathname }: URL): string => pathname.slice(0, pathname.lastIndexOf('/') + 1);

/** What robots.txt patterns are held against: the path with its query. */
export const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** Whether two hosts are one but for a `www.` in front: what a site's first redirect often is about. */
export function isSameButWww(a: string, b: string): boolean {
  const bare = (url: string) => new URL(url).hostname.replace(/^www\./, '');
  return bare(a) === bare(b);
}
