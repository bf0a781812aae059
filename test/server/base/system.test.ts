import assert from 'node:assert/strict';
import { createHmac, hash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { nodeDigest, systemRandom } from '../../../server/base/system.ts';
import { fromHex, readVectors, toHex } from '../../vectors/read.ts';

test('HMAC-SHA-256 gives the tags of RFC 4231', () => {
  for (const { key, data, tag } of readVectors<Record<string, string>>('rfc4231-hmac-sha256.json')) {
    assert.equal(toHex(nodeDigest.hmacSha256(fromHex(key))(fromHex(data))), tag);
  }
});

test('one prepared HMAC gives the tag of createHmac for messages that shrink and grow', () => {
  for (const keyBytes of [0, 1, 31, 32, 63, 64, 65, 200]) {
    const key = randomBytes(keyBytes);
    const mac = nodeDigest.hmacSha256(key);
    for (const sizeBytes of [54, 39, 0, 200, 54, 1, 4096, 64, 39]) {
      const message = randomBytes(sizeBytes);
      const expected = createHmac('sha256', key).update(message).digest('hex');
      assert.equal(toHex(mac(message)), expected, `${keyBytes} and ${sizeBytes} bytes`);
    }
  }
});

test('hash and HMAC are those of node:crypto on both sides of what counts as short', () => {
  const key = randomBytes(32);
  const mac = nodeDigest.hmacSha256(key);
  for (let sizeBytes = 100; sizeBytes <= 140; sizeBytes++) {
    const message = randomBytes(sizeBytes + 1);
    const covered = message.subarray(0, sizeBytes);
    assert.equal(toHex(nodeDigest.sha256(covered)), hash('sha256', covered), `${sizeBytes} bytes`);
    const tag = createHmac('sha256', key).update(covered).digest('hex');
    assert.equal(toHex(mac(covered)), tag, `${sizeBytes} bytes`);
    assert.equal(toHex(mac(message, sizeBytes)), tag, `the first ${sizeBytes} bytes`);
  }
});

test('HKDF-SHA-256 gives the key of RFC 5869', () => {
  const cases = readVectors<{ secret: string; info: string; lengthBytes: number; key: string }>(
    'rfc5869-hkdf-sha256.json',
  );
  for (const { secret, info, lengthBytes, key } of cases) {
    assert.equal(toHex(nodeDigest.hkdfSha256(fromHex(secret), info, lengthBytes)), key);
  }
});

test('equality is refused, not thrown, for lengths that differ', () => {
  assert.equal(nodeDigest.equal(new Uint8Array(3), new Uint8Array(4)), false);
  assert.equal(nodeDigest.equal(Uint8Array.of(1, 2), Uint8Array.of(1, 2)), true);
  assert.equal(nodeDigest.equal(Uint8Array.of(1, 2), Uint8Array.of(1, 3)), false);
});

test('pooled random bytes are never handed out twice, nor wiped after they were', () => {
  // 40 × 200 bytes cross the pool's end several times.
  const drawn = Array.from({ length: 40 }, () => systemRandom.bytes(200));
  assert.equal(new Set(drawn.map(toHex)).size, 40);
  for (const bytes of drawn) assert.ok(bytes.some((byte) => byte !== 0));
  assert.equal(systemRandom.bytes(10_000).length, 10_000);
});
