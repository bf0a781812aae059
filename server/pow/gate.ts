import type { Middleware, Next, ParameterizedContext } from 'koa';
import type { RequestState } from '../http/request-state.ts';
import { PROBLEMS, type ProblemCode } from '../wire/problem.ts';
import { type AskedWorkDeps, createAskedWork } from './asked-work.ts';
import { findRoute, isExempt, type Policy, type Route } from './core/policy.ts';
import { priceRoute } from './core/work-price.ts';
import { createJudge, type JudgeDeps } from './judge.ts';
import { createRefusal, type RefusalDeps } from './refusal.ts';
import type { Admission } from './service.ts';
import { type KeyIdOf, markAsPersonal, readShown, shownKeyId, visitOf } from './shown.ts';

/** What the gate leaves for the route behind it. */
export type GatedState = RequestState & { admission?: Admission };

export type GateMiddlewareDeps = JudgeDeps &
  RefusalDeps &
  AskedWorkDeps & {
    policy(): Policy;
    keyIdOf: KeyIdOf;
    /** A paid request begins; what it gives ends it. */
    enterPaid?(): () => void;
  };

/**
 * The middleware in front of every route: what the policy gates is let in by a passport or a proof, or refused with
 * 401 and a challenge. A browser that asks for a page gets the verifying page instead of JSON, also with 401.
 *
 * It never clears a cookie: the late answer to an image must not take away the passport that the page has just won.
 */
export function createGateMiddleware(deps: GateMiddlewareDeps): Middleware<GatedState> {
  const judge = createJudge(deps);
  const refuse = createRefusal(deps);

  const askedWork = createAskedWork(deps);

  return function standAtTheGate(ctx, next) {
    const found = findRoute(deps.policy(), ctx.method, ctx.path);
    return found ? guard(found, ctx, next) : next();
  };

  // Waits for what has to be asked elsewhere only: most visits are judged in one go.
  async function guard(found: Route, ctx: ParameterizedContext<GatedState>, next: Next): Promise<unknown> {
    const keyId = shownKeyId(ctx, deps.keyIdOf);
    const visit = visitOf(ctx, keyId && (await keyId));
    if (isExempt(found, visit)) {
      deps.tell?.({ kind: 'admitted', routeId: found.id, how: 'exempt' });
      return next();
    }
    // The price stands before anything is judged, so that the challenge of a refusal has it as well.
    const shown = readShown(ctx);
    const route = found.work ? priceRoute(found, await askedWork(ctx, found, shown)) : found;

    const judgement = await judge(ctx, route, visit, shown);
    if (judgement.isPersonal) markAsPersonal(ctx);
    if (judgement.isLetIn) {
      if (judgement.admission) {
        ctx.state.admission = judgement.admission;
        // Until the last byte, since a stream is work as long as it runs. Who has hung up by now is no work.
        if (deps.enterPaid && !ctx.res.closed) ctx.res.once('close', deps.enterPaid());
      }
      return next();
    }
    const { reason, verdict, offer } = judgement;
    if (PROBLEMS[reason.code as ProblemCode].status !== 401) throw reason;
    refuse(ctx, { route, method: ctx.method, target: ctx.originalUrl, reason, verdict, offer });
  }
}
