import type { Middleware } from 'koa';
import { Fault } from '../base/fault.ts';
import { fault } from '../wire/problem.ts';
import type { RequestState } from './request-state.ts';

/**
 * `/healthz`: the process answers. `/readyz`: it can do its work, so that a load balancer may send visitors here.
 * @param probe rejects where a store does not answer
 * @param isStopping whether the server has begun to stop
 */
export function createHealth(
  probe: () => Promise<void>,
  isStopping: () => boolean,
): Record<'live' | 'ready', Middleware<RequestState>> {
  return {
    live: async function live(ctx) {
      ctx.set('Cache-Control', 'no-store');
      ctx.body = { status: 'ok' };
    },
    ready: async function ready(ctx) {
      ctx.set('Cache-Control', 'no-store');
      if (isStopping()) throw fault('overloaded', 'the server is stopping');
      try {
        await probe();
      } catch (cause) {
        if (cause instanceof Fault) throw cause;
        throw fault('store-unavailable', 'the store does not answer', { cause });
      }
      ctx.body = { status: 'ready' };
    },
  };
}
