import { PURGE_MARGIN_SECS, type Spent, type SpentRecord, spentByUnknown } from '../pow/core/spent.ts';
import type { Environment } from './environment.ts';

const EXPIRY_BYTES = 4;

// A purge yields to the writers between batches.
const PURGE_BATCH = 10_000;

/**
 * Single use over one LMDB environment: it survives a restart and holds across the processes that share the environment.
 *
 * Key: expiry in Unix seconds (u32, big-endian), then the 32-byte nonce. So the oldest records stand first and a purge
 * is one range; the expiry is sealed with the nonce, hence one challenge has one key.
 */
export function createLmdbSpent(environment: Environment): Spent {
  const table = environment.table<SpentRecord>('pow-spent');

  return {
    async spend({ nonce, expiresAtSecs }, record) {
      const key = Buffer.alloc(EXPIRY_BYTES + nonce.length);
      key.writeUInt32BE(expiresAtSecs);
      key.set(nonce, EXPIRY_BYTES);
      return environment.write(async () => {
        // The condition is evaluated inside the write transaction; the promise settles once that is committed.
        const isFirst = await table.ifNoExists(key, () => {
          table.put(key, record);
        });
        if (isFirst) return null;
        // A record that is gone again was purged: the challenge is long past its expiry, and stays spent.
        return table.get(key) ?? spentByUnknown(record);
      });
    },
    async purge(nowSecs) {
      const end = Buffer.alloc(EXPIRY_BYTES);
      end.writeUInt32BE(Math.max(0, nowSecs - PURGE_MARGIN_SECS + 1));
      let count = 0;
      for (;;) {
        const keys = [...table.getKeys({ end, limit: PURGE_BATCH })];
        if (keys.length === 0) return count;
        await Promise.all(keys.map((key) => table.remove(key)));
        count += keys.length;
      }
    },
  };
}
