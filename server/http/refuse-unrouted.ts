import type { Middleware } from 'koa';
import { fault } from '../wire/problem.ts';
import type { RequestState } from './request-state.ts';

/** What a router has the path of, but not for this method: 405 with `Allow` (RFC 9110 §15.5.6). */
export const refuseOtherMethods: Middleware<RequestState> = async function refuseOtherMethods(ctx, next) {
  const matched: { methods: string[] }[] = ctx.matched ?? [];
  const methods = [...new Set(matched.flatMap((layer) => layer.methods))].sort();
  if (methods.length === 0) return next();
  throw fault('method-not-allowed', `expected ${methods.join(' or ')}, got ${ctx.method}`, {
    headers: { Allow: methods.join(', ') },
  });
};

/** What no route took. */
export const refuseUnrouted: Middleware<RequestState> = async function refuseUnrouted(ctx) {
  throw fault('not-found', `nothing is at ${ctx.path}`);
};
