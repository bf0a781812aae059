import { createHmac, createSecretKey, hash, hkdfSync, randomFillSync, timingSafeEqual } from 'node:crypto';
import type { Clock, Digest, Random, Timer } from './ports.ts';
import { prepareHmacSha256, sha256 } from './sha256.ts';

/** The wall clock of this machine. */
export const systemClock: Clock = { nowMs: () => Date.now() };

/** Seconds since some moment, to measure spans by: no clock that is set moves them. */
export const monotonicSecs = (): number => performance.now() / 1000;

/** The event loop's timers. */
export const systemTimer: Timer = {
  after(ms, run) {
    const timeout = setTimeout(run, ms).unref();
    return () => clearTimeout(timeout);
  },
};

// randomBytes(32) costs as much as a whole seal, most of it the call; a pool makes it a copy.
const POOL_BYTES = 4096;
const pool = new Uint8Array(POOL_BYTES);
let poolAt = POOL_BYTES;

/** The kernel's random bytes, drawn in pools. A byte is handed out once and wiped from the pool. */
export const systemRandom: Random = {
  bytes(length) {
    if (length > POOL_BYTES) return randomFillSync(new Uint8Array(length));
    if (poolAt + length > POOL_BYTES) {
      randomFillSync(pool);
      poolAt = 0;
    }
    const bytes = pool.slice(poolAt, poolAt + length);
    pool.fill(0, poolAt, poolAt + length);
    poolAt += length;
    return bytes;
  },
};

// Two blocks with the padding. Up to here our own is faster than the call of OpenSSL, at one block twice as fast.
const SHORT_BYTES = 119;

/** The hash functions on Node: for short messages our own, for longer ones those of node:crypto (OpenSSL). */
export const nodeDigest: Digest = {
  sha256: (data) => (data.length <= SHORT_BYTES ? sha256(data) : hash('sha256', data, 'buffer')),
  hmacSha256(key) {
    const short = prepareHmacSha256(key);
    const prepared = createSecretKey(key);
    return (data, length = data.length) =>
      length <= SHORT_BYTES
        ? short(data, length)
        : createHmac('sha256', prepared).update(data.subarray(0, length)).digest();
  },
  hkdfSha256: (secret, info, lengthBytes) =>
    new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), info, lengthBytes)),
  equal: (a, b) => a.length === b.length && timingSafeEqual(a, b),
};
