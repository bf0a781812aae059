import { createHmac, createSecretKey, hash, hkdfSync, randomFillSync, timingSafeEqual } from 'node:crypto';
import type { Clock, Digest, Random, Timer } from './ports.ts';

/** The wall clock of this machine. */
export const systemClock: Clock = { nowMs: () => Date.now() };

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

/** The hash functions of node:crypto (OpenSSL). */
export const nodeDigest: Digest = {
  sha256: (data) => hash('sha256', data, 'buffer'),
  // A key object is prepared once: with raw bytes createHmac spends five times as long on the key as on the data.
  hmacSha256(key) {
    const prepared = createSecretKey(key);
    return (data) => createHmac('sha256', prepared).update(data).digest();
  },
  hkdfSha256: (secret, info, lengthBytes) =>
    new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), info, lengthBytes)),
  equal: (a, b) => a.length === b.length && timingSafeEqual(a, b),
};
