import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { createLive } from '../../../server/console/live.ts';
import { createTestTimer } from '../../test-timer.ts';

/** A stream over a reading that counts, and all that was written to it. */
function createTestLive(fails = false) {
  let readings = 0;
  const read = async () => {
    if (fails) throw new Error('the disk is gone');
    return { reading: ++readings };
  };
  const timer = createTestTimer();
  const live = createLive({ timer, read });
  const open = (isOver = () => false) => {
    const stream = live.open(isOver);
    const told: string[] = [];
    stream.setEncoding('utf8').on('data', (text: string) => told.push(text));
    return { stream, told, next: () => once(stream, 'data') };
  };
  return { timer, live, open, readings: () => readings };
}

describe('the stream', () => {
  test('tells at once and at every tick, in the form of server-sent events', async () => {
    const { timer, open } = createTestLive();
    const { told, next } = open();
    await next();
    timer.fire();
    await next();
    assert.deepEqual(told, ['data: {"reading":1}\n\n', 'data: {"reading":2}\n\n']);
  });

  test('reads once a tick for all, and not at all once nobody looks', async () => {
    const { timer, open, readings } = createTestLive();
    const viewers = [open(), open(), open()];
    await Promise.all(viewers.map(({ next }) => next()));
    const before = readings();
    const all = Promise.all(viewers.map(({ next }) => next()));
    timer.fire();
    await all;
    assert.equal(readings(), before + 1);
    await Promise.all(
      viewers.map(({ stream }) => {
        stream.destroy();
        return once(stream, 'close');
      }),
    );
    assert.equal(timer.waiting(), 0);
  });

  test('ends with its session, and with the server', async () => {
    const { timer, live, open } = createTestLive();
    let isOver = false;
    const [one, other] = [open(() => isOver), open()];
    await Promise.all([one.next(), other.next()]);
    isOver = true;
    const ended = once(one.stream, 'end');
    timer.fire();
    await ended;
    const closed = once(other.stream, 'end');
    live.close();
    await closed;
  });

  test('stays, with a comment, where the figures cannot be read', async () => {
    const { open } = createTestLive(true);
    const { told, next } = open();
    await next();
    assert.match(told[0], /^: .*\n\n$/);
    assert.ok(!told[0].includes('disk'));
  });

  test('is given to 32 at once', () => {
    const { open } = createTestLive();
    for (let i = 0; i < 32; i++) open();
    assert.throws(() => open(), { code: 'overloaded' });
  });
});
