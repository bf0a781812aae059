import type { KeyRecord, KeyStore } from '../access/core/ports.ts';
import { type RedisConnection, unavailable } from './redis-connection.ts';
import { prepareScript } from './redis-script.ts';

const TABLE = 'gatehouse:keys';

// Another's change between read and write means another try; each try that fails is one that succeeded elsewhere.
const MOST_TRIES = 200;

const exchange = prepareScript(`
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
`);

/** API keys in Redis, in one hash by their id, for all servers on it. */
export function createRedisKeys(connection: RedisConnection): KeyStore {
  const read = (text: string): KeyRecord => JSON.parse(text);
  const getText = (keyId: string) => connection.run((client) => client.hGet(TABLE, keyId));
  return {
    async get(keyId) {
      const text = await getText(keyId);
      return text === null ? null : read(text);
    },
    list: () => connection.run(async (client) => (await client.hVals(TABLE)).map(read)),
    async put(record) {
      await connection.run((client) => client.hSet(TABLE, record.keyId, JSON.stringify(record)));
    },
    async update(keyId, change) {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const text = await getText(keyId);
        if (text === null) return null;
        const changed = change(read(text));
        const args = [keyId, text, JSON.stringify(changed)];
        if ((await connection.run((client) => exchange(client, [TABLE], args))) === 1) return changed;
      }
      throw unavailable(
        'the key is being changed too often',
        new Error(`${MOST_TRIES} tries were not enough`),
      );
    },
  };
}
