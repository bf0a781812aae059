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

const settled = () => new Promise(setImmediate);

test('large bodies coming in have one bound together, and give their room back', async () => {
  const coming = Array.from({ length: 8 }, () => slowBody(LIMIT));
  const most = Buffer.alloc(LIMIT - 1, ' ');
  for (const { req } of coming) req.write(most);
  await settled();
  // It does not say how long it will be, so it is counted as well.
  const late = [slowBody(LIMIT), slowBody(70_000), slowBody()];
  for (const { req } of late) req.write(Buffer.alloc(9, ' '));
  for (const { read } of late) {
    await assert.rejects(read, { code: 'overloaded', headers: { 'Retry-After': '5' } });
  }

  const small = slowBody(2);
  small.req.end('{}');
  assert.deepEqual(await small.read, {});

  const [first, ...others] = coming;
  first.req.end('[');
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
  for (const { req } of again) req.write(most);
  await settled();
  for (const { req, read } of again) {
    req.destroy(new Error('planted'));
    await assert.rejects(read, { code: 'malformed-request' });
  }
});

test('large bodies that are announced and do not come keep nobody out', async () => {
  const announced = Array.from({ length: 64 }, () => slowBody(LIMIT));
  for (const { req } of announced) req.write('[');
  await settled();
  const honest = slowBody(70_000);
  const text = JSON.stringify('x'.repeat(69_998));
  honest.req.end(text);
  assert.equal((await honest.read) as string, JSON.parse(text));
  for (const { req, read } of announced) {
    req.destroy(new Error('planted'));
    await assert.rejects(read, { code: 'malformed-request' });
  }
});
