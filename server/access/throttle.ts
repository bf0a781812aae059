import { networkOf, networkText } from '../base/network.ts';
import type { Context } from '../http/request-state.ts';
import { fault } from '../wire/problem.ts';
import type { OpenCallCounts, Rate } from './core/ports.ts';

/** Counts a call of the client's network, and refuses it beyond the rate. */
export type Throttle = (ctx: Context) => Promise<void>;

export type ForgivingThrottle = Throttle & {
  /** Takes back the count of a call that turned out to be in order. */
  giveBack(ctx: Context): Promise<void>;
};

/**
 * A throttle on the client's network.
 *
 * Every answer carries `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers), a refusal also
 * `Retry-After`.
 * @throws (the function given) Fault `throttled`
 */
export function createThrottle(name: string, rate: Rate, openCounts: OpenCallCounts): ForgivingThrottle {
  const { calls, secs } = rate;
  const count = openCounts(name, rate);
  const policy = `"${name}";q=${calls};w=${secs}`;
  const callerOf = (ctx: Context) => networkText(networkOf(ctx.state.client));
  async function throttle(ctx: Context): Promise<void> {
    const counted = await count(callerOf(ctx));
    const resetSecs = Math.max(1, Math.ceil(counted.msLeft / 1000));
    ctx.res.setHeader('RateLimit-Policy', policy);
    ctx.res.setHeader('RateLimit', `"${name}";r=${Math.max(0, calls - counted.calls)};t=${resetSecs}`);
    if (counted.calls > calls) {
      throw fault('throttled', `expected at most ${calls} calls in ${secs} s from one network`, {
        headers: { 'Retry-After': String(resetSecs) },
      });
    }
  }
  return Object.assign(throttle, {
    async giveBack(ctx: Context) {
      await count(callerOf(ctx), -1);
    },
  });
}
