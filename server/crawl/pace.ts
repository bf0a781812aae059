import type { Clock, Timer } from '../base/ports.ts';

// Our choices. A host that asks for longer is asked again by the next crawl.
const LONGEST_PAUSE_MS = 600_000;
const FIRST_PAUSE_MS = 5_000;
const LEAST_FACTOR = 1 / 64;
const RECOVERY = 1.2;
// Hosts that are forgotten when they have not been asked for so long.
const IDLE_MS = 3_600_000;

export type HostPaces = ReturnType<typeof createHostPaces>;

/**
 * Keeps every host to its speed, whichever crawls ask it. Who waits is let through in the order of coming; a crawl that
 * waits for one host keeps nobody from another.
 */
export function createHostPaces(clock: Clock, timer: Timer) {
  type Host = { nextMs: number; factor: number; pauses: number };
  const hosts = new Map<string, Host>();

  function hostOf(name: string): Host {
    let host = hosts.get(name);
    if (!host) {
      const now = clock.nowMs();
      for (const [other, { nextMs }] of hosts) if (now - nextMs > IDLE_MS) hosts.delete(other);
      host = { nextMs: 0, factor: 1, pauses: 0 };
      hosts.set(name, host);
    }
    return host;
  }

  return {
    /** Waits for the turn at a host that may be asked `perSecond` times. False where `signal` ended the wait. */
    async wait(name: string, perSecond: number, signal: AbortSignal): Promise<boolean> {
      const host = hostOf(name);
      const now = clock.nowMs();
      const turn = Math.max(now, host.nextMs);
      host.nextMs = turn + 1000 / (perSecond * host.factor);
      if (turn > now) await sleep(timer, turn - now, signal);
      return !signal.aborted;
    },
    /** The host is busy: nobody asks it for a while, and then slower. */
    slowDown(name: string, retryAfter: string | null): void {
      const host = hostOf(name);
      const now = clock.nowMs();
      host.factor = Math.max(LEAST_FACTOR, host.factor / 2);
      const asked = readRetryAfter(retryAfter, now) ?? FIRST_PAUSE_MS * 2 ** host.pauses++;
      host.nextMs = Math.max(host.nextMs, now + Math.min(asked, LONGEST_PAUSE_MS));
    },
    /** The host answered as it should. */
    speedUp(name: string): void {
      const host = hostOf(name);
      host.factor = Math.min(1, host.factor * RECOVERY);
      host.pauses = 0;
    },
    /** What is left of the speed of a host that was busy: 0..1. */
    factorOf: (name: string): number => hosts.get(name)?.factor ?? 1,
  };
}

/** Milliseconds that `Retry-After` asks for (RFC 9110 §10.2.3: seconds, or a date), or null. */
export function readRetryAfter(text: string | null, nowMs: number): number | null {
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000;
  // Date.parse takes "-1" for a year.
  const at = /^[A-Z][a-z]{2}/.test(text.trim()) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}

/** Waits, unless `signal` ends it. */
export function sleep(timer: Timer, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = timer.after(ms, end);
    signal.addEventListener('abort', end, { once: true });
  });
}
