import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DeviceRows } from '../../server/devices/core/ports.ts';
import { deviceResult } from '../device-result.ts';

const row = (day: number, seed: number, rate = 1_000_000) => ({
  day,
  id: new Uint8Array(8).fill(seed),
  result: deviceResult(rate),
});

/** What every implementation of submitted devices keeps to. `open` gives an empty one that holds `most` rows. */
export function testDeviceRows(
  name: string,
  open: (most: number) => Promise<{ rows: DeviceRows; close(): Promise<void> }>,
): void {
  describe(`${name} keeps the contract of submitted devices`, () => {
    const check = (title: string, body: (rows: DeviceRows) => Promise<void>) =>
      test(title, async () => {
        const { rows, close } = await open(8);
        try {
          await body(rows);
        } finally {
          await close();
        }
      });

    check('what is added is there, whole', async (rows) => {
      assert.deepEqual(rows.all(), []);
      await rows.add(row(1, 1));
      assert.deepEqual(rows.all(), [deviceResult(1_000_000)]);
    });

    check('two of one day are both kept', async (rows) => {
      await rows.add(row(1, 1));
      await rows.add(row(1, 2));
      assert.equal(rows.all().length, 2);
    });

    check('where it is full, the oldest day makes room, whatever the order they came in', async (rows) => {
      await rows.add(row(5, 1, 5_000_000));
      await rows.add(row(1, 2, 1_000_000));
      for (let seed = 3; seed <= 9; seed++) await rows.add(row(5, seed, 5_000_000));
      assert.deepEqual(rows.all(), Array(8).fill(deviceResult(5_000_000)));
    });

    check('a hundred at once never are more than fit', async (rows) => {
      await Promise.all(Array.from({ length: 100 }, (_, i) => rows.add(row(i % 3, i))));
      assert.equal(rows.all().length, 8);
    });

    check('a purge takes what came before the day and leaves the rest', async (rows) => {
      await rows.add(row(1, 255));
      await rows.add(row(2, 0));
      assert.equal(await rows.purge(2), 1);
      assert.equal(rows.all().length, 1);
      assert.equal(await rows.purge(2), 0);
    });
  });
}
