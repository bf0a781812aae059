import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { readJson } from '../../../server/http/body.ts';
import type { Context } from '../../../server/http/request-state.ts';

const MIB = 1_048_576;
const LIMIT = 32 * MIB;

/** A body that comes in slowly: it is announced, and what came of it is written by hand. */
function slowBody(length?: number) {
  const req = new PassThrough();
  const ctx = { req, request: { type: 'application/json', length }, get: () => '' } as unknown as Context;
  return { read: readJson(ctx, LIMIT), req };
}

test('large bodies coming in have one bound together, and give their room back', async () => {
  const coming = Array.from({ length: 7 }, () => slowBody(LIMIT));
  // It does not say how long it will be, so it counts for the most.
  coming.push(slowBody());
  await assert.rejects(slowBody(LIMIT).read, { code: 'overloaded', headers: { 'Retry-After': '5' } });
  await assert.rejects(slowBody(70_000).read, { code: 'overloaded' });

  const small = slowBody(2);
  small.req.end('{}');
  assert.deepEqual(await small.read, {});

  const [first, ...others] = coming;
  first.req.end('[]');
  await assert.rejects(first.read, { code: 'malformed-request' });
  const next = slowBody(70_000);
  const text = JSON.stringify('x'.repeat(69_998));
  next.req.end(text);
  assert.equal((await next.read) as string, JSON.parse(text));

  for (const { req, read } of others) {
    req.destroy(new Error('planted'));
    await assert.rejects(read, { code: 'malformed-request' });
  }
  const again = Array.from({ length: 8 }, () => slowBody(LIMIT));
  for (const { req, read } of again) {
    req.destroy(new Error('planted'));
    await assert.rejects(read, { code: 'malformed-request' });
  }
});
