import type { Router } from '@koa/router';
import { networkOf } from '../base/network.ts';
import type { RequestState } from '../http/request-state.ts';
import { serveOperation } from '../http/serve-operation.ts';
import type { Operation } from '../wire/operation.ts';
import {
  ChallengeBody,
  ChallengeQuery,
  PASSPORT_COOKIE,
  PassportBody,
  PassportRequest,
} from '../wire/pow.ts';
import { fault } from '../wire/problem.ts';
import type { VerdictOf } from './core/verdict.ts';
import { visitOf } from './gate.ts';
import type { Gate } from './service.ts';

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
  problems: ['malformed-request', 'unknown-route', 'unknown-key'],
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
    'passport. The passport also comes as the cookie `pow_passport`.',
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

/** `GET /pow/challenge` and `POST /pow/passport`. */
export function servePow(router: Router<RequestState>, gate: Gate, verdictOf: VerdictOf): void {
  serveOperation(router, challengeOperation, async ({ query }, ctx) => {
    // No key has been issued yet, so whatever is shown is unknown.
    if (ctx.get('X-API-Key') !== '')
      throw fault('unknown-key', 'X-API-Key: expected a key that was issued here');
    ctx.set('Cache-Control', 'no-store');
    const route = query.route === undefined ? null : gate.routeOf(query.route);
    return gate.issue(route, 'public', {}, await verdictOf(visitOf(ctx)));
  });

  serveOperation(router, passportOperation, async ({ body }, ctx) => {
    const minted = await gate.redeem(body.challenge, body.answer, networkOf(ctx.state.client));
    ctx.set('Cache-Control', 'no-store');
    ctx.append(
      'Set-Cookie',
      `${PASSPORT_COOKIE}=${minted.passport}; Max-Age=${minted.ttl_secs}; Secure; HttpOnly; SameSite=Lax; Path=/`,
    );
    return minted;
  });
}
