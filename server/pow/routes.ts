import type { Router } from '@koa/router';
import { networkOf } from '../base/network.ts';
import type { Context, RequestState } from '../http/request-state.ts';
import { serveOperation } from '../http/serve-operation.ts';
import type { Caller } from '../wire/access.ts';
import type { Operation } from '../wire/operation.ts';
import { ChallengeBody, ChallengeQuery, PassportBody, PassportRequest } from '../wire/pow.ts';
import type { VerdictOf } from './core/verdict.ts';
import { setPassportCookie } from './passport-cookie.ts';
import type { Gate } from './service.ts';
import { visitOf } from './shown.ts';

export const challengeOperation = {
  id: 'issueChallenge',
  method: 'get',
  path: '/pow/challenge',
  tag: 'Proof of work',
  summary: 'A fresh challenge',
  description:
    'Find a u64 `answer` so that SHA-256(nonce, then the answer as 8 little-endian bytes) has at least `difficulty_bits` ' +
    'leading zero bits. The nonce is bytes 22..53 of the decoded challenge.',
  query: ChallengeQuery,
  answer: { status: 200, description: 'A sealed challenge', schema: ChallengeBody },
  problems: [
    'malformed-request',
    'unknown-route',
    'unknown-key',
    'route-mismatch',
    'throttled',
    'store-unavailable',
  ],
  takesKey: true,
  isOpenToAnyOrigin: true,
} as const satisfies Operation;

export const passportOperation = {
  id: 'redeemChallenge',
  method: 'post',
  path: '/pow/passport',
  tag: 'Proof of work',
  summary: 'A passport for a solved challenge',
  description:
    'Each challenge mints one passport. The same submission again within 10 seconds from the same network gets the same ' +
    'passport. The passport also comes as the cookie `pow_passport`. A challenge with `rebind` binds the passport that was ' +
    'shown to the network that asked, with its age, bits and end as they were; no cookie is needed here.',
  body: PassportRequest,
  answer: {
    status: 200,
    description: 'The passport, bound to the network of the caller',
    schema: PassportBody,
  },
  problems: [
    'malformed-request',
    'malformed-challenge',
    'malformed-answer',
    'passport-network-mismatch',
    'seal-invalid',
    'insufficient-work',
    'route-mismatch',
    'challenge-already-used',
    'challenge-expired',
    'body-too-large',
    'unsupported-media-type',
    'store-unavailable',
  ],
  isOpenToAnyOrigin: true,
} as const satisfies Operation;

export const powOperations = [challengeOperation, passportOperation];

export type PowRoutesDeps = {
  gate: Gate;
  verdictOf: VerdictOf;
  /** Who holds the key of this text. @throws Fault `unknown-key` */
  callerOf(key: string): Promise<Caller>;
  /** Lets a key be used for a route. @throws Fault `route-mismatch` */
  claimRoute(caller: Caller, routeId: string): Promise<void>;
  /** Counts an anonymous challenge. @throws Fault `throttled` */
  throttleChallenge(ctx: Context): Promise<void>;
};

/** `GET /pow/challenge` and `POST /pow/passport`. */
export function servePow(
  router: Router<RequestState>,
  { gate, verdictOf, callerOf, claimRoute, throttleChallenge }: PowRoutesDeps,
): void {
  serveOperation(router, challengeOperation, async ({ query }, ctx) => {
    const key = ctx.get('X-API-Key');
    const caller = key === '' ? null : await callerOf(key);
    if (!caller) await throttleChallenge(ctx);
    const route = query.route === undefined ? null : gate.routeOf(query.route);
    // A Free key counts as public: it pays the public price, and is not throttled by its network.
    const tier = caller && caller.tier !== 'free' ? caller.tier : 'public';
    if (caller && route && tier !== 'public') await claimRoute(caller, route.id);
    ctx.set('Cache-Control', 'no-store');
    const asked = {
      ...(query.difficulty !== undefined && { difficultyBits: query.difficulty }),
      ...(query.ttl !== undefined && { challengeTtlSecs: query.ttl }),
      ...(query.passport_ttl !== undefined && { passportTtlSecs: query.passport_ttl }),
    };
    // Who holds a key is known; a back-end of theirs often has no User-Agent to be judged by.
    const verdict = tier === 'public' ? await verdictOf(visitOf(ctx, caller?.keyId ?? null)) : 'suspect';
    return gate.issue(route, tier, asked, verdict);
  });

  serveOperation(router, passportOperation, async ({ body }, ctx) => {
    const minted = await gate.redeem(
      body.challenge,
      body.answer,
      networkOf(ctx.state.client),
      body.solver ?? null,
    );
    ctx.set('Cache-Control', 'no-store');
    setPassportCookie(ctx, minted);
    return minted;
  });
}
