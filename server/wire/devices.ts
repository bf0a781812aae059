import * as z from 'zod';

// What a device may claim. Bounds of physics, our choice: the fastest code known, with the SHA instructions of a chip and
// four streams, makes 75 million hashes a second and thread at 3.7 GHz; Wasm cannot use those instructions.
const LEAST_PER_SEC = 100;
const MOST_PER_SEC = 100_000_000;
/** As many workers as a solver ever starts. */
const MOST_WORKERS = 16;
// Workers make no more than the sum of them, but the one alone may have been measured while the device was busy.
const MOST_GAIN = 4;

// Three digits say all that a measurement of seconds knows; more would only make a device recognisable.
const toThreeDigits = (value: number) => Number(value.toPrecision(3));

const rateUpTo = (most: number) => z.number().min(LEAST_PER_SEC).max(most).transform(toThreeDigits);

const kernelRate = rateUpTo(MOST_PER_SEC)
  .nullable()
  .meta({ description: 'hashes per second of one worker; null where the kernel does not run' });

export const BROWSERS = ['chromium', 'edge', 'firefox', 'safari', 'opera', 'samsung', 'other'] as const;
export const SYSTEMS = ['windows', 'macos', 'linux', 'chromeos', 'android', 'ios', 'other'] as const;

/** What one device measured of itself: the body of `POST /bench/results`, and all that is kept of it, beside the day. */
export const DeviceResult = z
  .object({
    browser: z.object({
      family: z.enum(BROWSERS),
      major: z.int().min(1).max(999).nullable(),
    }),
    system: z.enum(SYSTEMS),
    cores: z.int().min(1).max(1024).nullable().meta({ description: 'hardware threads, as the browser says' }),
    memory_gb: z
      .literal([0.25, 0.5, 1, 2, 4, 8, 16, 32])
      .nullable()
      .meta({ description: 'the class that the browser says, rounded (Device Memory specification)' }),
    kernels: z.object({ simd: kernelRate, scalar: kernelRate, javascript: kernelRate }),
    workers: z
      .array(
        z.object({ workers: z.int().min(1).max(MOST_WORKERS), rate: rateUpTo(MOST_PER_SEC * MOST_WORKERS) }),
      )
      .min(1)
      .max(MOST_WORKERS)
      .meta({ description: 'hashes per second of so many workers together, with the fastest kernel' }),
  })
  .superRefine(({ cores, kernels, workers }, ctx) => {
    const refuse = (path: (string | number)[], message: string) =>
      ctx.addIssue({ code: 'custom', path, message });
    const best = Math.max(0, ...Object.values(kernels).map((rate) => rate ?? 0));
    if (best === 0) refuse(['kernels'], 'expected at least one that runs');
    // An empty list is refused above, and comes here all the same.
    if (workers[0]?.workers !== 1) refuse(['workers', 0], 'expected one worker first');
    for (const [i, step] of workers.entries()) {
      if (i > 0 && step.workers <= workers[i - 1].workers) {
        refuse(['workers', i], 'expected more workers than in the entry before');
      }
      if (cores !== null && step.workers > cores)
        refuse(['workers', i], `expected at most ${cores}, the number of cores`);
      if (step.rate > MOST_GAIN * step.workers * best) {
        refuse(
          ['workers', i],
          `expected at most ${MOST_GAIN} times what ${step.workers} such workers make alone`,
        );
      }
    }
  })
  .meta({ id: 'DeviceResult' });
export type DeviceResult = z.output<typeof DeviceResult>;

/** Hashes per second that 5 %, 10 %, … 95 % of the devices do not exceed. */
const Distribution = z
  .object({
    devices: z.int(),
    percentiles: z.array(z.number()).length(19).meta({ description: 'of 5 %, 10 %, … 95 %' }),
  })
  .nullable()
  .meta({ description: 'null where too few devices are known to hide one among them' });
export type Distribution = z.infer<typeof Distribution>;

/** The answer of `GET /bench/results`: figures of many devices, never of one. */
export const DeviceSummary = z
  .object({
    devices: z.int(),
    least_devices: z.int().meta({ description: 'figures are given from so many on' }),
    whole: Distribution.meta({ description: 'a whole device, at its best number of workers' }),
    kernels: z.object({ simd: Distribution, scalar: Distribution, javascript: Distribution }),
    systems: z.array(
      z.object({
        system: z.enum(SYSTEMS),
        devices: z.int(),
        median: z.number().meta({ description: 'hashes per second of a whole device' }),
      }),
    ),
  })
  .meta({ id: 'DeviceSummary' });
export type DeviceSummary = z.infer<typeof DeviceSummary>;

/** The answer of `POST /bench/results`. */
export const DeviceReceipt = z.object({
  kept_until: z.string().meta({ description: 'the day (UTC) on which it is deleted at the latest' }),
});
