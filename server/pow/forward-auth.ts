import type { Router } from '@koa/router';
import type { AddressSet } from '../base/address-set.ts';
import { Fault } from '../base/fault.ts';
import { peerAddress } from '../http/client-address.ts';
import type { Context, RequestState } from '../http/request-state.ts';
import type { Operation } from '../wire/operation.ts';
import { fault, PROBLEMS, type ProblemCode } from '../wire/problem.ts';
import { anyRoute, type OriginalRequest, routesOver } from './core/original-request.ts';
import type { Policy, Route } from './core/policy.ts';
import { createRefusal, type VerifyingPage } from './refusal.ts';
import type { Gate, Shown } from './service.ts';
import { markAsPersonal, readShown } from './shown.ts';

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

export type ForwardAuthDeps = {
  gate: Gate;
  policy(): Policy;
  trustedProxies: AddressSet;
  verifyingPage: VerifyingPage;
};

/** `GET /pow/auth`: 204 or 401, since nginx turns any other refusal into a 500. Never gated itself. */
export function serveForwardAuth(
  router: Router<RequestState>,
  { gate, policy, trustedProxies, verifyingPage }: ForwardAuthDeps,
): void {
  const refuse = createRefusal(gate, verifyingPage);

  router.get(authOperation.path, async function answerForwardAuth(ctx) {
    markAsPersonal(ctx);
    const originals = readOriginals(ctx, trustedProxies);
    const method = originals[0]?.methods[0] ?? ctx.method;
    const shown = readShown(ctx);

    if (originals.length === 0) {
      const refusal = await refusalOf(anyRoute(policy()), { ...shown, proof: null });
      if (refusal) return refuse(ctx, { route: null, method, reason: refusal });
    }
    const visitor = { address: ctx.state.client, userAgent: ctx.get('User-Agent') };
    const routes = routesOver(policy(), originals, visitor);
    for (const route of routes) {
      // A proof pays for one route, so it cannot open a path that may be one of several.
      const refusal = await refusalOf(route, routes.length === 1 ? shown : { ...shown, proof: null });
      if (refusal) return refuse(ctx, { route, method, reason: refusal });
    }
    ctx.status = authOperation.answer.status;
  });

  /** Why the route does not let this in, with a code of status 401; null where it does. */
  async function refusalOf(route: Route, shown: Shown): Promise<Fault | null> {
    try {
      await gate.admit(route, shown);
      return null;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const { status } = PROBLEMS[error.code as ProblemCode];
      if (status >= 500) throw error;
      return status === 401
        ? error
        : fault('proof-required', `the proof was refused: ${error.code}: ${error.message}`);
    }
  }
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
