import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cookieValues } from '../../../server/http/cookies.ts';

for (const [header, values] of [
  ['', []],
  ['pow=1', ['1']],
  ['a=b; pow=1; pow=2', ['1', '2']],
  ['pow=1;pow=2', ['1', '2']],
  ['xpow=1; powx=2; POW=3', []],
  ['pow=a=b', ['a=b']],
  ['pow', []],
  ['pow=', ['']],
  ['; ;=; pow = 1 ', ['1']],
] as const) {
  test(`${JSON.stringify(header)} holds ${JSON.stringify(values)}`, () => {
    assert.deepEqual(cookieValues(header, 'pow', 8), values);
  });
}

test('no more are read than asked', () => {
  assert.deepEqual(cookieValues('pow=1; '.repeat(1_000), 'pow', 8), Array(8).fill('1'));
});
