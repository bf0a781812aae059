import { test } from 'node:test';
import { killWhileWriting } from './kill-index.ts';

test('thirty kills in the middle of writing lose nothing and corrupt nothing', async () => {
  await killWhileWriting(30, (round) => 3 + ((round * 37) % 90));
});
