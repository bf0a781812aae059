import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PURGE_MARGIN_SECS, type Spent, type SpentRecord } from '../../server/pow/core/spent.ts';

const recordOf = (answer: string): SpentRecord => ({
  use: 'passport',
  answer,
  network: '192.0.2.0/24',
  atSecs: 1_000,
  kid: 1,
});
const nonceOf = (seed: number) => new Uint8Array(32).fill(seed);

/** What every implementation of single use keeps to. `open` gives an empty one. */
export function testSpent(name: string, open: () => Promise<{ spent: Spent; close(): Promise<void> }>): void {
  describe(`${name} keeps the contract of single use`, () => {
    const check = (title: string, body: (spent: Spent) => Promise<void>) =>
      test(title, async () => {
        const { spent, close } = await open();
        try {
          await body(spent);
        } finally {
          await close();
        }
      });

    check('the first spends, the next get the first record', async (spent) => {
      assert.equal(await spent.spend(nonceOf(1), 2_000, recordOf('1')), null);
      assert.deepEqual(await spent.spend(nonceOf(1), 2_000, recordOf('2')), recordOf('1'));
      assert.deepEqual(await spent.spend(nonceOf(1), 2_000, recordOf('3')), recordOf('1'));
    });

    check('of 64 at once exactly one spends, and all others get its record', async (spent) => {
      const results = await Promise.all(
        Array.from({ length: 64 }, (_, i) => spent.spend(nonceOf(1), 2_000, recordOf(String(i)))),
      );
      const winners = [...results.entries()].filter(([, first]) => first === null);
      assert.equal(winners.length, 1);
      const winner = recordOf(String(winners[0][0]));
      for (const first of results) if (first) assert.deepEqual(first, winner);
    });

    check('challenges that differ in one bit of the nonce do not meet', async (spent) => {
      const other = nonceOf(1);
      other[31] ^= 1;
      assert.equal(await spent.spend(nonceOf(1), 2_000, recordOf('1')), null);
      assert.equal(await spent.spend(other, 2_000, recordOf('1')), null);
    });

    check('ten thousand later ones evict nothing', async (spent) => {
      await spent.spend(nonceOf(1), 2_000, recordOf('1'));
      const bytes = (i: number) => Uint8Array.from({ length: 32 }, (_, at) => (at < 4 ? i >> (8 * at) : 99));
      await Promise.all(
        Array.from({ length: 10_000 }, (_, i) => spent.spend(bytes(i), 2_000, recordOf('x'))),
      );
      assert.deepEqual(await spent.spend(nonceOf(1), 2_000, recordOf('2')), recordOf('1'));
    });

    check('a purge takes what expired a margin ago and leaves the rest', async (spent) => {
      await spent.spend(nonceOf(1), 2_000, recordOf('1'));
      await spent.spend(nonceOf(2), 2_001, recordOf('2'));
      assert.equal(await spent.purge(2_000 + PURGE_MARGIN_SECS - 1), 0);
      assert.equal(await spent.purge(2_000 + PURGE_MARGIN_SECS), 1);
      assert.equal(await spent.spend(nonceOf(1), 2_000, recordOf('3')), null);
      assert.deepEqual(await spent.spend(nonceOf(2), 2_001, recordOf('3')), recordOf('2'));
    });
  });
}
