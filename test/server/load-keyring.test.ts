import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Log } from '../../server/base/ports.ts';
import { readConfig } from '../../server/config.ts';
import { warnOfOwnKeys } from '../../server/load-keyring.ts';

test('a server on Redis with a key of its own says so at its start, and no other server', () => {
  const POW_KEYS = `1:${Buffer.alloc(32, 1).toString('base64')}`;
  const REDIS_URL = 'redis://:hidden@10.0.0.5:6379/0';
  const told = (env: Record<string, string>) => {
    const lines: string[] = [];
    const log: Log = {
      info() {},
      error() {},
      warn: (fields, message) => lines.push(JSON.stringify({ fields, message })),
    };
    warnOfOwnKeys(readConfig(env, String), log);
    return lines;
  };
  assert.deepEqual([told({}), told({ POW_KEYS }), told({ POW_KEYS, REDIS_URL })], [[], [], []]);
  const [line, ...others] = told({ REDIS_URL });
  assert.deepEqual(others, []);
  assert.match(line, /same POW_KEYS/);
  assert.doesNotMatch(line, /hidden/);
});
