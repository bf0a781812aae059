import { decodeBase64url, encodeBase64url } from '../../base/base64url.ts';
import type { Digest } from '../../base/ports.ts';

/** Our choice: a screen that nobody touches for half an hour is closed, and every one after half a day. */
export const IDLE_SECS = 1_800;
export const LONGEST_SECS = 43_200;

/** Someone who showed the admin key. */
export type Session = {
  /** 16 random bytes, hexadecimal. */
  id: string;
  /** Unix seconds. */
  startedAtSecs: number;
  expiresAtSecs: number;
};

export const ID_BYTES = 16;
const BODY_BYTES = ID_BYTES + 8;
const TAG_BYTES = 32;
const TEXT_CHARS = Math.ceil(((BODY_BYTES + TAG_BYTES) * 4) / 3);

export type SessionSeal = {
  seal(session: Session): string;
  /** The session of a text, or null where it was not sealed under this admin key or is over. */
  open(text: string, nowSecs: number): Session | null;
};

/**
 * Writes sessions as texts that only who knows the admin key can make: 16 bytes id, u32 start, u32 end (big-endian), then
 * HMAC-SHA-256 under a key derived from the admin key (HKDF). So every process and server with that key reads them, a
 * restart keeps them, and another key ends them all.
 */
export function createSessionSeal(adminKey: Uint8Array, digest: Digest): SessionSeal {
  const key = digest.hkdfSha256(adminKey, 'gatehouse console session v1', 32);
  const tagOf = digest.hmacSha256(key);
  return {
    seal({ id, startedAtSecs, expiresAtSecs }) {
      const bytes = new Uint8Array(BODY_BYTES + TAG_BYTES);
      const view = new DataView(bytes.buffer);
      for (let i = 0; i < ID_BYTES; i++) bytes[i] = Number.parseInt(id.slice(2 * i, 2 * i + 2), 16);
      view.setUint32(ID_BYTES, startedAtSecs);
      view.setUint32(ID_BYTES + 4, expiresAtSecs);
      bytes.set(tagOf(bytes.subarray(0, BODY_BYTES)), BODY_BYTES);
      return encodeBase64url(bytes);
    },
    open(text, nowSecs) {
      const bytes = text.length === TEXT_CHARS ? decodeBase64url(text) : null;
      if (!bytes) return null;
      if (!digest.equal(tagOf(bytes.subarray(0, BODY_BYTES)), bytes.subarray(BODY_BYTES))) return null;
      const view = new DataView(bytes.buffer);
      const startedAtSecs = view.getUint32(ID_BYTES);
      const expiresAtSecs = view.getUint32(ID_BYTES + 4);
      // A clock that was set back by hours would otherwise let a session live longer than any may.
      if (nowSecs >= expiresAtSecs || nowSecs >= startedAtSecs + LONGEST_SECS) return null;
      return { id: hex(bytes.subarray(0, ID_BYTES)), startedAtSecs, expiresAtSecs };
    },
  };
}

/** When a session that is used now ends: after its idle time, and never after its longest. */
export const endOf = (startedAtSecs: number, nowSecs: number): number =>
  Math.min(nowSecs + IDLE_SECS, startedAtSecs + LONGEST_SECS);

/** Whether a use is worth a new cookie: one each request would be noise, and a minute less of half an hour is not missed. */
export const isWorthRenewing = (session: Session, nowSecs: number): boolean =>
  endOf(session.startedAtSecs, nowSecs) - session.expiresAtSecs >= 60;

export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Sessions that were signed out of before their end. What is sealed cannot be taken back, so the id is kept until then.
 * Every implementation passes `test/contract/ended-sessions.ts`.
 */
export type EndedSessions = {
  end(id: string, untilSecs: number): Promise<void>;
  has(id: string): boolean;
  /** Forgets those whose time is over anyway, and says how many. */
  purge(nowSecs: number): Promise<number>;
};
