import type { Timer } from './ports.ts';

/** What was waited for took too long. */
export class TimeLimitError extends Error {
  constructor(limitMs: number) {
    super(`no answer within ${limitMs} ms`);
    this.name = 'TimeLimitError';
  }
}

/**
 * What `work` gives, or a `TimeLimitError` after `limitMs`. The signal then tells the work to stop; whether it listens or
 * not, nobody waits for it any longer.
 */
export async function withinLimit<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
  limitMs: number,
  timer: Timer,
): Promise<Value> {
  const controller = new AbortController();
  let cancel = () => {};
  const late = new Promise<never>((_, reject) => {
    cancel = timer.after(limitMs, () => {
      const error = new TimeLimitError(limitMs);
      reject(error);
      controller.abort(error);
    });
  });
  try {
    return await Promise.race([work(controller.signal), late]);
  } finally {
    cancel();
  }
}
