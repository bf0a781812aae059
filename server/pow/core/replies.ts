import type { SiteverifyBody } from '../../wire/siteverify.ts';

/** How long the same call with the same idempotency key gets the same answer. */
export const REPLY_SECS = 600;

/** The port of answers that are kept for a repeated call. Every implementation passes `test/contract/replies.ts`. */
export type Replies = {
  /** The answer kept under `key` (32 bytes), or null where there is none or it is over. */
  get(key: Uint8Array, nowSecs: number): Promise<SiteverifyBody | null>;
  /** Keeps an answer until `untilSecs`; the first one kept stays. */
  keep(key: Uint8Array, reply: SiteverifyBody, untilSecs: number): Promise<void>;
  /** Forgets what is over, and says how many. */
  purge(nowSecs: number): Promise<number>;
};
