/** Speaks to screen readers. */
export type Announcer = {
  /** Says `text` now, or when the last utterance is a second old; of several waiting texts only the newest is said. */
  say(text: string): void;
};

/** A live region that changes faster is read as noise, or not at all (our choice: one second). */
const GAP_MS = 1000;

/** @param write puts text into the live region */
export function createAnnouncer(write: (text: string) => void, now: () => number = Date.now): Announcer {
  let lastMs = Number.NEGATIVE_INFINITY;
  let waiting: string | null = null;

  const flush = () => {
    if (waiting === null) return;
    write(waiting);
    waiting = null;
    lastMs = now();
  };

  return {
    say(text) {
      const idle = waiting === null;
      waiting = text;
      const dueMs = lastMs + GAP_MS - now();
      if (dueMs <= 0) flush();
      else if (idle) setTimeout(flush, dueMs);
    },
  };
}
