import type { Middleware } from 'koa';
import type { Metrics } from './metrics.ts';
import type { RequestState } from './request-state.ts';

// RFC 9110 §9.3 and RFC 5789. Any token may stand for a method, so the others share one label.
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH']);

/** Counts and times requests by the pattern that took them, never by their path: anyone can make up paths. */
export function createCountRequests(metrics: Metrics): Middleware<RequestState> {
  return async function countRequests(ctx, next) {
    const end = metrics.time('gatehouse_http_request_seconds');
    await next();
    // Not ctx.path, which throws for a target that no URL parser takes.
    const route = ctx.state.route ?? otherRoute(ctx.req.url ?? '');
    end({ route });
    metrics.count('gatehouse_http_requests_total', {
      method: METHODS.has(ctx.method) ? ctx.method : 'other',
      route,
      status: `${Math.floor(ctx.status / 100)}xx`,
    });
  };
}

function otherRoute(target: string): string {
  return target.startsWith('/pow/assets/') ? '/pow/assets/*' : 'other';
}
