import type { Router } from '@koa/router';
import type { AddressSet } from '../base/address-set.ts';
import type { Fault } from '../base/fault.ts';
import { peerAddress } from '../http/client-address.ts';
import type { Context, RequestState } from '../http/request-state.ts';
import type { Operation } from '../wire/operation.ts';
import { fault, PROBLEMS, type ProblemCode } from '../wire/problem.ts';
import { anyRoute, type OriginalRequest, routesOver } from './core/original-request.ts';
import type { Policy } from './core/policy.ts';
import { priceRoute } from './core/work-price.ts';
import { createJudge, type JudgeDeps } from './judge.ts';
import { createRefusal, type RefusalDeps } from './refusal.ts';
import { type KeyIdOf, markAsPersonal, readShown, shownKeyId, visitOf } from './shown.ts';

export const authOperation = {
  id: 'authorise',
  method: 'get',
  path: '/pow/auth',
  tag: 'Proof of work',
  summary: 'Whether a proxy may let a request pass (forward-auth)',
  description:
    'A proxy tells the request that it holds by `X-Original-URI` and `X-Original-Method`, or by `X-Forwarded-Uri` and ' +
    '`X-Forwarded-Method`. They are believed from `TRUSTED_PROXIES` alone, and at this endpoint alone. Without them any ' +
    'valid passport is let in. A browser that asks for a page gets the verifying page with the 401.',
  answer: { status: 204, description: 'The request may pass' },
  problems: [
    'proof-required',
    'passport-invalid',
    'passport-expired',
    'passport-network-mismatch',
    'passport-too-weak',
    'store-unavailable',
  ],
  isOpenToAnyOrigin: false,
} as const satisfies Operation;

// nginx's by convention, and those of Traefik and Caddy. A client may have sent the pair that its proxy does not set:
// whatever that says can only add to what must be shown.
const HEADER_PAIRS = [
  { target: 'x-original-uri', method: 'x-original-method' },
  { target: 'x-forwarded-uri', method: 'x-forwarded-method' },
];

export type ForwardAuthDeps = JudgeDeps &
  RefusalDeps & {
    policy(): Policy;
    keyIdOf: KeyIdOf;
    trustedProxies: AddressSet;
  };

/** `GET /pow/auth`: 204 or 401, since nginx turns any other refusal into a 500. Never gated itself. */
export function serveForwardAuth(router: Router<RequestState>, deps: ForwardAuthDeps): void {
  const { policy, keyIdOf, trustedProxies } = deps;
  const judge = createJudge(deps);
  const refuse = createRefusal(deps);

  router.get(authOperation.path, async function answerForwardAuth(ctx) {
    markAsPersonal(ctx);
    const originals = readOriginals(ctx, trustedProxies);
    const [original] = originals;
    const method = original?.methods[0] ?? ctx.method;
    const visit = {
      ...visitOf(ctx, await shownKeyId(ctx, keyIdOf)),
      method,
      path: original?.target.split('?')[0] ?? ctx.path,
    };
    const shown = readShown(ctx);

    // Where no request was told, no proof is taken: it would be spent on nobody knows what.
    // Nor is the body known, so a price that follows it is at its highest.
    const routes = original
      ? routesOver(policy(), originals, visit).map((route) => priceRoute(route, null))
      : [anyRoute(policy())];
    for (const route of routes) {
      // A proof pays for one route, so it cannot open a path that may be one of several.
      const takesProof = original !== undefined && routes.length === 1;
      const judgement = await judge(ctx, route, visit, takesProof ? shown : { ...shown, proof: null });
      if (judgement.isLetIn) continue;
      const { verdict, offer } = judgement;
      return refuse(ctx, {
        route: original ? route : null,
        method,
        target: original?.target ?? '',
        reason: as401(judgement.reason),
        verdict,
        offer,
      });
    }
    ctx.status = authOperation.answer.status;
  });
}

/** The reason with a code of status 401. @throws the reason itself where the server is at fault */
function as401(reason: Fault): Fault {
  const { status } = PROBLEMS[reason.code as ProblemCode];
  if (status >= 500) throw reason;
  return status === 401
    ? reason
    : fault('proof-required', `the proof was refused: ${reason.code}: ${reason.message}`);
}

function readOriginals(ctx: Context, trusted: AddressSet): OriginalRequest[] {
  if (!trusted.covers(peerAddress(ctx.req))) return [];
  return HEADER_PAIRS.flatMap(({ target, method }) => {
    const methods = valuesOf(ctx, method);
    return valuesOf(ctx, target).map((value) => ({ target: value, methods }));
  });
}

// Node joins repeated headers with a comma, which a target may hold as well.
function valuesOf(ctx: Context, name: string): string[] {
  const { rawHeaders } = ctx.req;
  return rawHeaders.filter(
    (value, i) => i % 2 === 1 && value !== '' && rawHeaders[i - 1].toLowerCase() === name,
  );
}
