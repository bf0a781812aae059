import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runRounds } from '../../bench/rounds.ts';

test('the order turns each round, and the first round is thrown away', async () => {
  const asked: string[] = [];
  const contender = (name: string, baseline: string | null) => ({
    name,
    baseline,
    sample: () => ({ perSecond: asked.push(name), checked: 10 }),
  });

  const rows = await runRounds([contender('a', null), contender('b', 'a')], 2);

  assert.deepEqual(asked, ['a', 'b', 'b', 'a', 'a', 'b']);
  assert.deepEqual(rows, [
    { name: 'a', baseline: null, perSecond: [4, 5], checked: 20 },
    { name: 'b', baseline: 'a', perSecond: [3, 6], checked: 20 },
  ]);
});
