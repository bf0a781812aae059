import type { Clock, Timer } from '../base/ports.ts';

// Our choices. A host that asks for longer is asked again by the next crawl.
const LONGEST_PAUSE_MS = 600_000;
const FIRST_PAUSE_MS = 5_000;
const LEAST_FACTOR = 1 / 64;
const RECOVERY = 1.2;
// Neither the clock nor timers know less: turns closer together than this would each wait for a timer of their own.
const LEAST_WAIT_MS = 1;
// Hosts that are forgotten when they have not been asked for so long.
const IDLE_MS = 3_600_000;

export type HostPaces = ReturnType<typeof createHostPaces>;

type Waiter = { atMs: number; perSecond: number; go(): void };
type Host = {
  nextMs: number;
  factor: number;
  pauses: number;
  line: Waiter[];
  cancelTimer: (() => void) | null;
};

/**
 * Keeps every host to its speed, whichever crawls ask it. Who waits is let through in the order of coming; a crawl that
 * waits for one host keeps nobody from another. A turn is taken only when it is there: who leaves the line leaves no gap
 * behind, and a host that says it is busy is asked by nobody of those in line.
 */
export function createHostPaces(clock: Clock, timer: Timer) {
  const hosts = new Map<string, Host>();

  function hostOf(name: string): Host {
    let host = hosts.get(name);
    if (!host) {
      const now = clock.nowMs();
      for (const [other, { nextMs, line }] of hosts) {
        if (line.length === 0 && now - nextMs > IDLE_MS) hosts.delete(other);
      }
      host = { nextMs: 0, factor: 1, pauses: 0, line: [], cancelTimer: null };
      hosts.set(name, host);
    }
    return host;
  }

  /** Lets through whose turn it is, and looks again at the next turn. */
  function advance(host: Host): void {
    host.cancelTimer?.();
    host.cancelTimer = null;
    for (let first = host.line[0]; first; first = host.line[0]) {
      const now = clock.nowMs();
      const turn = Math.max(first.atMs, host.nextMs);
      if (turn - now >= LEAST_WAIT_MS) {
        host.cancelTimer = timer.after(turn - now, () => advance(host));
        return;
      }
      host.line.shift();
      const gap = 1000 / (first.perSecond * host.factor);
      // Timers are late by a little, which at a hundred a second would be a tenth: that is caught up, and no more than that.
      host.nextMs = Math.max(turn + gap, now + gap / 2);
      first.go();
    }
  }

  return {
    /** Waits for the turn at a host that may be asked `perSecond` times. False where `signal` ended the wait. */
    wait(name: string, perSecond: number, signal: AbortSignal): Promise<boolean> {
      if (signal.aborted) return Promise.resolve(false);
      const host = hostOf(name);
      return new Promise((resolve) => {
        const leave = () => {
          host.line = host.line.filter((one) => one !== waiter);
          advance(host);
          resolve(false);
        };
        const waiter: Waiter = {
          atMs: clock.nowMs(),
          perSecond,
          go() {
            signal.removeEventListener('abort', leave);
            resolve(true);
          },
        };
        signal.addEventListener('abort', leave, { once: true });
        host.line.push(waiter);
        if (host.cancelTimer === null) advance(host);
      });
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
