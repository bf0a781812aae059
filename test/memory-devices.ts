import { type DeviceRow, type DeviceRows, MOST_ROWS } from '../server/devices/core/ports.ts';

/** Submitted devices in an array. */
export function createMemoryDevices(most: number = MOST_ROWS): DeviceRows {
  let rows: DeviceRow[] = [];
  return {
    async add(row) {
      rows.push(row);
      rows.sort((a, b) => a.day - b.day);
      rows = rows.slice(-most);
    },
    all: () => rows.map(({ result }) => result),
    async purge(day) {
      const before = rows.length;
      rows = rows.filter((row) => row.day >= day);
      return before - rows.length;
    },
  };
}
