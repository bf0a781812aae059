import type { SiteProfile } from './site.ts';

type CrawlConfig = SiteProfile['configs'][number];

/** The settings for a page: those whose URL begins as its own does, on the same origin, the longest first. Null: none. */
export function configFor(profile: SiteProfile, url: string): CrawlConfig | null {
  const fitting = profile.configs.filter((config) => isUnder(config.url, url));
  return fitting.reduce<CrawlConfig | null>(
    (best, config) => (best && best.url.length >= config.url.length ? best : config),
    null,
  );
}

// Both were written by the URL parser, so that a path always stands behind the origin. `/docs` covers `/docs/a`, not
// `/docsearch`.
function isUnder(folder: string, url: string): boolean {
  const plain = folder.replace(/[?].*$/, '').replace(/\/$/, '');
  return url === folder || (url.startsWith(plain) && /^[/?]|^$/.test(url.slice(plain.length)));
}
