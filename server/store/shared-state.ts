import type { Counters, KeyStore, OpenCallCounts } from '../access/core/ports.ts';
import type { Clock, Log, Timer } from '../base/ports.ts';
import type { Replies } from '../pow/core/replies.ts';
import type { Spent } from '../pow/core/spent.ts';
import type { Environment } from './environment.ts';
import { createLmdbCounters } from './lmdb-counters.ts';
import { createLmdbKeys } from './lmdb-keys.ts';
import { createLmdbReplies } from './lmdb-replies.ts';
import { createLmdbSpent } from './lmdb-spent.ts';
import { createRedisCallCounts } from './redis-call-counts.ts';
import { openRedisConnection } from './redis-connection.ts';
import { createRedisCounters } from './redis-counters.ts';
import { greetRedis, probeRedis } from './redis-epoch.ts';
import { createRedisKeys } from './redis-keys.ts';
import { createRedisReplies } from './redis-replies.ts';
import { createRedisSpent } from './redis-spent.ts';

/** All that several servers of one site must know together. */
export type SharedState = {
  spent: Spent;
  replies: Replies;
  counters: Counters;
  keys: KeyStore;
  openCallCounts: OpenCallCounts;
  /** Rejects where it does not answer, or not as it should. */
  probe(): Promise<void>;
  close(): void;
};

/** The state that the processes on one LMDB environment share; calls are counted by `openCallCounts`. */
export function createLmdbState(environment: Environment, openCallCounts: OpenCallCounts): SharedState {
  return {
    spent: createLmdbSpent(environment),
    replies: createLmdbReplies(environment),
    counters: createLmdbCounters(environment),
    keys: createLmdbKeys(environment),
    openCallCounts,
    // The environment answers for itself.
    async probe() {},
    close() {},
  };
}

/** The state that the servers on one Redis share. It is given whether Redis answers yet or not. */
export async function openRedisState(
  url: string,
  { clock, timer, log }: { clock: Clock; timer: Timer; log: Log },
): Promise<SharedState> {
  const connection = await openRedisConnection({
    url,
    greet: (client) => greetRedis(client, log),
    timer,
    log,
  });
  return {
    spent: createRedisSpent(connection),
    replies: createRedisReplies(connection),
    counters: createRedisCounters(connection),
    keys: createRedisKeys(connection),
    openCallCounts: createRedisCallCounts(connection),
    probe: () => probeRedis(connection, clock),
    close: connection.close,
  };
}
