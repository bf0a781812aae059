import { test } from 'node:test';
import { killWhileWriting } from '../../../slow/kill-index.ts';

test('a writer that is killed loses nothing that it had acknowledged, and corrupts nothing', async () => {
  await killWhileWriting(3, (round) => 5 + round * 20);
});
