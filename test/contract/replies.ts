import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Replies } from '../../server/pow/core/replies.ts';

const key = (seed: number) => new Uint8Array(32).fill(seed);
const reply = (code: string) => ({ success: false, 'error-codes': [code] });

/**
 * What every implementation of kept answers keeps to. `open` gives an empty one; `ownSecs` is the time of one that
 * forgets by its own clock.
 */
export function testReplies(
  name: string,
  open: () => Promise<{ replies: Replies; close(): Promise<void>; ownSecs?: number }>,
): void {
  describe(`${name} keeps the contract of kept answers`, () => {
    const check = (
      title: string,
      body: (replies: Replies, nowSecs: number, hasPurge: boolean) => Promise<void>,
    ) =>
      test(title, async () => {
        const { replies, close, ownSecs } = await open();
        try {
          await body(replies, ownSecs ?? 10, ownSecs === undefined);
        } finally {
          await close();
        }
      });

    check('the first answer is kept until its second', async (replies, now) => {
      assert.equal(await replies.get(key(1), now), null);
      await replies.keep(key(1), reply('first'), now + 10);
      await replies.keep(key(1), reply('second'), now + 99);
      assert.deepEqual(await replies.get(key(1), now + 9), reply('first'));
      assert.equal(await replies.get(key(1), now + 10), null);
      assert.equal(await replies.get(key(2), now + 9), null);
    });

    check('a purge takes what is over and leaves the rest', async (replies, now, hasPurge) => {
      await replies.keep(key(1), reply('a'), now + 10);
      await replies.keep(key(2), reply('b'), now + 11);
      assert.equal(await replies.purge(now + 10), hasPurge ? 1 : 0);
      assert.deepEqual(await replies.get(key(2), now + 10), reply('b'));
    });
  });
}
