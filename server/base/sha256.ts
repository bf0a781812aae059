/**
 * SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104) for short messages, where the way into OpenSSL costs more than the
 * work that it does there. `system.ts` says which messages are short.
 *
 * No branch and no look-up depends on a bit of a key, a message or a digest: what is done follows the lengths alone. It is
 * int32 additions, rotations and logic, which compiled code does in the same time for any operand. Before it is compiled,
 * for the first calls of a process, V8 makes a double of a sum above 32 bits: those calls differ by nanoseconds, which
 * follow all the bits of a round mixed together.
 */

import { INITIAL_STATE, ROUND_CONSTANTS } from '../../assembly/round-constants.ts';
import type { Mac } from './ports.ts';

const BLOCK_BYTES = 64;
const BLOCK_WORDS = 16;
const DIGEST_BYTES = 32;
const DIGEST_WORDS = 8;
// In the last block stand at least a one bit, as a byte, and the length, as two words (FIPS 180-4 §5.1.1).
const LENGTH_WORD = 14;

const K = Int32Array.from(ROUND_CONSTANTS);
const H0 = Int32Array.from(INITIAL_STATE);

// Made once for all calls, which none of them can see: each is over before the next one begins.
// The block, then the rest of the schedule, which the rounds write 16 words ahead: the last 16 are never read.
const W = new Int32Array(64 + BLOCK_WORDS);
const H = new Int32Array(DIGEST_WORDS);

/** The 32-byte digest of `data`. */
export function sha256(data: Uint8Array): Uint8Array {
  H.set(H0);
  absorb(data, data.length, 0);
  return digestBytes();
}

/**
 * The HMAC under one key.
 *
 * The padded key fills the first block of both hashes, so they are compressed once per key (RFC 2104 §4). These
 * midstates are as secret as the key; nobody but the function that is given can reach them.
 */
export function prepareHmacSha256(key: Uint8Array): Mac {
  const fitting = key.length > BLOCK_BYTES ? sha256(key) : key;
  const inner = compressPadded(fitting, 0x36);
  const outer = compressPadded(fitting, 0x5c);
  return function tagOf(data, length = data.length) {
    H.set(inner);
    absorb(data, length, BLOCK_BYTES);
    for (let i = 0; i < DIGEST_WORDS; i++) W[i] = H[i];
    W[DIGEST_WORDS] = 0x80 << 24;
    H.set(outer);
    compressLast(DIGEST_WORDS + 1, BLOCK_BYTES + DIGEST_BYTES);
    return digestBytes();
  };
}

/** Mixes a block of 64 bytes into a chaining value: 8 int32 words, the digest after the last block. */
export function compressBlock(chaining: Int32Array, block: Uint8Array): void {
  H.set(chaining);
  readWords(block, 0, BLOCK_WORDS);
  compress();
  chaining.set(H);
}

function compressPadded(key: Uint8Array, pad: number): Int32Array {
  const midstate = H0.slice();
  compressBlock(
    midstate,
    Uint8Array.from({ length: BLOCK_BYTES }, (_, i) => pad ^ (key[i] ?? 0)),
  );
  return midstate;
}

/** Mixes the first `length` bytes of `data` and the padding into H, into which `before` bytes went already. */
function absorb(data: Uint8Array, length: number, before: number): void {
  let at = 0;
  for (; length - at >= BLOCK_BYTES; at += BLOCK_BYTES) {
    readWords(data, at, BLOCK_WORDS);
    compress();
  }
  const words = (length - at) >> 2;
  readWords(data, at, words);
  let last = 0x80 << 24;
  for (let i = length - 1; i >= at + 4 * words; i--) last = (last >>> 8) | (data[i] << 24);
  W[words] = last;
  compressLast(words + 1, before + length);
}

/** Compresses the block whose first `filled` words are written, and one more where the length has no room in it. */
function compressLast(filled: number, lengthBytes: number): void {
  let from = filled;
  if (filled > LENGTH_WORD) {
    for (let i = filled; i < BLOCK_WORDS; i++) W[i] = 0;
    compress();
    from = 0;
  }
  for (let i = from; i < LENGTH_WORD; i++) W[i] = 0;
  // In bits: of 64 the upper 32, which hold three of the bytes' bits, and the lower.
  W[LENGTH_WORD] = lengthBytes / 2 ** 29;
  W[LENGTH_WORD + 1] = lengthBytes << 3;
  compress();
}

function readWords(bytes: Uint8Array, start: number, words: number): void {
  for (let i = 0, at = start; i < words; i++, at += 4) {
    W[i] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
  }
}

function digestBytes(): Uint8Array {
  const bytes = new Uint8Array(DIGEST_BYTES);
  for (let i = 0, at = 0; i < DIGEST_WORDS; i++, at += 4) {
    bytes[at] = H[i] >>> 24;
    bytes[at + 1] = H[i] >>> 16;
    bytes[at + 2] = H[i] >>> 8;
    bytes[at + 3] = H[i];
  }
  return bytes;
}

/**
 * Mixes the block in W[0..15] into H (FIPS 180-4 §6.2.2).
 *
 * The schedule is made in the loop of the rounds, since the processor has room for it while a round waits for the one
 * before: an eighth of an HMAC. The Σ and σ of §4.1.2 are written out and the working variables are no array, or it would
 * take three times as long. Unrolled it takes a quarter less, but four times as many calls until it is compiled.
 */
function compress(): void {
  let a = H[0];
  let b = H[1];
  let c = H[2];
  let d = H[3];
  let e = H[4];
  let f = H[5];
  let g = H[6];
  let h = H[7];
  for (let t = 0; t < 64; t++) {
    const x = W[t + 1];
    const y = W[t + 14];
    const sigma0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const sigma1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    W[t + 16] = sigma1 + W[t + 9] + sigma0 + W[t];
    const sum1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const sum0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t1 = (h + sum1 + (g ^ (e & (f ^ g))) + K[t] + W[t]) | 0;
    const t2 = (sum0 + ((a & b) ^ (c & (a ^ b)))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  H[0] += a;
  H[1] += b;
  H[2] += c;
  H[3] += d;
  H[4] += e;
  H[5] += f;
  H[6] += g;
  H[7] += h;
}
