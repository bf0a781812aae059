/** Lets a bounded number of tasks through at once, in the order of coming. */
export type Gate = { enter<Result>(task: () => Promise<Result>): Promise<Result> };

/** A crawl has few tasks waiting at a time, so that the order of coming is one crawl after the other. */
export function createGate(width: number): Gate {
  const waiting: (() => void)[] = [];
  let free = width;
  return {
    async enter(task) {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await task();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free++;
      }
    },
  };
}
