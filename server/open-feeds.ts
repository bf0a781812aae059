import type { Throttle } from './access/throttle.ts';
import type { ExtractPage } from './base/extracted-page.ts';
import { Fault } from './base/fault.ts';
import type { Outbound } from './base/outbound.ts';
import type { Clock, Log, Timer } from './base/ports.ts';
import type { FeedPage, FeedSite, FeedSites, FeedStore, ParseFeed } from './crawl/core/feed-ports.ts';
import { createFeedReader } from './crawl/feeds/feed-reader.ts';
import { startRefreshing } from './crawl/feeds/refresh.ts';
import type { FeedRoutesDeps } from './crawl/feeds/routes.ts';
import { createAdmitOwner } from './search/admit-owner.ts';
import type { SiteRecord } from './search/core/site.ts';
import type { Search } from './search/service.ts';

const REFRESH_EVERY_MS = 600_000;

export type OpenFeedsDeps = {
  search: Search;
  extractPage: ExtractPage;
  store: FeedStore;
  parseFeed: ParseFeed;
  outbound: Outbound;
  userAgent: string;
  throttleSites: Throttle;
  throttleSecret: Throttle;
  throttleFeeds: Throttle;
  clock: Clock;
  timer: Timer;
  log: Log;
};

/** Wires the feeds to the search that they fill. */
export function openFeeds(deps: OpenFeedsDeps): {
  deps: Omit<FeedRoutesDeps, 'callerOf'>;
  /** Reads feeds again until the function that it gives is called; for one process of a server. */
  startRefreshing(): () => void;
} {
  const { search, store, throttleSites, throttleFeeds } = deps;
  const sites = createFeedSites(search);
  const reader = createFeedReader({ ...deps, sites });
  const admitOwner = createAdmitOwner(deps);
  return {
    deps: {
      reader,
      store,
      throttleSites,
      throttleFeeds,
      admitOwner: async (input, ctx) => describeSite(await admitOwner(input, ctx)),
    },
    startRefreshing: () => startRefreshing({ ...deps, sites, reader }, REFRESH_EVERY_MS),
  };
}

function createFeedSites(search: Search): FeedSites {
  function find(siteId: string): SiteRecord | null {
    try {
      return search.find(siteId);
    } catch (error) {
      if (error instanceof Fault && error.code === 'unknown-site') return null;
      throw error;
    }
  }
  return {
    make: search.make,
    find(siteId) {
      const site = find(siteId);
      return site && describeSite(site);
    },
    async write(siteId, pages) {
      const site = search.find(siteId);
      const fresh: FeedPage[] = [];
      for (const page of pages) {
        const kept = await search.readIfThere(site, search.pageIdOf(site, page.url));
        if (kept === null || (kept.source === 'feed' && !isSame(kept, page))) fresh.push(page);
      }
      await search.write(site, fresh, 'feed');
      return pages.map(({ url }) => search.pageIdOf(site, url));
    },
    drop: search.drop,
  };
}

const describeSite = ({ siteId, tenant, host, profile }: SiteRecord): FeedSite => ({
  siteId,
  isPilot: tenant === null,
  host,
  recrawlHours: profile.recrawlHours,
});

const SHOWN = ['title', 'body', 'labels', 'thumbnail', 'language', 'publishedAtSecs'] as const;
const isSame = (a: FeedPage, b: FeedPage): boolean =>
  SHOWN.every((name) => JSON.stringify(a[name]) === JSON.stringify(b[name]));
