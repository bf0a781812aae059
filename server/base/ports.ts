/** What the world gives to pure code: time, chance, hashes and a log. Tests hand in their own. */

/** Wall-clock time. */
export type Clock = {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
};

/** Something later. Tests let the time pass by hand. */
export type Timer = {
  /** Calls `run` once after `ms`, unless what it gives was called before. Never keeps the process alive. */
  after(ms: number, run: () => void): () => void;
};

/** Unpredictable bytes. */
export type Random = {
  /** A fresh array of `length` bytes that nobody can guess. */
  bytes(length: number): Uint8Array;
};

/** The 32-byte tag over the first `length` bytes of `data`, or over all of them. */
export type Mac = (data: Uint8Array, length?: number) => Uint8Array;

/** The two hash functions that the gate is made of. */
export type Digest = {
  /** SHA-256 (FIPS 180-4): 32 bytes. */
  sha256(data: Uint8Array): Uint8Array;
  /** HMAC-SHA-256 (RFC 2104) under a key that is prepared once. */
  hmacSha256(key: Uint8Array): Mac;
  /** HKDF-SHA-256 (RFC 5869) with an empty salt. */
  hkdfSha256(secret: Uint8Array, info: string, lengthBytes: number): Uint8Array;
  /** Equality in a time that depends on the lengths alone. */
  equal(a: Uint8Array, b: Uint8Array): boolean;
};

/** Where the operator reads. `fields` never hold secrets; the writer redacts by name what slips through. */
export type Log = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** Whole seconds since the Unix epoch: the unit of every time that is sealed. */
export const nowSecs = (clock: Clock): number => Math.floor(clock.nowMs() / 1000);
