import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { nodeDigest } from '../../../../server/base/system.ts';
import { hasWork, leadingZeroBits, readAnswer } from '../../../../server/pow/core/work.ts';

test('the last u64 is an answer, the number after it is none', () => {
  assert.equal(readAnswer('0'), 0n);
  assert.equal(readAnswer('18446744073709551615'), 2n ** 64n - 1n);
  assert.equal(readAnswer('18446744073709551616'), null);
  assert.equal(readAnswer('99999999999999999999'), null);
});

for (const text of [
  '',
  '00',
  '01',
  '+1',
  '-1',
  '1.0',
  '1e3',
  '0x1',
  ' 1',
  '1 ',
  '1\n',
  '１',
  '184467440737095516150',
  '1_000',
]) {
  test(`no answer: ${JSON.stringify(text)}`, () => assert.equal(readAnswer(text), null));
}

test('leading zero bits are counted as the digits of the number would be', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 30 }),
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      (zeros, tail) => {
        const bytes = tail.map((byte, i) => (i < zeros ? 0 : byte));
        const binary = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
        assert.equal(leadingZeroBits(bytes), binary.indexOf('1') < 0 ? 256 : binary.indexOf('1'));
      },
    ),
  );
});

test('work is the hash of the nonce and the answer in little-endian order', () => {
  const nonce = new Uint8Array(32).fill(5);
  for (const answer of [0n, 1n, 0x0102030405060708n, 2n ** 64n - 1n]) {
    const tail = Buffer.alloc(8);
    tail.writeBigUInt64LE(answer);
    const bits = leadingZeroBits(createHash('sha256').update(nonce).update(tail).digest());
    assert.equal(hasWork(nodeDigest, nonce, answer, bits), true);
    assert.equal(hasWork(nodeDigest, nonce, answer, bits + 1), false);
  }
});

test("a caller's bug is told", () => {
  assert.throws(() => hasWork(nodeDigest, new Uint8Array(31), 0n, 1), /expected 32 bytes, got 31/);
  assert.throws(() => hasWork(nodeDigest, new Uint8Array(32), 2n ** 64n, 1), /expected a u64/);
});
