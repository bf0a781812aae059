import type { Router } from '@koa/router';
import { PAGE_CSP, type Page } from '../http/pages.ts';
import { readQuery } from '../http/query.ts';
import type { RequestState } from '../http/request-state.ts';
import { fault } from '../wire/problem.ts';

export const FRAME_PATH = '/pow/frame';

/**
 * `GET /pow/frame?origin=`: the page that solves for a page of another origin, since workers cannot be loaded across
 * origins. It hands the passport to that origin alone.
 *
 * Without `origin` it works for our own. It is the one page that others may frame (`frame-ancestors`, CSP level 3 §6.4.2).
 * @param allowedOrigins as the configuration has them, in the form in which a browser writes an origin
 */
export function serveFrame(
  router: Router<RequestState>,
  frame: Page,
  allowedOrigins: readonly string[],
): void {
  const ancestors = ["'self'", ...allowedOrigins].join(' ');
  const csp = PAGE_CSP.replace("frame-ancestors 'self'", `frame-ancestors ${ancestors}`);

  router.get(FRAME_PATH, async function solveForOthers(ctx) {
    const { origin = '' } = readQuery(ctx.querystring);
    if (typeof origin !== 'string') throw fault('malformed-request', 'origin: expected it once');
    if (origin !== '' && !allowedOrigins.includes(origin)) {
      throw fault(
        'origin-not-allowed',
        `origin: expected one of ALLOWED_ORIGINS, got ${JSON.stringify(origin.slice(0, 200))}`,
      );
    }
    frame(ctx, { ORIGIN: origin });
    ctx.set('Content-Security-Policy', csp);
    // An old copy would ask for a solver that is gone, and would keep an old list of origins.
    ctx.set('Cache-Control', 'no-cache');
    // So that pages which isolate themselves (Cross-Origin-Embedder-Policy) can frame it.
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
    ctx.set('Cross-Origin-Embedder-Policy', 'require-corp');
  });
}
