import type { Counters } from '../access/core/ports.ts';
import type { RedisConnection } from './redis-connection.ts';
import { prepareScript } from './redis-script.ts';

const addUnlessFull = prepareScript(`
local count = tonumber(redis.call('GET', KEYS[1]) or '0')
if ARGV[1] ~= '' and count >= tonumber(ARGV[1]) then return {count, 0} end
return {redis.call('INCR', KEYS[1]), 1}
`);

const keyOf = (name: string) => `gatehouse:counter:${name}`;

/** Counters in Redis, for all servers on it. */
export function createRedisCounters(connection: RedisConnection): Counters {
  return {
    async add(name, most) {
      const [count, added] = (await connection.run((client) =>
        addUnlessFull(client, [keyOf(name)], [most ?? '']),
      )) as [number, number];
      return { count, isAdded: added === 1 };
    },
    read: (name) => connection.run(async (client) => Number((await client.get(keyOf(name))) ?? 0)),
  };
}
