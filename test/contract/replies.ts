import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Replies } from '../../server/pow/core/replies.ts';

const key = (seed: number) => new Uint8Array(32).fill(seed);
const reply = (code: string) => ({ success: false, 'error-codes': [code] });

/** What every implementation of kept answers keeps to. `open` gives an empty one. */
export function testReplies(
  name: string,
  open: () => Promise<{ replies: Replies; close(): Promise<void> }>,
): void {
  describe(`${name} keeps the contract of kept answers`, () => {
    const check = (title: string, body: (replies: Replies) => Promise<void>) =>
      test(title, async () => {
        const { replies, close } = await open();
        try {
          await body(replies);
        } finally {
          await close();
        }
      });

    check('the first answer is kept until its second', async (replies) => {
      assert.equal(await replies.get(key(1), 10), null);
      await replies.keep(key(1), reply('first'), 20);
      await replies.keep(key(1), reply('second'), 99);
      assert.deepEqual(await replies.get(key(1), 19), reply('first'));
      assert.equal(await replies.get(key(1), 20), null);
      assert.equal(await replies.get(key(2), 19), null);
    });

    check('a purge takes what is over and leaves the rest', async (replies) => {
      await replies.keep(key(1), reply('a'), 20);
      await replies.keep(key(2), reply('b'), 21);
      assert.equal(await replies.purge(20), 1);
      assert.deepEqual(await replies.get(key(2), 20), reply('b'));
    });
  });
}
