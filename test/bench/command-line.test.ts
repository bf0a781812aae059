import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOrder, Usage } from '../../bench/command-line.ts';

const GROUPS = { one: { title: 'one: first' }, two: { title: 'two: second' } };
const nothing = {
  isQuick: false,
  compareWith: null,
  isOwnOnly: false,
  collection: null,
  isJson: false,
  isReadme: false,
};

test('without names every group is meant, else those named, in the order of the table', () => {
  assert.deepEqual(readOrder([], GROUPS), { ...nothing, groups: ['one', 'two'] });
  assert.deepEqual(readOrder(['two', 'one'], GROUPS).groups, ['one', 'two']);
  assert.deepEqual(readOrder(['two', '--quick'], GROUPS), { ...nothing, groups: ['two'], isQuick: true });
  assert.equal(readOrder(['--compare', 'HEAD~1'], GROUPS).compareWith, 'HEAD~1');
  assert.equal(readOrder(['--collection', 'pages.gz'], GROUPS).collection, 'pages.gz');
});

test('help is no fault and names every group', () => {
  assert.throws(
    () => readOrder(['--help'], GROUPS),
    (usage) => usage instanceof Usage && !usage.isFault && /one: first\n {2}two: second/.test(usage.message),
  );
});

for (const args of [
  ['three'],
  ['--fast'],
  ['--compare'],
  ['--compare', ''],
  ['--collection'],
  ['--collection', ''],
  ['--quick=yes'],
]) {
  test(`refuses ${args.join(' ')}`, () => {
    assert.throws(
      () => readOrder(args, GROUPS),
      (usage) => usage instanceof Usage && usage.isFault && usage.message.length > 10,
    );
  });
}
