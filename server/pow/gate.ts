import type { Middleware } from 'koa';
import { Fault } from '../base/fault.ts';
import type { Context, RequestState } from '../http/request-state.ts';
import { PROBLEMS, type ProblemCode } from '../wire/problem.ts';
import { findRoute, isExempt, type Policy } from './core/policy.ts';
import { createRefusal, type VerifyingPage } from './refusal.ts';
import type { Admission, Gate } from './service.ts';
import { markAsPersonal, readShown } from './shown.ts';

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
  verifyingPage: VerifyingPage,
): Middleware<GatedState> {
  const refuse = createRefusal(gate, verifyingPage);
  return async function standAtTheGate(ctx, next) {
    const route = findRoute(policy(), ctx.method, ctx.path);
    if (!route || isExempt(route, visitOf(ctx))) return next();

    markAsPersonal(ctx);
    try {
      ctx.state.admission = await gate.admit(route, readShown(ctx));
    } catch (error) {
      if (!(error instanceof Fault) || PROBLEMS[error.code as ProblemCode].status !== 401) throw error;
      return refuse(ctx, { route, method: ctx.method, reason: error });
    }
    return next();
  };
}

const visitOf = (ctx: Context) => ({
  method: ctx.method,
  path: ctx.path,
  address: ctx.state.client,
  userAgent: ctx.get('User-Agent'),
});
