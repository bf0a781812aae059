import { networkOf } from '../base/network.ts';
import { cookieValues } from '../http/cookies.ts';
import type { Context } from '../http/request-state.ts';
import { PASSPORT_COOKIE } from '../wire/pow.ts';
import type { Visit } from './core/policy.ts';
import type { Shown } from './service.ts';

// A browser sends one; several come from a parent domain or an attacker's sibling. Bounds the work of one request.
const MAX_COOKIES = 8;

/** What a request shows at the gate. */
export function readShown(ctx: Context): Shown {
  return {
    passports: cookieValues(ctx.get('Cookie'), PASSPORT_COOKIE, MAX_COOKIES),
    proof: shownProof(ctx),
    network: networkOf(ctx.state.client),
  };
}

/**
 * The id of the API key in this text; null where the text is empty or no key of ours at all.
 * @throws Fault `unknown-key` where it has the shape of one
 */
export type KeyIdOf = (text: string) => Promise<string | null>;

/** What policy and verdict look at. */
export const visitOf = async (ctx: Context, keyIdOf: KeyIdOf): Promise<Visit> => ({
  method: ctx.method,
  path: ctx.path,
  address: ctx.state.client,
  userAgent: ctx.get('User-Agent'),
  keyId: await keyIdOf(ctx.get('X-API-Key')),
  headers: ctx.headers,
});

/** An answer of the gate is for this one visitor: whatever of the request it depends on is named. */
export function markAsPersonal(ctx: Context): void {
  ctx.vary(['Cookie', 'Authorization', 'PoW', 'Accept']);
  ctx.set('Cache-Control', 'no-store');
}

/** The proof of `Authorization: PoW …`, or of a `PoW` header where Authorization holds something else. */
function shownProof(ctx: Context): string | null {
  const authorization = /^PoW +(\S+) *$/i.exec(ctx.get('Authorization'));
  if (authorization) return authorization[1];
  return (
    ctx
      .get('PoW')
      .replace(/^PoW +/i, '')
      .trim() || null
  );
}
