import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LEAST_DEVICES, percentile, summarise } from '../../../../server/devices/core/summary.ts';
import { DeviceSummary } from '../../../../server/wire/devices.ts';
import { deviceResult } from '../../../device-result.ts';

test('a percentile lies between its neighbours, as type 7 has it', () => {
  assert.equal(percentile([10, 20, 30, 40], 0.5), 25);
  assert.equal(percentile([10, 20, 30, 40, 50], 0.25), 20);
  assert.equal(percentile([7], 0.95), 7);
  assert.equal(percentile([0, 100], 0.05), 5);
});

test('percentiles never fall, and stay within what was sent', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 2_000, max: 1e9 }), { minLength: 5, maxLength: 60 }), (rates) => {
      const { whole } = summarise(rates.map((rate) => deviceResult(rate)));
      const { percentiles } = whole ?? assert.fail('no figures');
      for (const [i, value] of percentiles.entries()) {
        // Three digits: half a unit of the third one, either way.
        assert.ok(value >= Math.min(...rates) * 0.995 && value <= Math.max(...rates) * 1.005);
        if (i > 0) assert.ok(value >= percentiles[i - 1]);
      }
    }),
  );
});

test('nothing is told of four devices, in a group or at all', () => {
  const four = Array.from({ length: LEAST_DEVICES - 1 }, () => deviceResult());
  assert.equal(summarise(four).whole, null);
  const mixed = [...four, deviceResult(1e6, { system: 'ios' })];
  assert.notEqual(summarise(mixed).whole, null);
  assert.deepEqual(summarise(mixed).systems, []);
});

test('a kernel that few devices run is not told, whatever the others', () => {
  const without = deviceResult(1e6, { kernels: { simd: null, scalar: 1e6, javascript: null } });
  const { kernels } = summarise(Array.from({ length: 5 }, () => without));
  assert.equal(kernels.simd, null);
  assert.equal(kernels.scalar?.devices, 5);
});

test('a summary is of the form that the wire describes', () => {
  const summary = summarise(Array.from({ length: 9 }, (_, i) => deviceResult(1e6 * (i + 1))));
  assert.deepEqual(DeviceSummary.parse(summary), summary);
});
