import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryAfterSecs } from '../../../browser/solver/retry-after.ts';

const DATE = 'Fri, 13 Nov 2026 10:00:00 GMT';

const CASES: readonly [what: string, retryAfter: string | null, date: string | null, secs: number | null][] =
  [
    ['no header', null, DATE, null],
    ['seconds', '7', null, 7],
    ['no wait', '0', null, 0],
    ['more than we wait', '3600', null, 30],
    ['a date', 'Fri, 13 Nov 2026 10:00:12 GMT', DATE, 12],
    ['a date that has passed', 'Fri, 13 Nov 2026 09:00:00 GMT', DATE, 0],
    ['a date on a server without a clock', 'Fri, 13 Nov 2026 10:00:12 GMT', null, null],
    ['a fraction', '1.5', null, null],
    ['nonsense', 'soon', DATE, null],
  ];

for (const [what, retryAfter, date, secs] of CASES) {
  test(`${what}: ${secs}`, () => assert.equal(retryAfterSecs(retryAfter, date), secs));
}
