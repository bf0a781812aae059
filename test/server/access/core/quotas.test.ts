import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  MONTHLY_QUOTAS,
  MOST_ROUTES,
  monthOf,
  secsToNextMonth,
} from '../../../../server/access/core/quotas.ts';

test('the quotas are those of the specification', () => {
  assert.equal(MONTHLY_QUOTAS.free['ip-lookups'], 100_000);
  assert.equal(MONTHLY_QUOTAS.pro.verifications, 1_000_000);
  assert.equal(MONTHLY_QUOTAS.enterprise.verifications, null);
  assert.equal(MOST_ROUTES.pro, 5);
});

test('a month is that of UTC, whatever its length', () => {
  assert.equal(monthOf(Date.UTC(2026, 1, 28, 23, 59, 59, 999)), '2026-02');
  assert.equal(secsToNextMonth(Date.UTC(2026, 1, 28, 23, 59, 59, 999)), 1);
  assert.equal(secsToNextMonth(Date.UTC(2026, 11, 31)), 86_400);
  assert.equal(secsToNextMonth(Date.UTC(2028, 1, 1)), 29 * 86_400);
});

test('after the time to the next month it is the next month, and not before', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (ms) => {
      const laterMs = ms + secsToNextMonth(ms) * 1000;
      assert.notEqual(monthOf(laterMs), monthOf(ms));
      assert.equal(monthOf(laterMs - 1_001), monthOf(ms));
    }),
  );
});
