import type { Router } from '@koa/router';
import type { Context, RequestState } from '../http/request-state.ts';
import { serveOperation } from '../http/serve-operation.ts';
import type { Caller } from '../wire/access.ts';
import type { Operation } from '../wire/operation.ts';
import { fault } from '../wire/problem.ts';
import {
  NewSite,
  PROFILE_BYTES,
  Profile,
  ProfileBody,
  SecretQuery,
  SiteBody,
  SiteList,
  SiteParams,
  SitesQuery,
  StatsBody,
} from '../wire/sites.ts';
import type { AdmitOwner } from './admit-owner.ts';
import { MOST_LISTED } from './core/page.ts';
import { showTop } from './core/query-counts.ts';
import { pilotEndsAtSecs } from './core/retention.ts';
import type { SiteRecord } from './core/site.ts';
import { isSelector } from './html-selector.ts';
import type { Search } from './service.ts';

const OWNERS = [
  'malformed-request',
  'wrong-secret',
  'unknown-site',
  'throttled',
  'store-unavailable',
] as const;
const owners = { tag: 'Search', params: SiteParams, query: SecretQuery, isOpenToAnyOrigin: false } as const;

const makeOperation = {
  id: 'makeSite',
  method: 'post',
  path: '/sites',
  tag: 'Search',
  summary: 'A new site',
  description:
    "With an API key it belongs to the key's tenant. Without one it is a pilot: 2,000 pages of one host, for 14 days.",
  answer: { status: 201, description: 'The site; the secret is told this once', schema: NewSite },
  problems: ['unknown-key', 'throttled', 'store-unavailable'],
  takesKey: true,
  isOpenToAnyOrigin: false,
} as const satisfies Operation;

const listOperation = {
  id: 'listSites',
  method: 'get',
  path: '/sites',
  tag: 'Search',
  summary: "The sites of the key's tenant",
  query: SitesQuery,
  answer: { status: 200, description: 'Sites in the order of their ids, without secrets', schema: SiteList },
  problems: ['malformed-request', 'unknown-key', 'store-unavailable'],
  takesKey: true,
  isOpenToAnyOrigin: false,
} as const satisfies Operation;

const readOperation = {
  ...owners,
  id: 'readSite',
  method: 'get',
  path: '/sites/{siteId}',
  summary: 'What is known of a site',
  answer: { status: 200, description: 'The site', schema: SiteBody },
  problems: OWNERS,
} as const satisfies Operation;

const deleteOperation = {
  ...owners,
  id: 'deleteSite',
  method: 'delete',
  path: '/sites/{siteId}',
  summary: 'Delete a site with all its pages',
  answer: { status: 204, description: 'It is gone' },
  problems: OWNERS,
} as const satisfies Operation;

const readProfileOperation = {
  ...owners,
  id: 'readProfile',
  method: 'get',
  path: '/sites/{siteId}/profile',
  summary: 'The settings of a site',
  answer: { status: 200, description: 'The settings', schema: ProfileBody },
  problems: OWNERS,
} as const satisfies Operation;

const putProfileOperation = {
  ...owners,
  id: 'putProfile',
  method: 'put',
  path: '/sites/{siteId}/profile',
  summary: 'Replace the settings of a site',
  description: 'What is left out has its default.',
  body: Profile,
  bodyLimitBytes: PROFILE_BYTES,
  answer: { status: 200, description: 'The settings as they stand', schema: ProfileBody },
  problems: [...OWNERS, 'body-too-large', 'unsupported-media-type'],
} as const satisfies Operation;

const statsOperation = {
  ...owners,
  id: 'readStats',
  method: 'get',
  path: '/sites/{siteId}/stats',
  summary: 'Size of a site and what visitors looked for',
  answer: { status: 200, description: 'The last 30 days', schema: StatsBody },
  problems: OWNERS,
} as const satisfies Operation;

export const siteOperations: Operation[] = [
  makeOperation,
  listOperation,
  readOperation,
  deleteOperation,
  readProfileOperation,
  putProfileOperation,
  statsOperation,
];

export type SiteRoutesDeps = {
  search: Search;
  /** Who holds the key of this text. @throws Fault `unknown-key` */
  callerOf(key: string): Promise<Caller>;
  /** Counts an anonymous site. @throws Fault `throttled` */
  throttleSites(ctx: Context): Promise<void>;
};

/** Making, listing, reading and deleting sites, their settings and figures. */
export function serveSites(router: Router<RequestState>, deps: SiteRoutesDeps, admitOwner: AdmitOwner): void {
  const { search, callerOf, throttleSites } = deps;

  async function describe(site: SiteRecord) {
    const { pages, bytes } = await search.size(site);
    const ends = pilotEndsAtSecs(site);
    return {
      siteId: site.siteId,
      created: isoTime(site.createdAtSecs),
      isPilot: site.tenant === null,
      host: site.host,
      ends: ends === null ? null : isoTime(ends),
      pages,
      bytes,
    };
  }

  serveOperation(router, makeOperation, async (_, ctx) => {
    ctx.set('Cache-Control', 'no-store');
    const key = ctx.get('X-API-Key');
    const caller = key === '' ? null : await callerOf(key);
    if (!caller) await throttleSites(ctx);
    const made = await search.make(caller?.tenant ?? null);
    ctx.set('Location', `/sites/${made.siteId}`);
    return made;
  });

  serveOperation(router, listOperation, async ({ query: { after = '', limit = MOST_LISTED } }, ctx) => {
    ctx.set('Cache-Control', 'no-store');
    const key = ctx.get('X-API-Key');
    if (key === '') throw fault('unknown-key', 'X-API-Key: expected the key whose sites are asked for');
    const { sites, next } = search.sitesOf((await callerOf(key)).tenant, after, limit);
    return { sites: await Promise.all(sites.map(describe)), next };
  });

  serveOperation(router, readOperation, ({ admitted: site }) => describe(site), admitOwner);

  serveOperation(router, deleteOperation, ({ admitted: site }) => search.drop(site.siteId), admitOwner);

  serveOperation(router, readProfileOperation, ({ admitted: site }) => site.profile, admitOwner);

  serveOperation(
    router,
    putProfileOperation,
    async ({ admitted: site, body: profile }) => {
      for (const [i, { pageBodyCssSelector: selector }] of profile.configs.entries()) {
        if (selector !== null && !isSelector(selector)) {
          throw fault(
            'malformed-request',
            `body.configs.${i}.pageBodyCssSelector: expected a CSS selector without pseudo-elements`,
          );
        }
      }
      await search.putProfile(site, profile);
      return profile;
    },
    admitOwner,
  );

  serveOperation(
    router,
    statsOperation,
    async ({ admitted: site }) => {
      const { since, counts } = await search.counts(site);
      return {
        ...(await search.size(site)),
        since,
        queries: counts.queries,
        queriesWithoutResult: counts.withoutResult,
        topQueries: showTop(counts.top),
        topQueriesWithoutResult: showTop(counts.topWithoutResult),
      };
    },
    admitOwner,
  );
}

const isoTime = (secs: number) => new Date(secs * 1000).toISOString();
