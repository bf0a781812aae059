/**
 * Counts the passports that were won for a path and did not open it, so that the verifying page does not reload
 * for ever in a browser that drops the cookie.
 */
export type RetryGuard = {
  /** True when so many solves for this path led back here that another one would not help. */
  shouldStop(nowMs: number): boolean;
  /** Call after a solve of `tookMs`, before the reload. `ttlMs` is the life of the passport that was won. */
  recordSolve(nowMs: number, ttlMs: number, tookMs?: number): void;
  reset(): void;
};

const KEY = 'gatehouse:solves';
/** Our choice: one failure may be a cookie lost to a roaming phone or an expiry in flight, two are a pattern. */
const MAX_SOLVES = 2;
/** Our choice: short enough that tomorrow starts afresh. A device whose solves take long is given more of it. */
const WINDOW_MS = 120_000;
const WINDOW_SOLVES = 4;
const LONGEST_WINDOW_MS = 3_600_000;

/** The moments until which each path's solves count. */
type Solves = Record<string, number[]>;

/**
 * @param storage sessionStorage or its stand-in (tab-storage.ts): it must outlive a reload, and not the tab
 * @param path the part of the URL that the gate decides on
 */
export function createRetryGuard(storage: Pick<Storage, 'getItem' | 'setItem'>, path: string): RetryGuard {
  const live = (nowMs: number): Solves => {
    const kept: Solves = {};
    for (const [key, untils] of Object.entries(parseSolves(storage.getItem(KEY)))) {
      // A moment further ahead than the window is from before the clock was set back.
      const counting = untils.filter((until) => until > nowMs && until <= nowMs + LONGEST_WINDOW_MS);
      if (counting.length > 0) kept[key] = counting;
    }
    return kept;
  };
  const write = (solves: Solves) => storage.setItem(KEY, JSON.stringify(solves));

  return {
    shouldStop: (nowMs) => (live(nowMs)[path]?.length ?? 0) >= MAX_SOLVES,
    recordSolve(nowMs, ttlMs, tookMs = 0) {
      // A passport that has run out since proves nothing about the cookie.
      const windowMs = Math.min(LONGEST_WINDOW_MS, Math.max(WINDOW_MS, WINDOW_SOLVES * tookMs));
      const until = nowMs + Math.min(windowMs, ttlMs);
      const solves = live(nowMs);
      write({ ...solves, [path]: [...(solves[path] ?? []), until] });
    },
    reset() {
      const { [path]: _, ...others } = parseSolves(storage.getItem(KEY));
      write(others);
    },
  };
}

function parseSolves(text: string | null): Solves {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (typeof value !== 'object' || value === null) return {};
    const isMoments = (list: unknown): list is number[] =>
      Array.isArray(list) && list.every((item) => typeof item === 'number');
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, number[]] => isMoments(entry[1])),
    );
  } catch {
    return {};
  }
}
