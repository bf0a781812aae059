import { type Clock, type Log, nowSecs } from '../base/ports.ts';
import { type RedisClient, type RedisConnection, unavailable } from './redis-connection.ts';
import { prepareScript } from './redis-script.ts';

/**
 * How far a server's clock may be ahead of Redis's; our choice. After Redis lost anything, nothing is spent for so long:
 * until then a challenge from before the loss could pass for one from after it.
 */
export const LEAD_SECS = 5;

/** Where the epoch is kept: a hash of `state` and `since`. */
export const EPOCH_KEY = 'gatehouse:epoch';

/**
 * Lua that gives every script below `now` (seconds, by Redis's own clock) and `since`: from when on Redis remembers
 * everything. `KEYS[1]` is the epoch's key.
 *
 * Redis forgets when it restarts (all of it, or the last moments before a snapshot), when a replica takes over, when it
 * evicts and when somebody flushes it. The first two change `run_id`, the third `evicted_keys`, the last takes the epoch
 * along. So an epoch that is missing or of another state is begun anew. Both INFO calls cost 14 µs together (measured).
 */
export const EPOCH_LUA = `
local time = redis.call('TIME')
local now = tonumber(time[1])
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
local evicted = string.match(redis.call('INFO', 'stats'), 'evicted_keys:(%d+)')
if not run or not evicted then return redis.error_reply('ERR INFO tells no run_id or evicted_keys') end
local state = run .. ':' .. evicted
local epoch = redis.call('HMGET', KEYS[1], 'state', 'since')
local since = tonumber(epoch[2])
if epoch[1] ~= state or not since then
  since = now + ${LEAD_SECS}
  redis.call('HSET', KEYS[1], 'state', state, 'since', since)
end
`;

const look = prepareScript(`${EPOCH_LUA}
return {now, since}
`);

/** Begins the epoch as early as possible, and tells the operator what a new connection shows of Redis. */
export async function greetRedis(client: RedisClient, log: Log): Promise<void> {
  await look(client, [EPOCH_KEY], []);
  const { policy, evicts, keepsFile } = readInfo(await client.info());
  if (evicts) {
    log.error(
      { policy },
      'Redis may evict: set maxmemory-policy to noeviction, or every eviction stops the gate',
    );
  }
  if (!keepsFile) {
    log.warn({}, 'Redis keeps no append-only file: a restart may forget API keys and quotas');
  }
}

/**
 * Rejects where Redis does not answer, remembers too little yet, may evict, or has another time than this server.
 * @throws Fault `store-unavailable` with the cause
 */
export async function probeRedis(connection: RedisConnection, clock: Clock): Promise<void> {
  const beforeSecs = nowSecs(clock);
  const [[now, since], { policy, evicts }] = await connection.run(async (client) => [
    (await look(client, [EPOCH_KEY], [])) as [number, number],
    readInfo(await client.info()),
  ]);
  const refuse = (why: string) => unavailable('the shared store is not ready', new Error(why));
  if (now < since) throw refuse(`Redis has forgotten; nothing is spent for ${since - now} s`);
  if (evicts) throw refuse(`maxmemory-policy of Redis is ${policy}, expected noeviction`);
  // Redis looked at its clock between these two moments, however long that took.
  const aheadSecs = Math.max(beforeSecs - now, 0) || Math.min(nowSecs(clock) - now, 0);
  if (Math.abs(aheadSecs) > LEAD_SECS) {
    throw refuse(`this clock is ${aheadSecs} s ahead of Redis's, expected at most ${LEAD_SECS} s either way`);
  }
}

function readInfo(info: string): { policy: string; evicts: boolean; keepsFile: boolean } {
  const read = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? '';
  const policy = read('maxmemory_policy');
  return {
    policy,
    // Without a bound on its memory Redis evicts nothing, whatever the policy.
    evicts: policy !== 'noeviction' && read('maxmemory') !== '0',
    keepsFile: read('aof_enabled') === '1',
  };
}
