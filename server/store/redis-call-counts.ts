import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { OpenCallCounts } from '../access/core/ports.ts';
import { countOf, resultOrThrow } from './memory-call-counts.ts';
import type { RedisConnection } from './redis-connection.ts';

/**
 * Calls counted in Redis, for all servers on it. While Redis does not answer each process counts for itself: a throttle
 * that is looser for a while, and never open.
 */
export function createRedisCallCounts(connection: RedisConnection): OpenCallCounts {
  return (name, { calls, secs }) => {
    const limiter = new RateLimiterRedis({
      // The library's script runs on whichever connection there is at the time.
      storeClient: {
        eval: (script: string, call: { keys: string[]; arguments: string[] }) =>
          connection.run((client) => client.eval(script, call)),
      },
      useRedisPackage: true,
      keyPrefix: `gatehouse:calls:${name}`,
      points: calls,
      duration: secs,
      insuranceLimiter: new RateLimiterMemory({ keyPrefix: name, points: calls, duration: secs }),
    });
    return async (caller, by = 1) =>
      countOf(await (by > 0 ? limiter.consume(caller).catch(resultOrThrow) : limiter.reward(caller)));
  };
}
