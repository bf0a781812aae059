import type { DeviceResult } from '../../../server/wire/devices.ts';
import type { Measured } from './run.ts';
import { roundToThree } from './units.ts';

/** What a browser says of itself. Every value may be missing, rounded or made up. */
export type Navigator = {
  userAgent: string;
  platform?: string | undefined;
  maxTouchPoints?: number | undefined;
  hardwareConcurrency?: number | undefined;
  deviceMemory?: number | undefined;
  userAgentData?: { platform: string; brands: readonly { brand: string; version: string }[] } | undefined;
};

type Browser = DeviceResult['browser'];

// The first that matches: most name themselves after those whose place they take.
const FAMILIES: readonly [Browser['family'], RegExp][] = [
  ['edge', /\b(?:Edg|EdgA|EdgiOS)\/(\d+)/],
  ['opera', /\b(?:OPR|OPT)\/(\d+)/],
  ['samsung', /\bSamsungBrowser\/(\d+)/],
  ['firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['chromium', /\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\/(\d+)/],
  ['safari', /\bVersion\/(\d+)[.\d]* (?:Mobile\/\w+ )?Safari\//],
];

const SYSTEMS: readonly [DeviceResult['system'], RegExp][] = [
  ['android', /Android/],
  ['ios', /iPhone|iPad|iPod/],
  ['chromeos', /CrOS|Chrome ?OS/],
  ['windows', /Windows/],
  ['macos', /Mac ?OS|Macintosh/],
  ['linux', /Linux|X11/],
];

const MEMORY_CLASSES = [0.25, 0.5, 1, 2, 4, 8, 16, 32] as const;

/** The family of the browser and its major version; no more of the user agent is looked at or kept. */
export function browserOf({ userAgent }: Pick<Navigator, 'userAgent'>): Browser {
  for (const [family, pattern] of FAMILIES) {
    const found = pattern.exec(userAgent);
    const major = Number(found?.[1]);
    if (found) return { family, major: major >= 1 && major <= 999 ? major : null };
  }
  return { family: 'other', major: null };
}

/** The family of the operating system. */
export function systemOf({
  userAgent,
  userAgentData,
  maxTouchPoints = 0,
}: Navigator): DeviceResult['system'] {
  const said = userAgentData?.platform || userAgent;
  const [system] = SYSTEMS.find(([, pattern]) => pattern.test(said)) ?? ['other' as const];
  // An iPad calls itself a Mac; no Mac has a screen to touch.
  return system === 'macos' && maxTouchPoints > 1 ? 'ios' : system;
}

/** The body of a submission: all that the server is sent, and the page shows before. */
export function describeDevice(navigator: Navigator, { kernels, workers }: Measured): DeviceResult {
  const { hardwareConcurrency: cores, deviceMemory } = navigator;
  // More digits would only make the device recognisable.
  const rate = (value: number | null) => (value === null ? null : roundToThree(value));
  return {
    browser: browserOf(navigator),
    system: systemOf(navigator),
    cores: Number.isInteger(cores) ? (cores as number) : null,
    memory_gb: MEMORY_CLASSES.find((known) => known === deviceMemory) ?? null,
    kernels: {
      simd: rate(kernels.simd),
      scalar: rate(kernels.scalar),
      javascript: rate(kernels.javascript),
    },
    workers: workers.map((step) => ({ workers: step.workers, rate: roundToThree(step.rate) })),
  };
}
