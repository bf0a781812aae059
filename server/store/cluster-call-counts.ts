import { RateLimiterCluster, RateLimiterClusterMaster, RateLimiterRes } from 'rate-limiter-flexible';
import type { OpenCallCounts } from '../access/core/ports.ts';
import { countOf, openMemoryCallCounts } from './memory-call-counts.ts';

// Our choice: the primary has nothing else to do, so it answers at once or is about to be gone.
const LIMIT_MS = 2_000;

/** Lets this process, the primary, count the calls that its workers ask it to. */
export function countCallsForWorkers(): void {
  new RateLimiterClusterMaster();
}

/**
 * Calls counted in the primary, for all its workers. Should it not answer in time the worker counts for itself: a throttle
 * that is looser for a while, and never open.
 */
export const openClusterCallCounts: OpenCallCounts = (name, rate) => {
  const limiter = new RateLimiterCluster({
    keyPrefix: name,
    points: rate.calls,
    duration: rate.secs,
    timeoutMs: LIMIT_MS,
  });
  const countHere = openMemoryCallCounts(name, rate);
  return async (caller, by = 1) => {
    try {
      return countOf(await (by > 0 ? limiter.consume(caller) : limiter.reward(caller)));
    } catch (reason) {
      return reason instanceof RateLimiterRes ? countOf(reason) : countHere(caller, by);
    }
  };
};
