import { type DeviceResult, type DeviceSummary, type Distribution, SYSTEMS } from '../../wire/devices.ts';

/** Our choice: figures of fewer devices would tell what a single one of them sent. */
export const LEAST_DEVICES = 5;

// 5 %, 10 %, … 95 %. The ends are left out: they would be the figures of one device each.
const SHARES = Array.from({ length: 19 }, (_, i) => (i + 1) / 20);

/** What is told of the submitted devices: counts and percentiles, from `LEAST_DEVICES` on. */
export function summarise(results: readonly DeviceResult[]): DeviceSummary {
  const kernel = (name: keyof DeviceResult['kernels']) =>
    distribute(results.map(({ kernels }) => kernels[name]).filter((rate) => rate !== null));
  return {
    devices: results.length,
    least_devices: LEAST_DEVICES,
    whole: distribute(results.map(bestRate)),
    kernels: { simd: kernel('simd'), scalar: kernel('scalar'), javascript: kernel('javascript') },
    systems: SYSTEMS.flatMap((system) => {
      const rates = results.filter((result) => result.system === system).map(bestRate);
      if (rates.length < LEAST_DEVICES) return [];
      return [{ system, devices: rates.length, median: percentile(ascending(rates), 0.5) }];
    }),
  };
}

/** What the device makes at its best number of workers, in hashes per second. */
const bestRate = ({ workers }: DeviceResult): number => Math.max(...workers.map(({ rate }) => rate));

function distribute(rates: readonly number[]): Distribution {
  if (rates.length < LEAST_DEVICES) return null;
  const sorted = ascending(rates);
  return { devices: rates.length, percentiles: SHARES.map((share) => percentile(sorted, share)) };
}

/**
 * The value below which `share` (0..1) of the sorted values lie, interpolated between neighbours (type 7 of Hyndman and
 * Fan, "Sample Quantiles in Statistical Packages", 1996), to three digits.
 */
export function percentile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1);
  const low = Math.floor(at);
  const high = Math.min(low + 1, sorted.length - 1);
  return Number((sorted[low] + (at - low) * (sorted[high] - sorted[low])).toPrecision(3));
}

const ascending = (values: readonly number[]) => [...values].sort((a, b) => a - b);
