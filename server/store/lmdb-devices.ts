import { type DeviceRows, MOST_ROWS } from '../devices/core/ports.ts';
import type { DeviceResult } from '../wire/devices.ts';
import type { Environment } from './environment.ts';

/** Submitted devices in LMDB, under the day (u32, big-endian) and the random id: the first key is of the oldest day. */
export function createLmdbDevices(environment: Environment, most: number = MOST_ROWS): DeviceRows {
  const table = environment.table<DeviceResult>('devices');
  return {
    async add({ day, id, result }) {
      const key = Buffer.concat([dayKey(day), id]);
      await environment.write(() =>
        table.transaction(() => {
          table.put(key, result);
          const keys = [...table.getKeys()];
          for (const oldest of keys.slice(0, Math.max(0, keys.length - most))) table.remove(oldest);
        }),
      );
    },
    all: () => [...table.getRange()].map(({ value }) => value),
    async purge(day) {
      const over = [...table.getKeys({ end: dayKey(day) })];
      if (over.length > 0) {
        await environment.write(async () => {
          await Promise.all(over.map((key) => table.remove(key)));
        });
      }
      return over.length;
    },
  };
}

function dayKey(day: number): Buffer {
  const key = Buffer.alloc(4);
  key.writeUInt32BE(day);
  return key;
}
