/** What an operator says of the load that a process is to take. `maxExtraBits` 0: the price never rises. */
export type LoadTerms = {
  /** Verified solves a second at which the price begins to rise. */
  solvesPerSec: number;
  /** Paid requests in work at once, on average, at which it begins to rise. */
  inFlight: number;
  maxExtraBits: number;
  /** How long a pressure of 1 takes to raise the price by a bit. */
  riseSecs: number;
  /** How long none takes to lower it by one. */
  fallSecs: number;
};

/** What was measured since the sample before: solves (each counted by what it paid), and the mean of requests in work. */
export type LoadSample = { solves: number; inFlight: number };

/** Where the controller stands. */
export type LoadState = {
  atMs: number;
  /** Smoothed; 1 is what the operator said. */
  pressure: number;
  /** 0 to `maxExtraBits`, of which the bits follow with a whole bit of play. */
  heat: number;
  extraBits: number;
};

// Our choice, all of them.
/** No policy of less is raised above this: sixteen million tries, some seconds of a phone. */
const MOST_RAISED_BITS = 24;
/** One burst of a second should not move the price; an attack should within some ten. */
const SMOOTHING_SECS = 10;
/** A sample that stands for longer is of a process that slept, or of a clock that was set: it counts as this long. */
const LONGEST_SAMPLE_SECS = 5;
/** Below this the price falls. A bit less doubles the solves of a given machine, and twice this is still below 1. */
const CALM = 0.4;
/** Between calm and 1 it falls so much more slowly: it tries whether less would do, and is never stuck. */
const PROBING = 5;
/** Eight times the pressure (three doublings) rises four times as fast, more does not. */
const MOST_DOUBLINGS = 3;

export const IDLE: LoadState = { atMs: 0, pressure: 0, heat: 0, extraBits: 0 };

/**
 * The state after a sample.
 *
 * Pressure is the greater of both measures against their limits, smoothed exponentially. Heat climbs while it is 1 or more
 * and falls below; the bits are the play of heat: they follow it up to each whole number, and down only once it has lost a
 * whole one. So a change back takes at least the time of a whole bit, and there is nothing to flap. More pressure at any
 * time never gives fewer bits at any later one.
 */
export function stepLoad(state: LoadState, sample: LoadSample, terms: LoadTerms, nowMs: number): LoadState {
  const passedSecs = (nowMs - state.atMs) / 1000;
  // The clock was set back: what came meanwhile is of no known time.
  if (passedSecs <= 0) return { ...state, atMs: nowMs };
  const secs = Math.min(passedSecs, LONGEST_SAMPLE_SECS);
  const measured = Math.max(
    sample.solves / passedSecs / terms.solvesPerSec,
    sample.inFlight / terms.inFlight,
  );
  const pressure = state.pressure + (measured - state.pressure) * (1 - Math.exp(-secs / SMOOTHING_SECS));
  const heat = within(state.heat + slope(pressure, terms) * secs, 0, terms.maxExtraBits);
  const extraBits = within(state.extraBits, Math.floor(heat), Math.ceil(heat));
  return { atMs: nowMs, pressure, heat, extraBits };
}

/** Bits a second. Never falls with the pressure. */
function slope(pressure: number, { riseSecs, fallSecs }: LoadTerms): number {
  if (pressure >= 1) return (1 + Math.min(MOST_DOUBLINGS, Math.log2(pressure))) / riseSecs;
  return pressure < CALM ? -1 / fallSecs : -1 / (fallSecs * PROBING);
}

/** The bits of a new challenge under load: never fewer than without, and not raised above 24. */
export const raiseBits = (bits: number, extraBits: number): number =>
  Math.max(bits, Math.min(MOST_RAISED_BITS, bits + extraBits));

/**
 * What a solve counts: all where it paid the price of now or more, else the part of the price that its work is. Who holds
 * challenges from before a rise would otherwise drive the price on with work that it no longer buys.
 */
export const paidShareOf = (paidBits: number, priceBits: number): number =>
  Math.min(1, 2 ** (paidBits - priceBits));

const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));
