import type { Router } from '@koa/router';
import { setEventStream } from '../http/event-stream.ts';
import { PAGE_CSP, type Page } from '../http/pages.ts';
import type { Context, RequestState } from '../http/request-state.ts';
import { serveOperation } from '../http/serve-operation.ts';
import type { GateBody, SessionBody } from '../wire/console.ts';
import { SignIn } from '../wire/console.ts';
import type { Operation } from '../wire/operation.ts';
import { fault } from '../wire/problem.ts';
import {
  type AdmissionDeps,
  type ConsoleState,
  createAdmission,
  refuseForeignPages,
  sessionOf,
  setCookie,
} from './admission.ts';
import type { Session } from './core/session.ts';
import { type CrawlsDeps, serveConsoleCrawls } from './crawls-routes.ts';
import { type KeysDeps, serveKeys } from './keys-routes.ts';
import type { Live } from './live.ts';
import { type LookupDeps, serveLookup } from './lookup-routes.ts';
import type { ConsoleSystem } from './ports.ts';
import { type SitesDeps, serveConsoleSites } from './sites-routes.ts';

export type ConsoleDeps = AdmissionDeps &
  KeysDeps &
  LookupDeps & {
    /** Null where no index is wired. */
    sites: SitesDeps['sites'] | null;
    /** Null where nothing crawls. */
    crawls: CrawlsDeps['crawls'] | null;
    system: ConsoleSystem;
    readGate(): Promise<GateBody>;
    live: Live;
    about: Pick<SessionBody, 'version' | 'process'>;
    /** Counts a try to sign in, and takes the count of a right one back. @throws Fault `throttled` */
    throttleSignIn: { (ctx: Context): Promise<void>; giveBack(ctx: Context): Promise<void> };
  };

const signInOperation = {
  id: 'signIn',
  method: 'post',
  path: '/console/session',
  tag: 'Console',
  summary: 'Open the console',
  body: SignIn,
  bodyLimitBytes: 2_048,
  answer: { status: 204, description: 'Signed in, with a cookie' },
  problems: ['malformed-request', 'sign-in-required', 'foreign-page', 'throttled'],
  isOpenToAnyOrigin: false,
} as const satisfies Operation;

// Nothing frames the console, and no form of it is ever sent by the browser itself.
const CONSOLE_CSP = PAGE_CSP.replace("frame-ancestors 'self'", "frame-ancestors 'none'").replace(
  "form-action 'self'",
  "form-action 'none'",
);

/** The console's page, its sessions, and what it reads and changes. */
export function serveConsole(router: Router<RequestState>, deps: ConsoleDeps & { page: Page }): void {
  const { page, sessions, isAdminKey, throttleSignIn, sites, crawls, system, readGate, live, about } = deps;

  const describe = (session: Session | null): SessionBody => ({
    ...about,
    endsAt: session && new Date(session.expiresAtSecs * 1000).toISOString(),
    has: { sites: sites !== null, crawls: crawls !== null },
  });

  /** Whether the session that opened a stream has ended; a program's key does not. */
  const isOver = (ctx: Context) => () => {
    const { session } = ctx.state as ConsoleState;
    return session !== null && sessions.isOver(session);
  };

  router.get('/console', async function serveConsolePage(ctx) {
    page(ctx);
    ctx.set({
      'Content-Security-Policy': CONSOLE_CSP,
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    });
  });

  serveOperation(
    router,
    signInOperation,
    async ({ body }, ctx) => {
      if (!isAdminKey(body.key)) throw fault('sign-in-required', 'body.key: expected the admin key');
      await throttleSignIn.giveBack(ctx);
      const { text, session } = sessions.begin();
      setCookie(ctx, text, sessions.leftSecs(session));
      return undefined as never;
    },
    // Before the key is looked at, so that nobody tries many.
    async (_, ctx) => {
      ctx.set('Cache-Control', 'no-store');
      refuseForeignPages(ctx);
      await throttleSignIn(ctx);
      return undefined;
    },
  );

  router.delete('/console/session', async function signOut(ctx) {
    ctx.set('Cache-Control', 'no-store');
    refuseForeignPages(ctx);
    const session = sessionOf(ctx, sessions);
    if (session) await sessions.end(session);
    setCookie(ctx, '', 0);
    ctx.status = 204;
  });

  // Asked before anyone has signed in, so that no session is an answer and not a refusal.
  router.get('/console/session', async function readOwnSession(ctx) {
    ctx.set('Cache-Control', 'no-store');
    const session = sessionOf(ctx, sessions);
    if (session) refuseForeignPages(ctx);
    ctx.body = { session: session && describe(session) };
  });

  router.use('/console/api', createAdmission(deps) as never);

  router.get('/console/api/session', async function readSession(ctx) {
    const { session } = ctx.state as ConsoleState;
    ctx.body = describe(session);
  });
  router.get('/console/api/gate', async function readGateFigures(ctx) {
    ctx.body = await readGate();
  });
  router.get('/console/api/system', async function readSystem(ctx) {
    ctx.body = await system.read();
  });
  router.get('/console/api/live', async function openLive(ctx) {
    ctx.body = live.open(isOver(ctx));
    setEventStream(ctx);
  });

  serveKeys(router, deps);
  serveLookup(router, deps);
  if (sites) serveConsoleSites(router, { sites });
  if (crawls) serveConsoleCrawls(router, { crawls, isOver });
}
