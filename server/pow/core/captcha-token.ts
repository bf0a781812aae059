import type { ProviderName } from '../../wire/captcha.ts';

// Our choice: longer than any provider takes its own tokens (Turnstile: 300 s), and than one exchange lasts.
const WINDOW_SECS = 3_600;

/** What a CAPTCHA token is spent under, and the 32 bytes that stand for it. */
export type TokenMark = {
  digest: Uint8Array;
  /** To be spent in this order; whoever finds one of them spent comes second. */
  spends: readonly { nonce: Uint8Array; expiresAtSecs: number }[];
};

/**
 * The mark of a token in the store of spent challenges.
 *
 * A store may keep the expiry in the key, as LMDB's does, and a token has no expiry that we know: by the time of its
 * arrival two submissions in two seconds would miss each other. So time is cut into hours, and each submission spends
 * the hour before its own as well: two submissions in one hour or in neighbouring ones always share a key.
 * @param hash SHA-256 of UTF-8
 */
export function tokenMark(
  name: ProviderName,
  token: string,
  nowSecs: number,
  hash: (text: string) => Uint8Array,
): TokenMark {
  const hour = Math.floor(nowSecs / WINDOW_SECS);
  const marked = `captcha ${name} ${token.length}:${token}`;
  return {
    digest: hash(marked),
    spends: [hour - 1, hour].map((at) => ({
      nonce: hash(`${marked} ${at}`),
      expiresAtSecs: (at + 2) * WINDOW_SECS,
    })),
  };
}
