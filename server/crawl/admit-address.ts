import type { CrawlConfig, Waiting } from './core/ports.ts';
import type { Skip } from './core/reasons.ts';
import { isAllowed } from './core/robots.ts';
import type { RobotsAnswer } from './fetch-robots.ts';
import { findConfig, pathOf } from './scope.ts';

/** Links from the beginning; our choice, beyond which only calendars go. */
export const MOST_DEPTH = 32;

// What is neither HTML nor PDF by its name: not asked for.
const OTHER_FILES =
  /\.(?:7z|avi|bmp|bz2|css|csv|deb|dmg|docx?|eot|epub|exe|gif|gz|ico|iso|jar|jpe?g|js|json|m4[av]|mjs|mov|mp[34]|mpe?g|msi|odt|og[gv]|otf|png|pptx?|rar|rpm|svg|tar|tgz|tiff?|ttf|wasm|wav|web[mp]|woff2?|xlsx?|xz|zip)$/i;

const ADDRESSES_A_TURN = 200;

export type RobotsOf = (origin: string) => Promise<RobotsAnswer>;

/** Why an address is left out before it is asked for; null where it may be asked for. */
export async function refuseAddress(
  configs: readonly CrawlConfig[],
  robotsOf: RobotsOf,
  url: string,
  depth: number,
): Promise<Skip | null> {
  const skip = (reason: Skip['reason'], detail: string): Skip => ({ url, reason, detail });
  const config = findConfig(configs, url);
  if (!config) return skip('off-site', `outside of ${configs.map((one) => one.url).join(', ')}`);
  if (depth > MOST_DEPTH) return skip('limit', `more than ${MOST_DEPTH} links from the beginning`);
  const { search, pathname, origin } = new URL(url);
  if (search !== '' && !config.allowUrlWithQuery) return skip('query-string', 'allowUrlWithQuery is not set');
  if (OTHER_FILES.test(pathname)) return skip('content-type', 'by its name neither HTML nor PDF');
  const { robots, unavailable } = await robotsOf(origin);
  if (unavailable !== null) return { url, ...unavailable };
  return isAllowed(robots, pathOf(url)) ? null : skip('robots', 'robots.txt disallows it');
}

/** Sorts addresses that were found into those to ask for and those left out. Other sites are told of where `tellsOffSite`. */
export async function admitAddresses(
  configs: readonly CrawlConfig[],
  robotsOf: RobotsOf,
  urls: readonly string[],
  depth: number,
  tellsOffSite: boolean,
): Promise<{ add: Waiting[]; skipped: (Skip & { isNew: true })[] }> {
  const add: Waiting[] = [];
  const skipped: (Skip & { isNew: true })[] = [];
  for (const [i, url] of urls.entries()) {
    // A sitemap has 50,000 of them, and robots.txt thousands of rules: others get their turn in between.
    if (i % ADDRESSES_A_TURN === ADDRESSES_A_TURN - 1) await new Promise((resolve) => setImmediate(resolve));
    const skip = await refuseAddress(configs, robotsOf, url, depth);
    if (skip === null) add.push({ kind: 'page', url, depth, via: [], tries: 0 });
    else if (skip.reason !== 'off-site' || tellsOffSite) skipped.push({ ...skip, isNew: true });
  }
  return { add, skipped };
}
