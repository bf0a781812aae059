import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRetryGuard } from '../../../browser/pages/retry-guard.ts';
import { mapStorage } from './map-storage.ts';

const NOW = 1_700_000_000_000;
const HALF_HOUR = 1_800_000;

test('a cookie that is dropped costs two solves, not a loop', () => {
  const storage = mapStorage();
  let solves = 0;
  // Every round is a page load: the guard is made anew over the storage of the tab.
  for (let load = 0; load < 10; load++) {
    const guard = createRetryGuard(storage, '/demo/');
    if (guard.shouldStop(NOW + load * 900)) break;
    guard.recordSolve(NOW + load * 900, HALF_HOUR);
    solves++;
  }
  assert.equal(solves, 2);
});

test('a slow device that loses the cookie is stopped as well', () => {
  const storage = mapStorage();
  let solves = 0;
  for (let load = 0; load < 10; load++) {
    const guard = createRetryGuard(storage, '/demo/');
    if (guard.shouldStop(NOW + load * 130_000)) break;
    guard.recordSolve(NOW + load * 130_000, HALF_HOUR, 130_000);
    solves++;
  }
  assert.equal(solves, 2);
});

test('each path counts for itself', () => {
  const storage = mapStorage();
  const demo = createRetryGuard(storage, '/demo/');
  demo.recordSolve(NOW, HALF_HOUR);
  demo.recordSolve(NOW, HALF_HOUR);
  assert.equal(demo.shouldStop(NOW), true);
  assert.equal(createRetryGuard(storage, '/demo/other').shouldStop(NOW), false);
});

test('after two minutes the visitor may try afresh', () => {
  const guard = createRetryGuard(mapStorage(), '/demo/');
  guard.recordSolve(NOW, HALF_HOUR);
  guard.recordSolve(NOW + 1000, HALF_HOUR);
  assert.equal(guard.shouldStop(NOW + 119_999), true);
  assert.equal(guard.shouldStop(NOW + 120_000), false);
});

test('passports that simply ran out are no loop', () => {
  const guard = createRetryGuard(mapStorage(), '/short/');
  for (let visit = 0; visit < 5; visit++) {
    assert.equal(guard.shouldStop(NOW + visit * 11_000), false);
    guard.recordSolve(NOW + visit * 11_000, 10_000);
  }
});

test('a reset clears this path and leaves the others', () => {
  const storage = mapStorage();
  for (const path of ['/a', '/b']) {
    const guard = createRetryGuard(storage, path);
    guard.recordSolve(NOW, HALF_HOUR);
    guard.recordSolve(NOW, HALF_HOUR);
  }
  createRetryGuard(storage, '/a').reset();
  assert.equal(createRetryGuard(storage, '/a').shouldStop(NOW), false);
  assert.equal(createRetryGuard(storage, '/b').shouldStop(NOW), true);
});

test('a clock set back does not lock the visitor out', () => {
  const guard = createRetryGuard(mapStorage(), '/demo/');
  guard.recordSolve(NOW, HALF_HOUR);
  guard.recordSolve(NOW, HALF_HOUR);
  assert.equal(guard.shouldStop(NOW - 3600_000), false);
});

test('storage that holds nonsense, or a path named like a member of Object, counts as empty', () => {
  for (const text of ['', '{', 'null', '7', '[]', '{"/demo/":"x"}', '{"/demo/":[null]}']) {
    const guard = createRetryGuard(mapStorage([['gatehouse:solves', text]]), '/demo/');
    assert.equal(guard.shouldStop(NOW), false, text);
    guard.recordSolve(NOW, HALF_HOUR);
  }
  const odd = createRetryGuard(mapStorage(), '__proto__');
  assert.equal(odd.shouldStop(NOW), false);
});
