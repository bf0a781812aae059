import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeError, isClientsDoing } from '../../../server/http/log-error.ts';

test('what an error carries beside its words stays out of the log', () => {
  const parse = Object.assign(new Error('Parse Error'), {
    code: 'HPE_INVALID',
    rawPacket: Buffer.from('Cookie: secret'),
  });
  const url = Object.assign(new TypeError('Invalid URL', { cause: parse }), {
    input: '/x?siteSecret=secret',
  });
  const described = JSON.stringify(describeError(url));
  assert.doesNotMatch(described, /secret|rawPacket/);
  assert.match(described, /"type":"TypeError","message":"Invalid URL"/);
  assert.match(described, /"cause":\{"type":"Error","message":"Parse Error"/);
  assert.deepEqual(describeError('text'), { message: 'text' });
});

test('a client that goes away or speaks no HTTP is no error of ours', () => {
  for (const code of ['HPE_INVALID_CHUNK_SIZE', 'ECONNRESET', 'EPIPE']) {
    assert.equal(isClientsDoing(Object.assign(new Error('x'), { code })), true);
  }
  assert.equal(isClientsDoing(new Error('x')), false);
  assert.equal(isClientsDoing(null), false);
});
