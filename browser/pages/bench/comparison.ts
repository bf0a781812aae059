import type { Distribution } from '../../../server/wire/devices.ts';

/** Percent of the percentiles that the server tells: 5, 10, … 95. */
export const PERCENTS = Array.from({ length: 19 }, (_, i) => 5 * (i + 1));

/**
 * How many percent of the devices are slower, a whole number 5..95: interpolated between the percentiles.
 * Below the first and above the last nothing is known but that.
 */
export function percentSlower({ percentiles }: NonNullable<Distribution>, ratePerSec: number): number {
  const first = percentiles[0] as number;
  if (ratePerSec <= first) return 5;
  for (let i = 1; i < percentiles.length; i++) {
    const low = percentiles[i - 1] as number;
    const high = percentiles[i] as number;
    if (ratePerSec > high) continue;
    const within = high === low ? 1 : (ratePerSec - low) / (high - low);
    return Math.round((PERCENTS[i - 1] as number) + 5 * within);
  }
  return 95;
}
