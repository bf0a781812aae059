import { createThrottle } from '../server/access/throttle.ts';
import type { Outbound } from '../server/base/outbound.ts';
import type { ParsedFeed, ParseFeed } from '../server/crawl/core/feed-ports.ts';
import { readFeedEntries } from '../server/crawl/feeds/feed-entries.ts';
import { openFeeds } from '../server/open-feeds.ts';
import { openMemoryCallCounts } from '../server/store/memory-call-counts.ts';
import { createMemoryFeeds } from './memory-feeds.ts';
import { createTestSearch, type TestSearchOptions } from './test-search.ts';
import { createTestTimer } from './test-timer.ts';

/** What a server elsewhere answers to a request. */
export type Elsewhere = (url: string, headers: Record<string, string>) => Response | Promise<Response>;

export type TestFeedsOptions = TestSearchOptions & {
  outbound?: Outbound;
  parseFeed?: ParseFeed;
  feedsRate?: { calls: number; secs: number };
};

/** The real app with feeds over stores in memory; `elsewhere` is the rest of the world. */
export function createTestFeeds(elsewhere: Elsewhere, options: TestFeedsOptions = {}) {
  const store = createMemoryFeeds();
  const timer = createTestTimer();
  const asked: string[] = [];
  const boundless = { calls: 1e9, secs: 60 };
  const made: { opened?: ReturnType<typeof openFeeds> } = {};
  const outbound: Outbound =
    options.outbound ??
    (async (url, init) => {
      asked.push(String(url));
      return elsewhere(String(url), (init?.headers ?? {}) as Record<string, string>);
    });
  const world = createTestSearch({
    ...options,
    feeds(siteSearch, clock, log) {
      made.opened = openFeeds({
        ...siteSearch,
        store,
        parseFeed: options.parseFeed ?? parseHere,
        outbound,
        userAgent: 'GatehouseBot/test',
        throttleFeeds: createThrottle('feeds', options.feedsRate ?? boundless, openMemoryCallCounts),
        clock,
        timer: { after: (ms, run) => (ms < 1_000 ? runSoon(run) : timer.after(ms, run)) },
        log,
      });
      return made.opened.deps;
    },
  });
  const { opened } = made as Required<typeof made>;
  return { ...world, store, timer, asked, startRefreshing: opened.startRefreshing };
}

// The pauses between pages pass at once.
function runSoon(run: () => void): () => void {
  const waiting = setImmediate(run);
  return () => clearImmediate(waiting);
}

const parseHere: ParseFeed = async (text, url): Promise<ParsedFeed | null> => {
  try {
    return readFeedEntries(text, url);
  } catch {
    return null;
  }
};

/** An RSS feed of items. */
export const rss = (items: readonly string[]): string =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>T</title>${items.map((item) => `<item>${item}</item>`).join('')}</channel></rss>`;

/** An item of a path of `feeds.example`. */
export const item = (path: string, text = `Text of ${path}`, more = ''): string =>
  `<title>Title of ${path}</title><link>https://feeds.example/${path}</link><description>${text}</description>${more}`;
