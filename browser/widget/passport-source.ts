import type { Passport, SessionOptions, SessionState } from '../solver/obtain-passport.ts';
import type { SolveProgress } from '../solver/protocol.ts';

/** A passport with its end, in Unix milliseconds of this device's clock. */
export type HeldPassport = Passport & { endMs: number };

/** Who waits for a passport. */
export type Waiting = {
  onState(state: SessionState, waitSecs?: number): void;
  onProgress(progress: SolveProgress): void;
  onPassport(passport: HeldPassport): void;
  onError(error: unknown): void;
};

/** Passports of one gate and one route, for every widget of a page: one solve serves them all. */
export type PassportSource = {
  /** Waits for the passport that is held or being won; starts a solve where neither is. Gives what ends the waiting. */
  join(waiting: Waiting): () => void;
  /** Lets go of that passport, if it is the one that is held. */
  forget(passport: string): void;
};

export type Obtain = (
  options: Pick<SessionOptions, 'signal' | 'onState' | 'onProgress'>,
) => Promise<Passport>;

/** Our choice: time to finish a form and send it; a tenth of the life of a passport that lives less than five minutes. */
const MOST_MARGIN_MS = 30_000;

/** How long before its end a passport is no longer handed in: it must still be good when the server looks at it. */
export const marginMs = (ttlSecs: number): number => Math.min(MOST_MARGIN_MS, ttlSecs * 100);

/** @param now Unix milliseconds of this device: a page may be looked at again after days */
export function createPassportSource({ obtain, now }: { obtain: Obtain; now(): number }): PassportSource {
  let held: HeldPassport | null = null;
  let run: { waiting: Set<Waiting>; stop: AbortController } | null = null;

  const start = () => {
    const mine = { waiting: new Set<Waiting>(), stop: new AbortController() };
    // Whoever hears of it may leave or come meanwhile.
    const tell = (one: (waiting: Waiting) => void) => {
      for (const waiting of [...mine.waiting]) one(waiting);
    };
    const end = () => {
      if (run === mine) run = null;
    };
    obtain({
      signal: mine.stop.signal,
      onState: (state, waitSecs) => tell((waiting) => waiting.onState(state, waitSecs)),
      onProgress: (progress) => tell((waiting) => waiting.onProgress(progress)),
    }).then(
      (passport) => {
        end();
        const won = { ...passport, endMs: now() + passport.ttlSecs * 1000 };
        held = won;
        tell((waiting) => waiting.onPassport(won));
      },
      (error: unknown) => {
        end();
        if (!mine.stop.signal.aborted) tell((waiting) => waiting.onError(error));
      },
    );
    return mine;
  };

  return {
    join(waiting) {
      if (held && held.endMs - marginMs(held.ttlSecs) > now()) {
        const current = held;
        let hasLeft = false;
        queueMicrotask(() => hasLeft || waiting.onPassport(current));
        return () => {
          hasLeft = true;
        };
      }
      run ??= start();
      const mine = run;
      mine.waiting.add(waiting);
      return () => {
        mine.waiting.delete(waiting);
        if (mine.waiting.size > 0) return;
        mine.stop.abort();
        if (run === mine) run = null;
      };
    },
    forget(passport) {
      if (held?.passport === passport) held = null;
    },
  };
}

/** Lets one solve run at a time, in the order of asking: two at once would each take twice as long. */
export function createTurns(): (obtain: Obtain) => Obtain {
  let last: Promise<unknown> = Promise.resolve();
  return (obtain) => (options) => {
    const mine = last.then(() => obtain(options));
    last = mine.catch(() => {});
    return mine;
  };
}
