import type { Context } from '../http/request-state.ts';
import { PASSPORT_COOKIE, type PassportBody } from '../wire/pow.ts';

/** Gives the passport to the browser: a cookie that no script reads and no other site sends along, but for links. */
export function setPassportCookie(ctx: Context, { passport, ttl_secs }: PassportBody): void {
  ctx.append(
    'Set-Cookie',
    `${PASSPORT_COOKIE}=${passport}; Max-Age=${ttl_secs}; Secure; HttpOnly; SameSite=Lax; Path=/`,
  );
}
