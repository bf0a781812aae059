import type { DeviceResult } from '../server/wire/devices.ts';

/** A plausible device; its whole speed is `rate`, and two of its workers make it. */
export function deviceResult(rate = 10_000_000, changes: Partial<DeviceResult> = {}): DeviceResult {
  return {
    browser: { family: 'firefox', major: 145 },
    system: 'android',
    cores: 8,
    memory_gb: 4,
    kernels: { simd: rate / 2, scalar: rate / 5, javascript: rate / 20 },
    workers: [
      { workers: 1, rate: rate / 2 },
      { workers: 2, rate },
    ],
    ...changes,
  };
}
