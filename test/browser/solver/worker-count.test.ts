import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Device, workerCount } from '../../../browser/solver/worker-count.ts';

const CASES: readonly [what: string, device: Device, workers: number][] = [
  ['one per thread', { hardwareConcurrency: 8 }, 8],
  ['one thread', { hardwareConcurrency: 1 }, 1],
  ['a server of 128 threads', { hardwareConcurrency: 128 }, 16],
  ['nothing known', {}, 2],
  ['zero threads', { hardwareConcurrency: 0 }, 2],
  ['a negative number of threads', { hardwareConcurrency: -4 }, 2],
  ['NaN', { hardwareConcurrency: Number.NaN }, 2],
  ['no number', { hardwareConcurrency: '8' as unknown as number }, 2],
  ['a fraction, as some privacy tools give', { hardwareConcurrency: 3.7 }, 3],
  ['infinity', { hardwareConcurrency: Number.POSITIVE_INFINITY }, 16],
  ['saving data', { hardwareConcurrency: 8, connection: { saveData: true } }, 4],
  ['saving data, odd', { hardwareConcurrency: 3, connection: { saveData: true } }, 1],
  ['saving data, one thread', { hardwareConcurrency: 1, connection: { saveData: true } }, 1],
  ['not saving data', { hardwareConcurrency: 8, connection: { saveData: false } }, 8],
  ['8 GB', { hardwareConcurrency: 8, deviceMemory: 8 }, 8],
  ['2 GB', { hardwareConcurrency: 8, deviceMemory: 2 }, 2],
  ['half a GB', { hardwareConcurrency: 8, deviceMemory: 0.5 }, 1],
];

for (const [what, device, workers] of CASES) {
  test(`${what}: ${workers}`, () => assert.equal(workerCount(device), workers));
}

test('is a whole number of at least 1, whatever the browser says (fractional counts gave fractional answers)', () => {
  const device = fc.record({
    hardwareConcurrency: fc.option(fc.double(), { nil: undefined }),
    deviceMemory: fc.option(fc.double(), { nil: undefined }),
    connection: fc.option(fc.record({ saveData: fc.boolean() }), { nil: undefined }),
  });
  fc.assert(
    fc.property(device, (value) => {
      const workers = workerCount(value);
      assert.ok(Number.isInteger(workers) && workers >= 1 && workers <= 16, `${workers}`);
    }),
  );
});
