import type { Router } from '@koa/router';
import type { RequestState } from '../http/request-state.ts';
import { serveOperation } from '../http/serve-operation.ts';
import { NewConsoleSite, SitesPage, TrialQuery } from '../wire/console.ts';
import type { Operation } from '../wire/operation.ts';
import { PROFILE_BYTES, Profile, SiteParams } from '../wire/sites.ts';
import type { ConsoleSites } from './ports.ts';

const operators = {
  tag: 'Console',
  problems: ['malformed-request', 'sign-in-required', 'unknown-site', 'store-unavailable'],
  isOpenToAnyOrigin: false,
} as const;
const one = { ...operators, params: SiteParams } as const;

const listOperation = {
  ...operators,
  id: 'listAllSites',
  method: 'get',
  path: '/console/api/sites',
  summary: 'All sites',
  query: SitesPage,
  answer: { status: 200, description: 'A hundred at a time, in the order of their ids' },
} as const satisfies Operation;

const makeOperation = {
  ...operators,
  id: 'makeSiteFor',
  method: 'post',
  path: '/console/api/sites',
  summary: 'A new site',
  body: NewConsoleSite,
  answer: { status: 201, description: 'The site; its secret is told this once' },
} as const satisfies Operation;

const removeOperation = {
  ...one,
  id: 'removeSite',
  method: 'delete',
  path: '/console/api/sites/{siteId}',
  summary: 'Delete a site with all its pages',
  answer: { status: 204, description: 'It is gone' },
} as const satisfies Operation;

const profileOperation = {
  ...one,
  id: 'readSiteProfile',
  method: 'get',
  path: '/console/api/sites/{siteId}/profile',
  summary: 'The settings of a site',
  answer: { status: 200, description: 'The settings' },
} as const satisfies Operation;

const putProfileOperation = {
  ...one,
  id: 'putSiteProfile',
  method: 'put',
  path: '/console/api/sites/{siteId}/profile',
  summary: 'Replace the settings of a site',
  body: Profile,
  bodyLimitBytes: PROFILE_BYTES,
  answer: { status: 200, description: 'The settings as they stand' },
} as const satisfies Operation;

const searchOperation = {
  ...one,
  id: 'trySearch',
  method: 'get',
  path: '/console/api/sites/{siteId}/search',
  summary: 'Try a search',
  query: TrialQuery,
  answer: { status: 200, description: 'What a visitor would find, in plain texts' },
} as const satisfies Operation;

const queriesOperation = {
  ...one,
  id: 'readQueries',
  method: 'get',
  path: '/console/api/sites/{siteId}/queries',
  summary: 'What visitors looked for',
  answer: { status: 200, description: 'The last 30 days' },
} as const satisfies Operation;

// Our choice: each is measured in the index when it is listed.
const LISTED = 100;

export type SitesDeps = { sites: ConsoleSites };

/** All sites of this server, whoever they belong to. */
export function serveConsoleSites(router: Router<RequestState>, { sites }: SitesDeps): void {
  serveOperation(router, listOperation, ({ query: { after = '' } }) => sites.list(after, LISTED));
  serveOperation(router, makeOperation, ({ body: { tenant } }) => sites.make(tenant));
  serveOperation(router, removeOperation, async ({ params: { siteId } }) => {
    await sites.remove(siteId);
    return undefined as never;
  });
  serveOperation(router, profileOperation, ({ params: { siteId } }) => sites.profile(siteId));
  serveOperation(router, putProfileOperation, async ({ params: { siteId }, body: profile }) => {
    await sites.putProfile(siteId, profile);
    return sites.profile(siteId);
  });
  serveOperation(router, searchOperation, ({ params: { siteId }, query: { query } }) =>
    sites.search(siteId, query),
  );
  serveOperation(router, queriesOperation, ({ params: { siteId } }) => sites.queries(siteId));
}
