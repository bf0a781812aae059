import type { Counters } from '../access/core/ports.ts';
import type { Environment } from './environment.ts';

/** Counters in LMDB: they survive a restart and hold across the processes that share the environment. */
export function createLmdbCounters(environment: Environment): Counters {
  const table = environment.table<number>('counters');
  return {
    async add(name, most) {
      const key = Buffer.from(name);
      return environment.write(() =>
        table.transaction(() => {
          const count = table.get(key) ?? 0;
          if (most !== null && count >= most) return { count, isAdded: false };
          table.put(key, count + 1);
          return { count: count + 1, isAdded: true };
        }),
      );
    },
    read: async (name) => table.get(Buffer.from(name)) ?? 0,
  };
}
