import type { KeyRecord, KeyStore } from '../access/core/ports.ts';
import type { Environment } from './environment.ts';

/** API keys in LMDB, by their id. */
export function createLmdbKeys(environment: Environment): KeyStore {
  const table = environment.table<KeyRecord>('api-keys');
  return {
    get: async (keyId) => table.get(Buffer.from(keyId)) ?? null,
    list: async () => [...table.getRange()].map(({ value }) => value),
    async put(record) {
      await environment.write(() => table.put(Buffer.from(record.keyId), record));
    },
    update: (keyId, change) =>
      environment.write(() =>
        table.transaction(() => {
          const key = Buffer.from(keyId);
          const record = table.get(key);
          if (!record) return null;
          const changed = change(record);
          table.put(key, changed);
          return changed;
        }),
      ),
  };
}
