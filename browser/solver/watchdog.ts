import type { After } from './after.ts';

/**
 * Timers and workers freeze together when a laptop sleeps or a phone freezes a tab, and on waking the timer may be
 * heard first. A limit is waited for in slices, so that such a pause uses up one of them and the worker has the rest.
 */
const SLICES = 4;

/** What `answer` gives, or a rejection with an Error when it stays open for `limitMs`; `what` names it there. */
export function answerWithin<T>(after: After, limitMs: number, what: string, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let slices = 0;
    let cancel = () => {};
    const wait = () => {
      if (slices++ < SLICES) cancel = after(limitMs / SLICES, wait);
      else reject(new Error(`${what}: no answer for ${limitMs / 1000} s`));
    };
    wait();
    answer.then(resolve, reject).finally(() => cancel());
  });
}
