import { after, before } from 'node:test';
import { nowSecs } from '../../../server/base/ports.ts';
import { systemClock } from '../../../server/base/system.ts';
import { createRedisCallCounts } from '../../../server/store/redis-call-counts.ts';
import type { RedisConnection } from '../../../server/store/redis-connection.ts';
import { createRedisCounters } from '../../../server/store/redis-counters.ts';
import { createRedisKeys } from '../../../server/store/redis-keys.ts';
import { createRedisReplies } from '../../../server/store/redis-replies.ts';
import { createRedisSpent } from '../../../server/store/redis-spent.ts';
import { testCallCounts } from '../../contract/call-counts.ts';
import { testCounters } from '../../contract/counters.ts';
import { testKeys } from '../../contract/keys.ts';
import { testReplies } from '../../contract/replies.ts';
import { testSpent } from '../../contract/spent.ts';
import { type RedisProcess, startRedis } from '../../redis-process.ts';

let redis: RedisProcess;
before(async () => {
  redis = await startRedis();
});
after(() => redis.end());

/** Three connections to one empty Redis, as three servers have them. */
async function openThree<Port>(create: (connection: RedisConnection) => Port) {
  await redis.reset();
  const connections = await Promise.all([redis.connect(), redis.connect(), redis.connect()]);
  const [first, ...others] = connections.map(create);
  return {
    clients: [first, ...others] as [Port, ...Port[]],
    close: async () => {
      for (const connection of connections) connection.close();
    },
    ownSecs: nowSecs(systemClock),
  };
}

testSpent('Redis', () => openThree(createRedisSpent));
testCounters('Redis', () => openThree(createRedisCounters));
testKeys('Redis', () => openThree(createRedisKeys));
testCallCounts('Redis', () => openThree(createRedisCallCounts));
testReplies('Redis', async () => {
  const { clients, ...rest } = await openThree(createRedisReplies);
  return { replies: clients[0], ...rest };
});
