import type { Middleware } from 'koa';
import { cookieValues } from '../http/cookies.ts';
import type { Context, RequestState } from '../http/request-state.ts';
import { fault } from '../wire/problem.ts';
import { isFromOwnPage, isLoopbackHost } from './core/own-page.ts';
import type { Session } from './core/session.ts';
import type { Sessions } from './service.ts';

const COOKIE = 'gatehouse_console';
// Of several cookies of one name so many are tried; a sibling domain may have planted some.
const MOST_COOKIES = 8;

export type AdmissionDeps = {
  sessions: Sessions;
  isAdminKey(text: string): boolean;
  /** Counts a call that shows the admin key itself. @throws Fault `throttled` */
  throttleBearer(ctx: Context): Promise<void>;
};

/** What a request to the console's API is admitted by: null for a program that shows the admin key. */
export type ConsoleState = RequestState & { session: Session | null };

/** Refuses what a page of another site asks for. @throws Fault `foreign-page` */
export function refuseForeignPages(ctx: Context): void {
  const isOwn = isFromOwnPage({
    method: ctx.method,
    origin: ctx.get('Origin'),
    secFetchSite: ctx.get('Sec-Fetch-Site'),
    host: ctx.get('Host'),
  });
  if (!isOwn)
    throw fault('foreign-page', "expected Sec-Fetch-Site: same-origin, or this server's own Origin");
}

/**
 * Lets in who has a session, or shows the admin key as a Bearer.
 *
 * The cookie counts from our own pages only; a Bearer is nothing that a foreign page could make a browser send.
 * @throws Fault `sign-in-required`, `foreign-page`, `throttled`
 */
export function createAdmission({
  sessions,
  isAdminKey,
  throttleBearer,
}: AdmissionDeps): Middleware<ConsoleState> {
  return async function admit(ctx, next) {
    ctx.set('Cache-Control', 'no-store');
    if (ctx.get('Authorization') !== '') {
      await throttleBearer(ctx);
      const [, key] = /^Bearer +(\S+) *$/i.exec(ctx.get('Authorization')) ?? [];
      if (key === undefined || !isAdminKey(key))
        throw signInRequired('expected Authorization: Bearer with the admin key');
      ctx.state.session = null;
      return next();
    }
    const session = sessionOf(ctx, sessions);
    if (!session)
      throw signInRequired('expected a session of the console that goes on, or the admin key as a Bearer');
    refuseForeignPages(ctx);
    const renewed = sessions.renew(session);
    ctx.state.session = renewed?.session ?? session;
    if (renewed) setCookie(ctx, renewed.text, sessions.leftSecs(renewed.session));
    return next();
  };
}

export const sessionOf = (ctx: Context, sessions: Sessions): Session | null =>
  sessions.find(cookieValues(ctx.get('Cookie'), COOKIE, MOST_COOKIES));

/** @param maxAgeSecs 0 takes the cookie away */
export function setCookie(ctx: Context, text: string, maxAgeSecs: number): void {
  const secure = isLoopbackHost(ctx.get('Host')) ? '' : '; Secure';
  ctx.append(
    'Set-Cookie',
    `${COOKIE}=${text}; Max-Age=${maxAgeSecs}; Path=/console; HttpOnly; SameSite=Strict${secure}`,
  );
}

const signInRequired = (detail: string) =>
  fault('sign-in-required', detail, { headers: { 'WWW-Authenticate': 'Bearer realm="console"' } });
