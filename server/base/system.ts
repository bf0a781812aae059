import { hash, hkdfSync, randomFillSync, timingSafeEqual } from 'node:crypto';
import type { Clock, Digest, Random, Timer } from './ports.ts';

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

/** The hash functions of node:crypto (OpenSSL). */
export const nodeDigest: Digest = {
  sha256: (data) => hash('sha256', data, 'buffer'),
  hmacSha256: prepareHmac,
  hkdfSha256: (secret, info, lengthBytes) =>
    new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), info, lengthBytes)),
  equal: (a, b) => a.length === b.length && timingSafeEqual(a, b),
};

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;

/**
 * HMAC-SHA-256 (RFC 2104 §2) by two one-shot hashes over kept buffers that begin with the padded key: half the time of
 * `createHmac` with a prepared key object, whose context is made anew for every message.
 */
function prepareHmac(key: Uint8Array): (data: Uint8Array) => Uint8Array {
  const padded = new Uint8Array(BLOCK_BYTES);
  padded.set(key.length > BLOCK_BYTES ? hash('sha256', key, 'buffer') : key);
  let inner = padded.map((byte) => byte ^ 0x36);
  const outer = new Uint8Array(BLOCK_BYTES + DIGEST_BYTES);
  outer.set(padded.map((byte) => byte ^ 0x5c));
  return (data) => {
    const length = BLOCK_BYTES + data.length;
    if (inner.length < length) {
      const longer = new Uint8Array(length);
      longer.set(inner.subarray(0, BLOCK_BYTES));
      inner = longer;
    }
    inner.set(data, BLOCK_BYTES);
    const message = inner.length === length ? inner : inner.subarray(0, length);
    outer.set(hash('sha256', message, 'buffer'), BLOCK_BYTES);
    return hash('sha256', outer, 'buffer');
  };
}
