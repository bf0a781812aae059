import { hostOf } from '../../base/page-url.ts';
import { nowSecs } from '../../base/ports.ts';
import { fault } from '../../wire/problem.ts';
import type {
  FeedRecord,
  FeedSite,
  FeedSites,
  FeedStore,
  ParsedFeed,
  ParseFeed,
} from '../core/feed-ports.ts';
import { type EntryPages, makeEntryPages } from './entry-pages.ts';
import { type FetchedFeed, fetchFeed } from './fetch-feed.ts';
import { type FullPagesDeps, readFullPages } from './full-pages.ts';

/** Our choice: a site of many feeds is a reader. */
export const MOST_FEEDS = 100;
// Our choice: each holds a feed and its pages in memory, and waits for other servers.
const MOST_AT_ONCE = 16;

export type FeedReaderDeps = FullPagesDeps & {
  sites: FeedSites;
  store: FeedStore;
  parseFeed: ParseFeed;
};
export type FeedReader = ReturnType<typeof createFeedReader>;

/** What a feed brought: ids of pages, and what brought none. */
export type FeedOutcome = { documents: string[]; failed: string[] };

/** Fills sites from feeds. */
export function createFeedReader(deps: FeedReaderDeps) {
  const { outbound, userAgent, sites, store, parseFeed, extractPage, clock } = deps;
  let atOnce = 0;

  async function bounded<Result>(run: () => Promise<Result>): Promise<Result> {
    if (atOnce >= MOST_AT_ONCE) {
      throw fault('overloaded', `${MOST_AT_ONCE} feeds are being read; come back in a moment`, {
        headers: { 'Retry-After': '10' },
      });
    }
    atOnce++;
    try {
      return await run();
    } finally {
      atOnce--;
    }
  }

  /** @throws Fault `not-a-feed` */
  async function parse({ text, url }: FetchedFeed): Promise<ParsedFeed> {
    const parsed = await parseFeed(text, url);
    if (parsed === null) throw fault('not-a-feed', 'feedUrl: expected RSS, Atom or JSON Feed');
    if (parsed.entries.length === 0)
      throw fault('not-a-feed', 'feedUrl: expected a feed with entries, got none');
    return parsed;
  }

  /** The pages for a site, or for one that is still to be made: then null is known of it but whether it is a pilot. */
  async function pagesFor(
    site: Pick<FeedSite, 'isPilot' | 'host'>,
    { entries }: ParsedFeed,
    fullPages: boolean,
  ): Promise<EntryPages> {
    let host = site.host;
    // A pilot is for one host; entries that lead elsewhere are no reason to refuse the others.
    const admits = (url: string) => {
      host ??= hostOf(url);
      return !site.isPilot || hostOf(url) === host;
    };
    const made = await makeEntryPages(entries, extractPage, admits);
    return fullPages ? readFullPages(made, deps) : made;
  }

  const recordOf = (siteId: string, url: string, fullPages: boolean, fetched: FetchedFeed): FeedRecord => ({
    siteId,
    url,
    fullPages,
    etag: fetched.etag,
    lastModified: fetched.lastModified,
    fetchedAtSecs: nowSecs(clock),
    failures: 0,
  });

  async function fetchFirst(url: string): Promise<FetchedFeed> {
    const fetched = await fetchFeed(outbound, userAgent, url);
    if (fetched === null) throw fault('feed-unreachable', 'feedUrl: expected a feed, got nothing new');
    return fetched;
  }

  /** Makes a site of a feed. Whatever fails before there is a page, no site is made; what fails after it, takes it back. */
  const makeSite = (tenant: string | null, url: string, fullPages: boolean) =>
    bounded(async () => {
      const fetched = await fetchFirst(url);
      const site = { isPilot: tenant === null, host: null };
      const { pages, failed } = await pagesFor(site, await parse(fetched), fullPages);
      const made = await sites.make(tenant);
      try {
        const documents = await sites.write(made.siteId, pages);
        await store.put(recordOf(made.siteId, url, fullPages, fetched));
        return { ...made, documents, failed };
      } catch (error) {
        await sites.drop(made.siteId);
        throw error;
      }
    });

  /** Adds a feed to a site, or reads one of its feeds again. @throws Fault `site-limit` beyond so many feeds */
  const addFeed = (site: FeedSite, url: string, fullPages: boolean): Promise<FeedOutcome> =>
    bounded(async () => {
      const known = store.list(site.siteId, MOST_FEEDS + 1);
      if (known.length >= MOST_FEEDS && !known.some((feed) => feed.url === url)) {
        throw fault('site-limit', `a site has at most ${MOST_FEEDS} feeds`);
      }
      const fetched = await fetchFirst(url);
      const { pages, failed } = await pagesFor(site, await parse(fetched), fullPages);
      const documents = await sites.write(site.siteId, pages);
      await store.put(recordOf(site.siteId, url, fullPages, fetched));
      return { documents, failed };
    });

  /** Reads a feed of a site again, and keeps what became of it. Null: it is the same as before. */
  const refresh = (site: FeedSite, feed: FeedRecord): Promise<FeedOutcome | null> =>
    bounded(async () => {
      const fetchedAtSecs = nowSecs(clock);
      try {
        const fetched = await fetchFeed(outbound, userAgent, feed.url, feed);
        if (fetched === null) {
          await store.put({ ...feed, fetchedAtSecs, failures: 0 });
          return null;
        }
        const { pages, failed } = await pagesFor(site, await parse(fetched), feed.fullPages);
        const documents = await sites.write(site.siteId, pages);
        await store.put(recordOf(site.siteId, feed.url, feed.fullPages, fetched));
        return { documents, failed };
      } catch (error) {
        await store.put({ ...feed, fetchedAtSecs, failures: feed.failures + 1 });
        throw error;
      }
    });

  return { makeSite, addFeed, refresh };
}
