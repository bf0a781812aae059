import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { sha256 } from '../../server/base/sha256.ts';
import { toHex } from '../vectors/read.ts';

test('the length of a message above 4 gigabits takes the upper word of the padding', () => {
  const message = new Uint8Array(2 ** 29 + 3);
  assert.equal(toHex(sha256(message)), hash('sha256', message));
});
