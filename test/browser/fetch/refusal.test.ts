import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRefusal } from '../../../browser/fetch/refusal.ts';

const read = (text: string, status = 401) =>
  readRefusal({ status, headers: new Headers({ 'WWW-Authenticate': text }) });

test('reads what a gate asks for', () => {
  assert.deepEqual(read('PoW realm="demo", difficulty=20, mode="passport"'), {
    route: 'demo',
    mode: 'passport',
    difficultyBits: 20,
  });
  assert.equal(read('PoW realm="*", difficulty=20, mode="request"')?.route, undefined);
  assert.equal(read('Bearer realm="api", PoW realm="x", difficulty=9, mode="request"')?.mode, 'request');
  assert.equal(read('pow realm="x",difficulty=9,mode="request"')?.route, 'x');
});

test('takes nothing else for a gate', () => {
  for (const text of [
    'Bearer',
    'PoW',
    'XPoW realm="x", difficulty=9, mode="request"',
    'PoW realm="x", difficulty=9, mode="other"',
  ]) {
    assert.equal(read(text), null, text);
  }
  assert.equal(read('PoW realm="demo", difficulty=20, mode="passport"', 403), null);
  assert.equal(readRefusal({ status: 401, headers: new Headers() }), null);
});
