/** What several callers wait for, under one name. */
export type SharedSolve<Result> = (
  name: string,
  signal: AbortSignal | undefined,
  solve: (signal: AbortSignal) => Promise<Result>,
) => Promise<Result>;

/**
 * Lets calls at the same time under the same name share one solve. Each may leave by its own signal, whose reason it then
 * rejects with; when the last has left the solve is stopped.
 */
export function createSharedSolve<Result>(): SharedSolve<Result> {
  const running = new Map<string, { result: Promise<Result>; stop: AbortController; callers: number }>();

  return async (name, signal, solve) => {
    signal?.throwIfAborted();
    let run = running.get(name);
    if (!run) {
      const stop = new AbortController();
      const result = solve(stop.signal);
      const started = { result, stop, callers: 0 };
      const end = () => {
        if (running.get(name) === started) running.delete(name);
      };
      result.then(end, end);
      running.set(name, started);
      run = started;
    }
    const mine = run;
    mine.callers++;
    let leave = () => {};
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(signal?.reason);
      signal?.addEventListener('abort', leave, { once: true });
    });
    try {
      return await Promise.race([mine.result, left]);
    } finally {
      signal?.removeEventListener('abort', leave);
      if (--mine.callers === 0 && running.get(name) === mine) {
        running.delete(name);
        mine.stop.abort(signal?.reason);
      }
    }
  };
}
