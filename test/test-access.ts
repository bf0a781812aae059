import type { Counters, KeyRecord, KeyStore } from '../server/access/core/ports.ts';
import { createAccess } from '../server/access/service.ts';
import { nodeDigest } from '../server/base/system.ts';
import { createTestClock, createTestRandom } from './test-gate.ts';

/** Keys in a Map: the smallest store that keeps the port's word. */
export function createMemoryKeys(): KeyStore {
  const records = new Map<string, KeyRecord>();
  return {
    get: async (keyId) => records.get(keyId) ?? null,
    list: async () => [...records.values()],
    put: async (record) => void records.set(record.keyId, record),
    async update(keyId, change) {
      const record = records.get(keyId);
      if (!record) return null;
      records.set(keyId, change(record));
      return change(record);
    },
  };
}

/** Counters in a Map. */
export function createMemoryCounters(): Counters {
  const counts = new Map<string, number>();
  return {
    async add(name, most) {
      const count = counts.get(name) ?? 0;
      if (most !== null && count >= most) return { count, isAdded: false };
      counts.set(name, count + 1);
      return { count: count + 1, isAdded: true };
    },
    read: async (name) => counts.get(name) ?? 0,
  };
}

/** Keys and quotas on a clock of their own. */
export function createTestAccess(clock = createTestClock()) {
  const keys = createMemoryKeys();
  const counters = createMemoryCounters();
  const access = createAccess({ keys, counters, clock, random: createTestRandom(), digest: nodeDigest });
  return { access, keys, counters, clock };
}
