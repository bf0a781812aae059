import type { Middleware } from 'koa';
import { fault } from '../wire/problem.ts';
import type { RequestState } from './request-state.ts';

/** What no route took: 405 with `Allow` where the path takes another method (RFC 9110 §15.5.6), else 404. */
export const refuseUnrouted: Middleware<RequestState> = async function refuseUnrouted(ctx) {
  const matched: { methods: string[] }[] = ctx.matched ?? [];
  const methods = [...new Set(matched.flatMap((layer) => layer.methods))].sort();
  if (methods.length === 0) throw fault('not-found', `nothing is at ${ctx.path}`);
  throw fault('method-not-allowed', `expected ${methods.join(' or ')}, got ${ctx.method}`, {
    headers: { Allow: methods.join(', ') },
  });
};
