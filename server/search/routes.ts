import type { Router } from '@koa/router';
import type { RequestState } from '../http/request-state.ts';
import type { Operation } from '../wire/operation.ts';
import { type AdmitOwnerDeps, createAdmitOwner } from './admit-owner.ts';
import { type PageRoutesDeps, pageOperations, servePages } from './page-routes.ts';
import { type QueryRoutesDeps, queryOperations, serveQueries } from './query-routes.ts';
import { type SiteRoutesDeps, serveSites, siteOperations } from './site-routes.ts';

export type SearchRoutesDeps = SiteRoutesDeps & PageRoutesDeps & QueryRoutesDeps & AdmitOwnerDeps;

export const searchOperations: Operation[] = [...siteOperations, ...pageOperations, ...queryOperations];

/** Everything under `/sites`. */
export function serveSearch(router: Router<RequestState>, deps: SearchRoutesDeps): void {
  const admitOwner = createAdmitOwner(deps);
  serveSites(router, deps, admitOwner);
  servePages(router, deps, admitOwner);
  serveQueries(router, deps);
}
