import type { Router } from '@koa/router';
import type { Context, RequestState } from '../../http/request-state.ts';
import { serveOperation } from '../../http/serve-operation.ts';
import type { Caller } from '../../wire/access.ts';
import {
  AddFeedQuery,
  FeedAdded,
  FeedList,
  ListFeedsQuery,
  MakeFromFeedQuery,
  RemoveFeedQuery,
  SiteFromFeed,
} from '../../wire/feeds.ts';
import type { Operation } from '../../wire/operation.ts';
import { fault } from '../../wire/problem.ts';
import { SiteParams } from '../../wire/sites.ts';
import type { FeedSite, FeedStore } from '../core/feed-ports.ts';
import { type FeedReader, MOST_FEEDS } from './feed-reader.ts';

const FETCHES = [
  'malformed-request',
  'feed-refused',
  'feed-too-large',
  'not-a-feed',
  'feed-unreachable',
  'feed-timeout',
  'throttled',
  'overloaded',
  'pilot-limit',
  'site-limit',
  'store-unavailable',
] as const;
const OWNERS = [
  'malformed-request',
  'wrong-secret',
  'unknown-site',
  'throttled',
  'store-unavailable',
] as const;
const feeds = {
  tag: 'Search',
  path: '/sites/{siteId}/rss',
  params: SiteParams,
  isOpenToAnyOrigin: false,
} as const;

const makeOperation = {
  id: 'makeSiteFromFeed',
  method: 'post',
  path: '/sites/rss',
  tag: 'Search',
  summary: 'A new site from a feed',
  description:
    'RSS 0.9x, 1.0 and 2.0, Atom, JSON Feed. Where the feed cannot be taken no site is made. Whose the site is, is told at `POST /sites`.',
  query: MakeFromFeedQuery,
  answer: { status: 201, description: 'The site; the secret is told this once', schema: SiteFromFeed },
  problems: [...FETCHES, 'unknown-key'],
  takesKey: true,
  isOpenToAnyOrigin: false,
} as const satisfies Operation;

const addOperation = {
  ...feeds,
  id: 'addFeed',
  method: 'put',
  summary: 'Add a feed to a site, or read it again',
  query: AddFeedQuery,
  answer: { status: 200, description: 'What the feed brought', schema: FeedAdded },
  problems: [...new Set([...FETCHES, ...OWNERS])],
} as const satisfies Operation;

const listOperation = {
  ...feeds,
  id: 'listFeeds',
  method: 'get',
  summary: 'The feeds of a site',
  query: ListFeedsQuery,
  answer: { status: 200, description: 'All of them', schema: FeedList },
  problems: OWNERS,
} as const satisfies Operation;

const removeOperation = {
  ...feeds,
  id: 'removeFeed',
  method: 'delete',
  summary: 'Take no more from a feed',
  description: 'The pages that it brought stay.',
  query: RemoveFeedQuery,
  answer: { status: 204, description: 'It is forgotten' },
  problems: [...OWNERS, 'unknown-feed'],
} as const satisfies Operation;

export const feedOperations: Operation[] = [makeOperation, addOperation, listOperation, removeOperation];

export type FeedRoutesDeps = {
  reader: FeedReader;
  store: FeedStore;
  /** Who holds the key of this text. @throws Fault `unknown-key` */
  callerOf(key: string): Promise<Caller>;
  /** The site, for who shows its secret. @throws Fault `unknown-site`, `wrong-secret`, `throttled` */
  admitOwner(
    input: { params: { siteId: string }; query: { siteSecret?: string | undefined } },
    ctx: Context,
  ): Promise<FeedSite>;
  /** Counts an anonymous site. @throws Fault `throttled` */
  throttleSites(ctx: Context): Promise<void>;
  /** Counts a feed that is fetched for the owner of a site. @throws Fault `throttled` */
  throttleFeeds(ctx: Context): Promise<void>;
};

/** Sites from feeds, and the feeds of a site. */
export function serveFeeds(router: Router<RequestState>, deps: FeedRoutesDeps): void {
  const { reader, store, callerOf, admitOwner, throttleSites, throttleFeeds } = deps;

  serveOperation(router, makeOperation, async ({ query: { feedUrl, fullPages } }, ctx) => {
    ctx.set('Cache-Control', 'no-store');
    const key = ctx.get('X-API-Key');
    const caller = key === '' ? null : await callerOf(key);
    await (caller ? throttleFeeds : throttleSites)(ctx);
    const made = await reader.makeSite(caller?.tenant ?? null, feedUrl, fullPages === 'true');
    ctx.set('Location', `/sites/${made.siteId}`);
    return made;
  });

  serveOperation(
    router,
    addOperation,
    async ({ admitted: site, query: { feedUrl, fullPages } }, ctx) => {
      await throttleFeeds(ctx);
      return { siteId: site.siteId, ...(await reader.addFeed(site, feedUrl, fullPages === 'true')) };
    },
    admitOwner,
  );

  serveOperation(
    router,
    listOperation,
    ({ admitted: { siteId } }) => ({
      feeds: store.list(siteId, MOST_FEEDS).map((feed) => ({
        feedUrl: feed.url,
        fullPages: feed.fullPages,
        fetched: new Date(feed.fetchedAtSecs * 1000).toISOString(),
        failures: feed.failures,
      })),
    }),
    admitOwner,
  );

  serveOperation(
    router,
    removeOperation,
    async ({ admitted: { siteId }, query: { feedUrl } }) => {
      if (!(await store.remove(siteId, feedUrl))) {
        throw fault('unknown-feed', 'feedUrl: expected one of the feeds of this site');
      }
    },
    admitOwner,
  );
}
