import type { Fault } from '../base/fault.ts';
import { isDocumentRequest } from '../http/document-request.ts';
import type { Context } from '../http/request-state.ts';
import type { ChallengeBody, GatePageData } from '../wire/pow.ts';
import { fault, type ProblemCode } from '../wire/problem.ts';
import { captchaLink } from './captcha-link.ts';
import { isPerRequest, type Route } from './core/policy.ts';
import type { Verdict } from './core/verdict.ts';
import type { Gate } from './service.ts';

/** Sends the page that wins a passport. */
export type VerifyingPage = (ctx: Context, data: GatePageData) => void;

/** A request that is held back. `route` null: no route is known, any passport would do. */
export type Held = {
  route: Route | null;
  method: string;
  /** Path and query as the visitor's browser has them. */
  target: string;
  reason: Fault;
  verdict: Verdict;
  /** The challenge to give; null for a fresh one at the full price. */
  offer: ChallengeBody | null;
};

export type RefusalDeps = {
  gate: Gate;
  verifyingPage: VerifyingPage;
  /** Whether a CAPTCHA service is configured. */
  offersCaptcha: boolean;
};

/**
 * The refusal of a held request: 401 with a challenge, as the verifying page for a browser that asks for a page, else
 * as a problem.
 */
export function createRefusal({ gate, verifyingPage, offersCaptcha }: RefusalDeps) {
  return function refuse(ctx: Context, held: Held): void {
    const { route, method, reason, verdict, offer } = held;
    const challenge = offer ?? gate.issue(route, 'public', {}, verdict);
    const mode = route && isPerRequest(route) ? 'request' : 'passport';
    // No route is called `*`: the policy file does not take it for an id.
    ctx.set(
      'WWW-Authenticate',
      `PoW realm="${route?.id ?? '*'}", difficulty=${challenge.difficulty_bits}, mode="${mode}"`,
    );
    if (isDocumentRequest(ctx)) {
      ctx.status = 401;
      verifyingPage(ctx, {
        route: route?.id ?? '',
        mode,
        method,
        difficulty_bits: challenge.difficulty_bits,
        challenge,
        request_id: ctx.state.requestId,
        captcha: offersCaptcha ? captchaLink(held) : null,
      });
      return;
    }
    throw fault(reason.code as ProblemCode, reason.message, { members: { challenge } });
  };
}
