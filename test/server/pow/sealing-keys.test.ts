import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSealingKeys } from '../../../server/pow/sealing-keys.ts';

const secret = (byte: number, length = 32) => Buffer.alloc(length, byte).toString('base64');

test('keys are read in their order, the first to sign', () => {
  const keys = readSealingKeys(`2:${secret(2)}, 1:${secret(1, 64)}`);
  assert.deepEqual(
    keys.map(({ kid, secret: { length } }) => [kid, length]),
    [
      [2, 32],
      [1, 64],
    ],
  );
});

for (const [title, text, message] of [
  ['no kid', secret(1), /key 1: expected kid:base64/],
  ['a kid beyond a byte', `256:${secret(1)}`, /kid of 0..255/],
  ['a secret too short', `1:${secret(1, 31)}`, /expected 32 bytes or more, got 31/],
  ['no base64', '1:!!!', /expected base64/],
  ['a kid twice', `1:${secret(1)},1:${secret(2)}`, /expected each kid once, got 1, 1/],
  ['an empty entry', `1:${secret(1)},`, /key 2: expected kid:base64/],
] as const) {
  test(`refused: ${title}, without showing a secret`, () => {
    assert.throws(
      () => readSealingKeys(text),
      (error) =>
        error instanceof RangeError && message.test(error.message) && !error.message.includes(secret(1)),
    );
  });
}
