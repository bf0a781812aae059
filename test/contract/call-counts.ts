import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { OpenCallCounts } from '../../server/access/core/ports.ts';

const RATE = { calls: 10, secs: 60 };

/** What every place to count calls in keeps to. `open` gives one or several clients of an empty one. */
export function testCallCounts(
  name: string,
  open: () => Promise<{ clients: [OpenCallCounts, ...OpenCallCounts[]]; close(): Promise<void> }>,
): void {
  describe(`${name} keeps the contract of call counts`, () => {
    const check = (title: string, body: (clients: [OpenCallCounts, ...OpenCallCounts[]]) => Promise<void>) =>
      test(title, async () => {
        const { clients, close } = await open();
        try {
          await body(clients);
        } finally {
          await close();
        }
      });

    check(
      'calls of one caller are counted, also beyond the rate, and the span does not move',
      async ([openCounts]) => {
        const count = openCounts('a', RATE);
        let leftMs = RATE.secs * 1000;
        for (let calls = 1; calls <= RATE.calls + 3; calls++) {
          const counted = await count('192.0.2.0/24');
          assert.equal(counted.calls, calls);
          assert.ok(counted.msLeft > 0 && counted.msLeft <= leftMs, `${counted.msLeft} of ${leftMs} ms`);
          leftMs = counted.msLeft;
        }
      },
    );

    check('callers and throttles do not meet', async ([openCounts]) => {
      await openCounts('a', RATE)('192.0.2.0/24');
      assert.equal((await openCounts('a', RATE)('198.51.100.0/24')).calls, 1);
      assert.equal((await openCounts('b', RATE)('192.0.2.0/24')).calls, 1);
    });

    check('a call that is taken back was not made, and the span does not move', async ([openCounts]) => {
      const count = openCounts('a', RATE);
      const { msLeft } = await count('192.0.2.0/24');
      await count('192.0.2.0/24');
      const taken = await count('192.0.2.0/24', -1);
      assert.equal(taken.calls, 1);
      assert.ok(taken.msLeft > 0 && taken.msLeft <= msLeft, `${taken.msLeft} of ${msLeft} ms`);
      for (let i = 0; i < RATE.calls + 3; i++) await count('192.0.2.0/24');
      await count('192.0.2.0/24', -1);
      // What is beyond the rate is taken back one by one, too.
      assert.equal((await count('192.0.2.0/24')).calls, RATE.calls + 4);
    });

    check('64 at once, from every client, are counted one by one', async (clients) => {
      const counts = clients.map((openCounts) => openCounts('a', RATE));
      const counted = await Promise.all(
        Array.from({ length: 64 }, (_, i) => counts[i % counts.length]('192.0.2.0/24')),
      );
      const calls = counted.map((one) => one.calls).toSorted((a, b) => a - b);
      assert.deepEqual(
        calls,
        Array.from({ length: 64 }, (_, i) => i + 1),
      );
    });
  });
}
