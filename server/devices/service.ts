import type { Clock, Random } from '../base/ports.ts';
import type { DeviceResult, DeviceSummary } from '../wire/devices.ts';
import type { DeviceRows } from './core/ports.ts';
import { summarise } from './core/summary.ts';

const DAY_MS = 86_400_000;
/** Our choice: browsers change within a year, and what they measured then says little of now. */
const KEPT_DAYS = 365;
/** Our choice: other processes' rows show after so long; the sum over all rows is not made for each caller. */
const SUMMARY_MS = 10_000;
const ID_BYTES = 8;
// Days are kept as u32.
const LAST_DAY = 2 ** 32 - 1;

export type DevicesDeps = { rows: DeviceRows; clock: Clock; random: Random };
export type Devices = ReturnType<typeof createDevices>;

/** Devices that their visitors chose to submit. */
export function createDevices({ rows, clock, random }: DevicesDeps) {
  let kept: { summary: DeviceSummary; atMs: number } | null = null;
  const today = () => Math.floor(clock.nowMs() / DAY_MS);

  return {
    /** Keeps what a device measured, with the day and nothing else. */
    async submit(result: DeviceResult): Promise<{ kept_until: string }> {
      const day = today();
      await rows.add({ day, id: random.bytes(ID_BYTES), result });
      kept = null;
      return { kept_until: new Date((day + KEPT_DAYS) * DAY_MS).toISOString().slice(0, 10) };
    },
    summary(): DeviceSummary {
      const nowMs = clock.nowMs();
      if (!kept || Math.abs(nowMs - kept.atMs) >= SUMMARY_MS)
        kept = { summary: summarise(rows.all()), atMs: nowMs };
      return kept.summary;
    },
    /** Forgets what is older than it may be, and says how many. */
    purge: (): Promise<number> => rows.purge(today() - KEPT_DAYS + 1),
    /** Forgets all, and says how many. */
    async clear(): Promise<number> {
      const count = await rows.purge(LAST_DAY);
      kept = null;
      return count;
    },
  };
}
