import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { CallCount, OpenCallCounts } from '../access/core/ports.ts';

/** Calls counted in the memory of this process. */
export const openMemoryCallCounts: OpenCallCounts = (name, { calls, secs }) => {
  const limiter = new RateLimiterMemory({ keyPrefix: name, points: calls, duration: secs });
  return async (caller, by = 1) => {
    if (by < 0) return countOf(await limiter.reward(caller));
    return limiter.consume(caller).then(countOf, (reason) => countOf(resultOrThrow(reason)));
  };
};

/** What one of the library's limiters counted. */
export const countOf = ({ consumedPoints, msBeforeNext }: RateLimiterRes): CallCount => ({
  calls: consumedPoints,
  msLeft: msBeforeNext,
});

/** The library rejects with its result where the rate is exceeded, and with an Error where it failed. */
export function resultOrThrow(reason: unknown): RateLimiterRes {
  if (reason instanceof RateLimiterRes) return reason;
  throw reason;
}
