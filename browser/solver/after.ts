/** Calls `then` after `ms` milliseconds, unless the function that it gives is called before. */
export type After = (ms: number, then: () => void) => () => void;

/** The timer of this thread. */
export const after: After = (ms, then) => {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
};
