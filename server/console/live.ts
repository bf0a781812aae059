import { PassThrough } from 'node:stream';
import type { Timer } from '../base/ports.ts';
import { fault } from '../wire/problem.ts';

// Our choice: as often as a person can read numbers.
export const TICK_MS = 2_000;
// Each takes a connection; more screens than this are no operator's.
const MOST_STREAMS = 32;

export type LiveDeps = {
  timer: Timer;
  /** What every stream is told at a tick. */
  read(): Promise<object>;
};
export type Live = {
  /**
   * A stream of server-sent events (HTML, §9.2) that is told at once and then at every tick, until `isOver` or the reader
   * goes. @throws Fault `overloaded`
   */
  open(isOver: () => boolean): PassThrough;
  /** Ends all streams, so that the server can stop. */
  close(): void;
};

/** Server-sent events: one reading a tick for all streams, and none while nobody looks. */
export function createLive({ timer, read }: LiveDeps): Live {
  const streams = new Map<PassThrough, () => boolean>();
  let cancel: (() => void) | null = null;

  async function tick(): Promise<void> {
    cancel = null;
    const text = await written();
    for (const [stream, isOver] of streams) {
      if (isOver()) stream.end();
      // A reader that does not keep up is told less, not everything later.
      else if (!stream.writableNeedDrain) stream.write(text);
    }
    wait();
  }

  function wait(): void {
    if (streams.size > 0) cancel ??= timer.after(TICK_MS, () => void tick());
  }

  async function written(): Promise<string> {
    try {
      return `data: ${JSON.stringify(await read())}\n\n`;
    } catch {
      // A comment: the reader's picture stands still, and the connection stays.
      return ': the figures cannot be read now\n\n';
    }
  }

  return {
    open(isOver) {
      if (streams.size >= MOST_STREAMS) {
        throw fault('overloaded', `expected at most ${MOST_STREAMS} open consoles`, {
          headers: { 'Retry-After': '10' },
        });
      }
      const stream = new PassThrough();
      streams.set(stream, isOver);
      stream.once('close', () => {
        streams.delete(stream);
        if (streams.size > 0) return;
        cancel?.();
        cancel = null;
      });
      void written().then((text) => {
        if (!stream.destroyed && !stream.writableEnded) stream.write(text);
      });
      wait();
      return stream;
    },
    close() {
      for (const stream of streams.keys()) stream.end();
    },
  };
}
