import { PURGE_MARGIN_SECS, type Spent, type SpentRecord } from '../pow/core/spent.ts';

/**
 * Single use within one process, gone with it. For tests and for a front of a slower store, never alone in a server:
 * a restart would forget what was spent.
 */
export function createMemorySpent(): Spent {
  // By second of expiry, so that a purge drops whole maps and never walks the entries.
  const seconds = new Map<number, Map<string, SpentRecord>>();

  return {
    async spend({ nonce, expiresAtSecs }, record) {
      const records = seconds.get(expiresAtSecs) ?? new Map<string, SpentRecord>();
      seconds.set(expiresAtSecs, records);
      const key = Buffer.from(nonce).toString('latin1');
      const first = records.get(key);
      if (first) return first;
      records.set(key, record);
      return null;
    },
    async purge(nowSecs) {
      let count = 0;
      for (const [expiresAtSecs, records] of seconds) {
        if (expiresAtSecs + PURGE_MARGIN_SECS > nowSecs) continue;
        count += records.size;
        seconds.delete(expiresAtSecs);
      }
      return count;
    },
  };
}
