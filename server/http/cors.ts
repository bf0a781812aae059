import koaCors from '@koa/cors';
import type { Middleware } from 'koa';
import type { RequestState } from './request-state.ts';

const EXPOSED = ['X-Request-Id', 'WWW-Authenticate', 'Retry-After', 'RateLimit', 'RateLimit-Policy'];
const PREFLIGHT_SECS = 600;

/**
 * Cross-origin rules (Fetch standard §3.2): origins of the operator's list may call with credentials; everyone may call
 * the open paths without. What is closed is for its own pages alone, whatever the list says.
 */
export function createCors(
  allowedOrigins: readonly string[],
  isOpen: (path: string) => boolean,
  isClosed: (path: string) => boolean = () => false,
): Middleware<RequestState> {
  const isAllowed = (origin: string) => allowedOrigins.includes(origin);
  const answer = koaCors({
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
  return function cors(ctx, next) {
    if (ctx.req.headers.origin && !isClosed(ctx.path)) return answer(ctx, next);
    // Same-origin pages and programs send none and need none. Nobody has set any before.
    ctx.res.setHeader('Vary', 'Origin');
    return next();
  };
}
