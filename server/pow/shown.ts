import { networkOf } from '../base/network.ts';
import { cookieValues } from '../http/cookies.ts';
import type { Context } from '../http/request-state.ts';
import { PASSPORT_COOKIE } from '../wire/pow.ts';
import type { Visit } from './core/policy.ts';
import type { Shown } from './service.ts';

// A browser sends one; several come from a parent domain or an attacker's sibling. Bounds the work of one request.
const MAX_COOKIES = 8;

/** What a request shows at the gate. */
export function readShown({ headers, state }: Context): Shown {
  const { cookie, authorization, pow } = headers;
  return {
    passports: cookie === undefined ? [] : cookieValues(cookie, PASSPORT_COOKIE, MAX_COOKIES),
    proof: authorization === undefined && pow === undefined ? null : shownProof(authorization, pow),
    network: networkOf(state.client),
  };
}

/**
 * The id of the API key in this text; null where the text is empty or no key of ours at all.
 * @throws Fault `unknown-key` where it has the shape of one
 */
export type KeyIdOf = (text: string) => Promise<string | null>;

/** The id of the key that a request shows; null, and nothing to wait for, where it shows none. @throws as `KeyIdOf` */
export function shownKeyId({ headers }: Context, keyIdOf: KeyIdOf): Promise<string | null> | null {
  const text = headers['x-api-key'];
  return text === undefined ? null : keyIdOf(String(text));
}

/** What policy and verdict look at. */
export const visitOf = (ctx: Context, keyId: string | null): Visit => ({
  method: ctx.method,
  path: ctx.path,
  address: ctx.state.client,
  userAgent: ctx.headers['user-agent'] ?? '',
  keyId,
  headers: ctx.headers,
});

/** What an answer of the gate depends on. */
const PERSONAL = ['Cookie', 'Authorization', 'PoW', 'Accept'];
const PERSONAL_TEXT = PERSONAL.join(', ');

/** An answer of the gate is for this one visitor: whatever of the request it depends on is named. */
export function markAsPersonal(ctx: Context): void {
  // Koa's `vary` reads and joins lists, which takes longer than to open the passport.
  if (ctx.res.hasHeader('Vary')) ctx.vary(PERSONAL);
  else ctx.res.setHeader('Vary', PERSONAL_TEXT);
  ctx.res.setHeader('Cache-Control', 'no-store');
}

/** The proof of `Authorization: PoW …`, or of a `PoW` header where Authorization holds something else. */
function shownProof(authorization = '', pow: string | string[] = ''): string | null {
  const shown = /^PoW +(\S+) *$/i.exec(authorization);
  if (shown) return shown[1];
  return (
    String(pow)
      .replace(/^PoW +/i, '')
      .trim() || null
  );
}
