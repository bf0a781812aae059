import type { Middleware } from 'koa';
import { fault } from '../wire/problem.ts';
import type { RequestState } from './request-state.ts';

/** What no route took. */
export const refuseUnrouted: Middleware<RequestState> = function refuseUnrouted(ctx) {
  throw fault('not-found', `nothing is at ${ctx.path}`);
};
