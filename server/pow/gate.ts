import type { Middleware } from 'koa';
import { Fault } from '../base/fault.ts';
import { networkOf } from '../base/network.ts';
import type { Log } from '../base/ports.ts';
import { cookieValues } from '../http/cookies.ts';
import { isDocumentRequest } from '../http/document-request.ts';
import type { Context, RequestState } from '../http/request-state.ts';
import { type GatePageData, PASSPORT_COOKIE } from '../wire/pow.ts';
import { fault, PROBLEMS, type ProblemCode } from '../wire/problem.ts';
import { findRoute, isExempt, isPerRequest, type Policy, type Route, type Visit } from './core/policy.ts';
import { bitsUnder, VERDICTS, type Verdict, type VerdictOf } from './core/verdict.ts';
import type { IsVerifiedBot } from './core/verified-bots.ts';
import type { Admission, Gate, Shown } from './service.ts';

// A browser sends one; several come from a parent domain or an attacker's sibling. Bounds the work of one request.
const MAX_COOKIES = 8;

/** What the gate leaves for the route behind it. */
export type GatedState = RequestState & { admission?: Admission };

/**
 * The middleware in front of every route: what the policy gates is let in by a passport or a proof, or refused with
 * 401 and a challenge. A browser that asks for a page gets the verifying page instead of JSON, also with 401.
 *
 * It never clears a cookie: the late answer to an image must not take away the passport that the page has just won.
 */
export function createGateMiddleware(
  gate: Gate,
  policy: () => Policy,
  verifyingPage: (ctx: Context, data: GatePageData) => void,
  { verdictOf, isVerifiedBot, log }: { verdictOf: VerdictOf; isVerifiedBot: IsVerifiedBot; log: Log },
): Middleware<GatedState> {
  return async function standAtTheGate(ctx, next) {
    const route = findRoute(policy(), ctx.method, ctx.path);
    if (!route) return next();
    const visit = visitOf(ctx);
    if (isExempt(route, visit) || (await isVerifiedBot(route.exempt.verifiedBots, visit))) return next();
    const verdict = await verdictOf(visit);
    if (route.isDryRun) {
      await rehearse(ctx, route, verdict);
      return next();
    }

    ctx.vary(['Cookie', 'Authorization', 'PoW', 'Accept']);
    ctx.set('Cache-Control', 'no-store');
    if (VERDICTS[verdict].isLetIn) return next();
    try {
      ctx.state.admission = await gate.admit(route, shownBy(ctx, verdict));
    } catch (error) {
      if (!(error instanceof Fault) || PROBLEMS[error.code as ProblemCode].status !== 401) throw error;
      return refuse(ctx, route, verdict, error);
    }
    return next();
  };

  /** Tells the log what the gate would have refused. Leaves no trace in the answer, and nothing it meets stops the visit. */
  async function rehearse(ctx: Context, route: Route, verdict: Verdict): Promise<void> {
    if (VERDICTS[verdict].isLetIn) return;
    try {
      await gate.admit(route, shownBy(ctx, verdict));
    } catch (error) {
      if (!(error instanceof Fault)) return log.error({ err: error }, 'a dry run failed; the visit goes on');
      log.info(
        {
          request_id: ctx.state.requestId,
          code: error.code,
          route: route.id,
          bits: bitsUnder(verdict, route.terms.difficultyBits),
          mode: modeOf(route),
          verdict,
        },
        'would_refuse',
      );
    }
  }

  function refuse(ctx: Context, route: Route, verdict: Verdict, reason: Fault): void {
    const challenge = gate.issue(route, 'public', {}, verdict);
    const mode = modeOf(route);
    ctx.set(
      'WWW-Authenticate',
      `PoW realm="${route.id}", difficulty=${challenge.difficulty_bits}, mode="${mode}"`,
    );
    if (isDocumentRequest(ctx)) {
      ctx.status = 401;
      verifyingPage(ctx, {
        route: route.id,
        mode,
        method: ctx.method,
        difficulty_bits: challenge.difficulty_bits,
        challenge,
        request_id: ctx.state.requestId,
      });
      return;
    }
    throw fault(reason.code as ProblemCode, reason.message, { members: { challenge } });
  }
}

const modeOf = (route: Route) => (isPerRequest(route) ? 'request' : 'passport');

const shownBy = (ctx: Context, verdict: Verdict): Shown => ({
  passports: cookieValues(ctx.get('Cookie'), PASSPORT_COOKIE, MAX_COOKIES),
  proof: shownProof(ctx),
  network: networkOf(ctx.state.client),
  verdict,
});

/** What policy and verdict look at. */
export const visitOf = (ctx: Context): Visit => ({
  method: ctx.method,
  path: ctx.path,
  address: ctx.state.client,
  userAgent: ctx.get('User-Agent'),
});

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
