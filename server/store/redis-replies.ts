import type { Replies } from '../pow/core/replies.ts';
import type { SiteverifyBody } from '../wire/siteverify.ts';
import type { RedisConnection } from './redis-connection.ts';

// Beyond what a server's clock may differ by: each looks at the time in the record, not at whether it is still there.
const MARGIN_SECS = 60;

const keyOf = (key: Uint8Array) => `gatehouse:reply:${Buffer.from(key).toString('base64url')}`;

/** Kept answers in Redis, for all servers on it. */
export function createRedisReplies(connection: RedisConnection): Replies {
  return {
    async get(key, nowSecs) {
      const text = await connection.run((client) => client.get(keyOf(key)));
      if (text === null) return null;
      const kept = JSON.parse(text) as { reply: SiteverifyBody; untilSecs: number };
      return nowSecs < kept.untilSecs ? kept.reply : null;
    },
    async keep(key, reply, untilSecs) {
      await connection.run((client) =>
        client.set(keyOf(key), JSON.stringify({ reply, untilSecs }), {
          condition: 'NX',
          expiration: { type: 'EXAT', value: untilSecs + MARGIN_SECS },
        }),
      );
    },
    // Redis forgets by itself.
    purge: async () => 0,
  };
}
