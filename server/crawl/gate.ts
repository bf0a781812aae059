/** Lets a bounded number of tasks through at once. */
export type Gate = {
  /** Runs a task of `owner` as soon as it may. */
  enter<Result>(owner: string, task: () => Promise<Result>): Promise<Result>;
};

type Owner = { running: number; waiting: (() => void)[] };

/**
 * Every owner may always have one task under way, and beyond that so many as are free of `shared`; what gets free goes to
 * who has the fewest. So a crawl whose server takes half a minute for each answer holds up nobody but itself, and one of
 * a hundred thousand pages leaves room to one of ten.
 */
export function createGate(shared: number): Gate {
  const owners = new Map<string, Owner>();
  let free = shared;

  /** Lets go who may: those without a task, then those with the fewest, of two the one that came first. */
  function advance(): void {
    for (;;) {
      let next: Owner | null = null;
      for (const owner of owners.values()) {
        if (owner.waiting.length > 0 && (!next || owner.running < next.running)) next = owner;
      }
      if (!next || (next.running > 0 && free === 0)) return;
      if (next.running++ > 0) free--;
      next.waiting.shift()?.();
    }
  }

  return {
    async enter(name, task) {
      const owner = owners.get(name) ?? { running: 0, waiting: [] };
      owners.set(name, owner);
      await new Promise<void>((resolve) => {
        owner.waiting.push(resolve);
        advance();
      });
      try {
        return await task();
      } finally {
        if (--owner.running > 0) free++;
        else if (owner.waiting.length === 0) owners.delete(name);
        advance();
      }
    },
  };
}
