import type { Clock, Timer } from '../base/ports.ts';
import type { GateEvent } from './core/events.ts';
import { IDLE, type LoadState, stepLoad } from './core/load.ts';
import type { Policy } from './core/policy.ts';

// Our choice: short beside the smoothing, and a second's worth of arithmetic is nothing.
const SAMPLE_EVERY_MS = 1_000;

/** How busy this process is with what was paid for, and what that adds to the price. */
export type LoadMeter = {
  /** 0 to 4. */
  extraBits(): number;
  /** Where the controller stands, for who shows it. */
  state(): Readonly<LoadState>;
  /** Counts the solves among the gate's events, and nothing else. */
  tell(event: GateEvent): void;
  /** A paid request begins; what it gives ends it, once. */
  enter(): () => void;
  /** Takes a sample from time to time, until the function that it gives is called. */
  watch(): () => void;
};

/**
 * Measures this process: of several each has its own share, and its own limits.
 *
 * In work is measured as it is bought (Little's law: arrivals times their stay), so a stream of a minute weighs what sixty
 * requests of a second do. The processor is not looked at: junk burns it as well, and must not raise anyone's price.
 */
export function createLoadMeter({
  policy,
  clock,
  timer,
}: {
  policy(): Pick<Policy, 'load'>;
  clock: Clock;
  timer: Timer;
}): LoadMeter {
  let state: LoadState = { ...IDLE, atMs: clock.nowMs() };
  let solves = 0;
  let inFlight = 0;
  let mostInFlight = 0;
  let inFlightMs = 0;
  let countedMs = clock.nowMs();

  function countTime(): void {
    const nowMs = clock.nowMs();
    inFlightMs += inFlight * Math.max(0, nowMs - countedMs);
    countedMs = nowMs;
  }

  function sample(): void {
    countTime();
    const passedMs = countedMs - state.atMs;
    // A clock that is set in between would else make more of them than ever were there.
    const mean = passedMs > 0 ? Math.min(mostInFlight, inFlightMs / passedMs) : 0;
    state = stepLoad(state, { solves, inFlight: mean }, policy().load, countedMs);
    solves = 0;
    inFlightMs = 0;
    mostInFlight = inFlight;
  }

  return {
    extraBits: () => state.extraBits,
    state: () => state,
    tell(event) {
      if (event.kind === 'solved') solves += event.paidShare;
    },
    enter() {
      countTime();
      inFlight++;
      mostInFlight = Math.max(mostInFlight, inFlight);
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        countTime();
        inFlight--;
      };
    },
    watch() {
      let cancel = () => {};
      const wait = () => {
        cancel = timer.after(SAMPLE_EVERY_MS, () => {
          sample();
          wait();
        });
      };
      wait();
      return () => cancel();
    },
  };
}
