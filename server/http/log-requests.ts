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
    const path = pathToLog(ctx.req.url ?? '');
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

// One look spares the passes where there is nothing to take away, as in most targets.
const IS_SPECIAL = /%|sitesecret|gh_|[\x7f-\xff]/i;

/**
 * The target without its query. Who escapes the question mark, or puts a key where a path belongs, gets an error; the
 * secret is one all the same.
 */
function pathToLog(target: string): string {
  const queryAt = target.indexOf('?');
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  if (!IS_SPECIAL.test(path)) return path;
  return (
    path
      .replace(/%(25)*3f.*$/is, '')
      .replace(/siteSecret.*$/is, 'siteSecret…')
      .replace(/\bgh_[0-9a-z]+_[\w-]+/gi, 'gh_…')
      // Node hands on bytes beyond ASCII as they are; 9B begins a command to the terminal that shows the log.
      .replace(/[\x7f-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
  );
}
