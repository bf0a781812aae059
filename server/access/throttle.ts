import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf, networkText } from '../base/network.ts';
import type { Context } from '../http/request-state.ts';
import { fault } from '../wire/problem.ts';

/** So many calls in so many seconds. */
export type Rate = { calls: number; secs: number };

/** Counts a call of the client's network, and refuses it beyond the rate. */
export type Throttle = (ctx: Context) => Promise<void>;

/**
 * A throttle on the client's network, in the memory of this process.
 *
 * Every answer carries `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers), a refusal also
 * `Retry-After`.
 * @throws (the function given) Fault `throttled`
 */
export function createThrottle(name: string, { calls, secs }: Rate): Throttle {
  const limiter = new RateLimiterMemory({ points: calls, duration: secs });
  return async function throttle(ctx) {
    const spent = await limiter.consume(networkText(networkOf(ctx.state.client))).catch(refusedOrThrow);
    const resetSecs = Math.max(1, Math.ceil(spent.msBeforeNext / 1000));
    const headers = {
      'RateLimit-Policy': `"${name}";q=${calls};w=${secs}`,
      RateLimit: `"${name}";r=${Math.max(0, spent.remainingPoints)};t=${resetSecs}`,
    };
    ctx.set(headers);
    if (spent.consumedPoints > calls) {
      throw fault('throttled', `expected at most ${calls} calls in ${secs} s from one network`, {
        headers: { 'Retry-After': String(resetSecs) },
      });
    }
  };
}

// The library rejects with its result where the rate is exceeded, and with an Error where it failed.
function refusedOrThrow(reason: unknown): RateLimiterRes {
  if (reason instanceof RateLimiterRes) return reason;
  throw reason;
}
