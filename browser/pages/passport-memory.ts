/**
 * Remembers when this browser's passport ends, for every tab of the site.
 *
 * The passport itself is an HttpOnly cookie, which no script can read; the time of its end is the one thing that
 * a page needs, and the only thing stored. Times are Unix milliseconds of this device's clock.
 */
export type PassportMemory = {
  /** The remembered end, or null when there is none, it has passed, or it is no plausible time. */
  expiresAt(nowMs: number): number | null;
  remember(expiresAtMs: number): void;
  forget(): void;
};

export const PASSPORT_MEMORY_KEY = 'gatehouse:passport-expires-at';

/** No tier mints a passport that lives longer (enterprise: 24 h); anything beyond was not written by us. */
const LONGEST_LIFE_MS = 24 * 3600 * 1000;

/** @param storage gives localStorage; a function, because with cookies blocked already touching it throws */
export function createPassportMemory(
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
): PassportMemory {
  // Where storage is refused, this page at least knows what it won itself.
  let ownMs: number | null = null;

  const read = (): number | null => {
    try {
      const text = storage().getItem(PASSPORT_MEMORY_KEY);
      return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
    } catch {
      return ownMs;
    }
  };

  return {
    expiresAt(nowMs) {
      const endMs = read();
      // Half a minute of grace: the clock may have been set back a little since.
      const plausible = endMs !== null && endMs > nowMs && endMs <= nowMs + LONGEST_LIFE_MS + 30_000;
      return plausible ? endMs : null;
    },
    remember(expiresAtMs) {
      ownMs = Math.round(expiresAtMs);
      try {
        storage().setItem(PASSPORT_MEMORY_KEY, String(ownMs));
      } catch {
        // Storage refused or full: ownMs serves this page.
      }
    },
    forget() {
      ownMs = null;
      try {
        storage().removeItem(PASSPORT_MEMORY_KEY);
      } catch {
        // Nothing was stored.
      }
    },
  };
}
