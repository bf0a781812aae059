import { createHash } from 'node:crypto';
import type { RedisClient } from './redis-connection.ts';

/** A Lua script, which Redis runs as one atomic step. */
export type RedisScript = (
  client: RedisClient,
  keys: readonly string[],
  args: readonly (string | number)[],
) => Promise<unknown>;

/** Prepares a script: it travels once, and is called by its SHA-1 (EVALSHA) from then on. */
export function prepareScript(text: string): RedisScript {
  const sha1 = createHash('sha1').update(text).digest('hex');
  return async function runScript(client, keys, args) {
    const call = { keys: [...keys], arguments: args.map(String) };
    try {
      return await client.evalSha(sha1, call);
    } catch (error) {
      if (!(error as Error).message.startsWith('NOSCRIPT')) throw error;
      return client.eval(text, call);
    }
  };
}
