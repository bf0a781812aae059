import koaCors from '@koa/cors';
import type { Middleware } from 'koa';
import type { RequestState } from './request-state.ts';

const EXPOSED = ['X-Request-Id', 'WWW-Authenticate', 'Retry-After', 'RateLimit', 'RateLimit-Policy'];
const PREFLIGHT_SECS = 600;

/**
 * Cross-origin rules (Fetch standard §3.2): origins of the operator's list may call with credentials; everyone may call
 * the open paths without.
 */
export function createCors(
  allowedOrigins: readonly string[],
  isOpen: (path: string) => boolean,
): Middleware<RequestState> {
  const isAllowed = (origin: string) => allowedOrigins.includes(origin);
  return koaCors({
    origin(ctx) {
      const origin = ctx.get('Origin');
      if (isAllowed(origin)) return origin;
      return isOpen(ctx.path) ? '*' : '';
    },
    credentials: (ctx) => isAllowed(ctx.get('Origin')),
    exposeHeaders: EXPOSED,
    maxAge: PREFLIGHT_SECS,
    keepHeadersOnError: false,
  });
}
