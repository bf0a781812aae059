/** What a browser says about the device. Every value may be missing, rounded or made up. */
export type Device = {
  hardwareConcurrency?: number | undefined;
  /** Gigabytes, rounded to a power of two (Device Memory specification). */
  deviceMemory?: number | undefined;
  connection?: { saveData?: boolean | undefined } | undefined;
};

/** Our choice: beyond this the start of a worker costs more than it finds at the usual difficulties. */
const MOST = 16;
/** Our choice where the browser does not say: nearly every device in use has two cores. */
const UNKNOWN = 2;

/**
 * How many workers solve: a whole number, at least 1.
 *
 * One per hardware thread, half of them where the visitor saves data (and so probably battery), and no more than
 * one per gigabyte on a device of 2 GB or less.
 */
export function workerCount(device: Device): number {
  const threads = atLeastOne(device.hardwareConcurrency) ?? UNKNOWN;
  const willing = device.connection?.saveData === true ? threads / 2 : threads;
  const memoryGb = device.deviceMemory;
  const fitting = typeof memoryGb === 'number' && memoryGb <= 2 ? memoryGb : MOST;
  return Math.max(1, Math.floor(Math.min(willing, fitting, MOST)));
}

function atLeastOne(value: unknown): number | null {
  return typeof value === 'number' && value >= 1 ? value : null;
}
