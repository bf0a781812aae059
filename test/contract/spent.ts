import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  PURGE_MARGIN_SECS,
  type Spent,
  type SpentChallenge,
  type SpentRecord,
} from '../../server/pow/core/spent.ts';

const recordOf = (answer: string): SpentRecord => ({
  use: 'passport',
  answer,
  network: '192.0.2.0/24',
  atSecs: 1_000,
  kid: 1,
});

/** An empty store: one or several clients of it. Its time is that of the purge, or a real one of its own, in seconds. */
export type OpenSpent = {
  clients: [Spent, ...Spent[]];
  close(): Promise<void>;
  /** Where the store forgets by its own clock: what that says. A purge then has nothing to do. */
  ownSecs?: number;
};

/** What every implementation of single use keeps to. */
export function testSpent(name: string, open: () => Promise<OpenSpent>): void {
  describe(`${name} keeps the contract of single use`, () => {
    type World = OpenSpent & { spent: Spent; challengeOf(seed: number, at?: number): SpentChallenge };
    const check = (title: string, body: (world: World) => Promise<void>) =>
      test(title, async () => {
        const world = await open();
        const nowSecs = world.ownSecs ?? 1_990;
        const challengeOf = (seed: number, at = 0) => {
          const nonce = new Uint8Array(32).fill(seed % 256);
          new DataView(nonce.buffer).setUint32(0, seed);
          return { nonce, issuedAtSecs: nowSecs, expiresAtSecs: nowSecs + 10 + at };
        };
        try {
          await body({ ...world, spent: world.clients[0], challengeOf });
        } finally {
          await world.close();
        }
      });

    check('the first spends, the next get the first record', async ({ spent, challengeOf }) => {
      assert.equal(await spent.spend(challengeOf(1), recordOf('1')), null);
      assert.deepEqual(await spent.spend(challengeOf(1), recordOf('2')), recordOf('1'));
      assert.deepEqual(await spent.spend(challengeOf(1), recordOf('3')), recordOf('1'));
    });

    check('a record comes back whole, with what it holds besides', async ({ spent, challengeOf }) => {
      const record: SpentRecord = { ...recordOf(String(2n ** 64n - 1n)), use: 'request', claim: 'c"\\é' };
      await spent.spend(challengeOf(1), record);
      assert.deepEqual(await spent.spend(challengeOf(1), recordOf('2')), record);
    });

    check(
      'of 64 at once, from every client, exactly one spends, and all others get its record',
      async ({ clients, challengeOf }) => {
        const results = await Promise.all(
          Array.from({ length: 64 }, (_, i) =>
            clients[i % clients.length].spend(challengeOf(1), recordOf(String(i))),
          ),
        );
        const winners = [...results.entries()].filter(([, first]) => first === null);
        assert.equal(winners.length, 1);
        const winner = recordOf(String(winners[0][0]));
        for (const first of results) if (first) assert.deepEqual(first, winner);
      },
    );

    check('challenges that differ in one bit of the nonce do not meet', async ({ spent, challengeOf }) => {
      const other = challengeOf(1);
      other.nonce[31] ^= 1;
      assert.equal(await spent.spend(challengeOf(1), recordOf('1')), null);
      assert.equal(await spent.spend(other, recordOf('1')), null);
    });

    check('ten thousand later ones evict nothing', async ({ spent, challengeOf }) => {
      await spent.spend(challengeOf(1), recordOf('1'));
      for (let i = 1_000; i < 11_000; i += 500) {
        await Promise.all(
          Array.from({ length: 500 }, (_, at) => spent.spend(challengeOf(i + at), recordOf('x'))),
        );
      }
      assert.deepEqual(await spent.spend(challengeOf(1), recordOf('2')), recordOf('1'));
    });

    check('a purge takes what expired a margin ago and leaves the rest', async (world) => {
      const { spent, challengeOf } = world;
      const [one, two] = [challengeOf(1), challengeOf(2, 1)];
      await spent.spend(one, recordOf('1'));
      await spent.spend(two, recordOf('2'));
      assert.equal(await spent.purge(one.expiresAtSecs + PURGE_MARGIN_SECS - 1), 0);
      if (world.ownSecs === undefined) {
        assert.equal(await spent.purge(one.expiresAtSecs + PURGE_MARGIN_SECS), 1);
        assert.equal(await spent.spend(one, recordOf('3')), null);
      }
      assert.deepEqual(await spent.spend(two, recordOf('3')), recordOf('2'));
    });
  });
}
