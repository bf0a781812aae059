import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRandom } from '../../../server/base/system.ts';
import { createRequestIds } from '../../../server/http/request-ids.ts';

test('ids are twelve bytes in base64url, and none comes twice', () => {
  const next = createRequestIds(systemRandom);
  const ids = Array.from({ length: 1_000 }, next);
  for (const id of ids) assert.match(id, /^[A-Za-z0-9_-]{16}$/);
  assert.equal(new Set(ids).size, ids.length);
});

test('every byte that is drawn goes into one id, in its turn', () => {
  let drawn = 0;
  const next = createRequestIds({
    bytes: (length) => Uint8Array.from({ length }, () => drawn++ & 255),
  });
  for (let i = 0; i < 300; i++) {
    const bytes = Array.from({ length: 12 }, (_, j) => (12 * i + j) & 255);
    assert.equal(next(), Buffer.from(bytes).toString('base64url'));
  }
});
