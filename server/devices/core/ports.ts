import type { DeviceResult } from '../../wire/devices.ts';

/** One submission. */
export type DeviceRow = {
  /** Whole days since the Unix epoch (UTC): nothing finer is kept. */
  day: number;
  /** 8 random bytes, so that rows of a day have no order that a log of requests could be laid beside. */
  id: Uint8Array;
  result: DeviceResult;
};

/** The port of submitted devices. Every implementation passes `test/contract/device-rows.ts`. */
export type DeviceRows = {
  /** Keeps a row; where there are more than fit then, one of the oldest day goes. */
  add(row: DeviceRow): Promise<void>;
  all(): DeviceResult[];
  /** Forgets what came before `day`, and says how many. */
  purge(day: number): Promise<number>;
};

/** Our choice: percentiles of more are no finer, and a walk over so many takes some ten milliseconds. */
export const MOST_ROWS = 10_000;
