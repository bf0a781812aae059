import { PURGE_MARGIN_SECS, type Spent, type SpentRecord, spentByUnknown } from '../pow/core/spent.ts';
import { type RedisConnection, unavailable } from './redis-connection.ts';
import { EPOCH_KEY, EPOCH_LUA, LEAD_SECS } from './redis-epoch.ts';
import { prepareScript } from './redis-script.ts';

// All times are judged by Redis's own clock, so that servers whose clocks differ cannot disagree. A challenge that was
// spent before the epoch began had been issued by `since` at the latest: what is issued later than that alone is spent.
const spend = prepareScript(`
local first = redis.call('GET', KEYS[2])
if first then return {'spent', first} end
${EPOCH_LUA}
if now < since then return {'forgotten', since - now} end
local issued, expires = tonumber(ARGV[2]), tonumber(ARGV[3])
if issued > now + ${LEAD_SECS} then return {'ahead', issued - now} end
local left = (expires + ${PURGE_MARGIN_SECS} - now) * 1000
if issued <= since or left <= 0 then return {'unknown'} end
redis.call('SET', KEYS[2], ARGV[1], 'PX', left)
return {'first'}
`);

type Outcome = ['first'] | ['unknown'] | ['spent', string] | ['forgotten' | 'ahead', number];

/**
 * Single use over one Redis, for all servers on it. A record is kept for `PURGE_MARGIN_SECS` beyond the expiry; whatever
 * makes Redis forget, a challenge that may have been spent before counts as spent.
 *
 * @throws (the port's functions) Fault `store-unavailable` also while Redis has only just forgotten, and for a challenge
 * from a server whose clock is more than `LEAD_SECS` ahead
 */
export function createRedisSpent(connection: RedisConnection): Spent {
  return {
    async spend({ nonce, issuedAtSecs, expiresAtSecs }, record) {
      const key = `gatehouse:spent:${Buffer.from(nonce).toString('base64url')}`;
      const args = [JSON.stringify(record), issuedAtSecs, expiresAtSecs];
      const [outcome, told] = (await connection.run((client) =>
        spend(client, [EPOCH_KEY, key], args),
      )) as Outcome;
      switch (outcome) {
        case 'first':
          return null;
        case 'spent':
          return JSON.parse(told as string) as SpentRecord;
        case 'unknown':
          return spentByUnknown(record);
        case 'forgotten':
          throw unavailable(
            'the shared store has forgotten what was spent; fetch another challenge soon',
            new Error(`Redis restarted, evicted or was flushed; nothing is spent for ${told} s`),
            Number(told),
          );
        case 'ahead':
          throw unavailable(
            'the shared store takes no challenge from the future',
            new Error(`the clock of the server that issued it is ${told} s ahead of Redis's`),
          );
      }
    },
    // Redis forgets by itself.
    purge: async () => 0,
  };
}
