import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinSiblings } from '../../server/siblings.ts';
import { silentLog } from '../redis-process.ts';

test('a process that is alone leads at once, counts for itself and says where it listens', async () => {
  const said: string[] = [];
  const siblings = joinSiblings(silentLog, (url) => void said.push(url));
  let isLeading = false;
  siblings.whenLeading(() => {
    isLeading = true;
  });
  assert.equal(isLeading, true);
  siblings.announce('http://localhost:1/');
  assert.deepEqual(said, ['http://localhost:1/']);
  assert.equal((await siblings.openCallCounts('a', { calls: 1, secs: 60 })('x')).calls, 1);
});
