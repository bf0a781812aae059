import type { Router } from '@koa/router';
import type { Clock } from '../base/ports.ts';
import { cookieValues } from '../http/cookies.ts';
import type { Context, RequestState } from '../http/request-state.ts';
import { serveOperation } from '../http/serve-operation.ts';
import type { Operation } from '../wire/operation.ts';
import {
  AutocompleteBody,
  AutocompleteQuery,
  DEFAULT_RESULTS,
  MOST_COMPLETIONS,
  OVERRIDE_COOKIE,
  SearchBody,
  SearchQuery,
} from '../wire/search.ts';
import { SiteParams } from '../wire/sites.ts';
import { highlight } from './core/highlight.ts';
import { readSiteId, type SiteRecord } from './core/site.ts';
import type { Search } from './service.ts';

// Of several cookies with one name so many are looked at.
const MOST_COOKIES = 8;

const visitors = { tag: 'Search', params: SiteParams, isOpenToAnyOrigin: true } as const;

const searchOperation = {
  ...visitors,
  id: 'search',
  method: 'get',
  path: '/sites/{siteId}/search',
  summary: 'Search a site',
  description: `No secret. The cookie \`${OVERRIDE_COOKIE}\` with a site's id wins over the path.`,
  query: SearchQuery,
  answer: { status: 200, description: 'What was found', schema: SearchBody },
  problems: ['malformed-request', 'unknown-site', 'store-unavailable'],
} as const satisfies Operation;

const autocompleteOperation = {
  ...visitors,
  id: 'autocomplete',
  method: 'get',
  path: '/sites/{siteId}/autocomplete',
  summary: 'Queries that begin so',
  query: AutocompleteQuery,
  answer: { status: 200, description: 'Plain texts, the likeliest first', schema: AutocompleteBody },
  problems: ['malformed-request', 'unknown-site', 'store-unavailable'],
} as const satisfies Operation;

export const queryOperations: Operation[] = [searchOperation, autocompleteOperation];

export type QueryRoutesDeps = { search: Search; clock: Clock };

/** What visitors ask: search and completion. */
export function serveQueries(router: Router<RequestState>, { search, clock }: QueryRoutesDeps): void {
  function siteFor({ params }: { params: { siteId: string } }, ctx: Context): SiteRecord {
    // An acknowledged write is in the next answer, and the answer depends on a cookie.
    ctx.set('Cache-Control', 'no-store');
    const named = cookieValues(ctx.get('Cookie'), OVERRIDE_COOKIE, MOST_COOKIES).find(
      (value) => readSiteId(value) !== null,
    );
    return search.find(named ?? params.siteId);
  }

  serveOperation(
    router,
    searchOperation,
    async ({ admitted: site, query: asked }) => {
      const startedMs = clock.nowMs();
      const { query, page = 1, limit = DEFAULT_RESULTS, label: labels = [], sort = 'relevance' } = asked;
      const answer = await search.query(site, { query, offset: (page - 1) * limit, limit, labels, sort });
      return {
        query,
        total: answer.total,
        results: answer.hits.map((hit) => ({
          id: hit.page.id,
          title: highlight(hit.title),
          body: highlight(hit.snippet),
          url: highlight(hit.url),
          urlRaw: hit.page.url,
          labels: [...hit.page.labels],
          thumbnail: hit.page.thumbnail,
          score: hit.score,
        })),
        labels: [...answer.labels],
        suggestion: answer.suggestion,
        took_ms: Math.max(0, Math.round(clock.nowMs() - startedMs)),
      };
    },
    siteFor,
  );

  serveOperation(
    router,
    autocompleteOperation,
    async ({ admitted: site, query: { query } }) => {
      const results = await search.complete(site, query, MOST_COMPLETIONS);
      return { results: results.slice(0, MOST_COMPLETIONS) };
    },
    siteFor,
  );
}
