import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EndedSessions } from '../../server/console/core/session.ts';

/** What every store of ended sessions keeps to. `open` gives an empty one. */
export function testEndedSessions(
  name: string,
  open: () => Promise<{ ended: EndedSessions; close(): Promise<void> }>,
): void {
  describe(`${name} keeps the contract of ended sessions`, () => {
    test('knows who was ended, twice as well, until it is over anyway', async () => {
      const { ended, close } = await open();
      try {
        const [one, other] = ['0'.repeat(32), 'f'.repeat(32)];
        assert.equal(ended.has(one), false);
        await ended.end(one, 100);
        await ended.end(one, 100);
        await ended.end(other, 200);
        assert.deepEqual([ended.has(one), ended.has(other)], [true, true]);
        assert.equal(await ended.purge(99), 0);
        assert.equal(await ended.purge(100), 1);
        assert.deepEqual([ended.has(one), ended.has(other)], [false, true]);
      } finally {
        await close();
      }
    });
  });
}
