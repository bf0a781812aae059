import type { Middleware } from 'koa';
import { networkOf, networkText } from '../base/network.ts';
import type { Clock, Log } from '../base/ports.ts';
import type { RequestState } from './request-state.ts';

/**
 * One line a request. The path goes without its query (which may hold a site's secret), the client as its network:
 * enough to see abuse, too little to follow a person.
 */
export function createLogRequests(log: Log, clock: Clock): Middleware<RequestState> {
  return async function logRequests(ctx, next) {
    const startedMs = clock.nowMs();
    // Not ctx.path, which throws for a target that no URL parser takes.
    const [path] = (ctx.req.url ?? '').split('?');
    await next();
    log.info(
      {
        request_id: ctx.state.requestId,
        method: ctx.method,
        path,
        status: ctx.status,
        duration_ms: clock.nowMs() - startedMs,
        network: networkText(networkOf(ctx.state.client)),
      },
      'request',
    );
  };
}
