import type { Router } from '@koa/router';
import { parseAddress } from '../base/address.ts';
import { Fault } from '../base/fault.ts';
import { networkOf } from '../base/network.ts';
import { type Clock, type Digest, nowSecs } from '../base/ports.ts';
import { readFormOrJson } from '../http/body.ts';
import type { Context, RequestState } from '../http/request-state.ts';
import type { Caller } from '../wire/access.ts';
import type { Operation } from '../wire/operation.ts';
import type { ProblemCode } from '../wire/problem.ts';
import {
  SITEVERIFY_CODES,
  type SiteverifyBody,
  type SiteverifyCode,
  SiteverifyRequest,
  SiteverifyBody as SiteverifySchema,
} from '../wire/siteverify.ts';
import { REPLY_SECS, type Replies } from './core/replies.ts';
import { CODE_OF, failed, passed, TEST_SECRETS } from './core/siteverify.ts';
import type { Gate } from './service.ts';

const LIMIT_BYTES = 16_384;

export const siteverifyOperation = {
  id: 'siteverify',
  method: 'post',
  path: '/pow/siteverify',
  tag: 'Proof of work',
  summary: 'Whether what a visitor sent is worth something',
  description:
    "For a site's own server, in the convention of the CAPTCHA services. Takes a form or JSON. A visitor's failure is 200 " +
    "with `success: false`; the caller's own is 400, 401 or 429, with the same body.",
  body: SiteverifyRequest,
  bodyLimitBytes: LIMIT_BYTES,
  answer: { status: 200, description: 'What it is worth', schema: SiteverifySchema },
  problems: ['body-too-large', 'unsupported-media-type', 'store-unavailable'],
  takesKey: true,
  isOpenToAnyOrigin: false,
} as const satisfies Operation;

export type SiteverifyDeps = {
  gate: Gate;
  replies: Replies;
  clock: Clock;
  digest: Digest;
  /** @throws Fault `unknown-key` */
  callerOf(key: string): Promise<Caller>;
  /** @throws Fault `route-mismatch` */
  claimRoute(caller: Caller, routeId: string): Promise<void>;
  /** Counts a verification. @throws Fault `quota-exceeded` */
  charge(caller: Caller, meter: 'verifications'): Promise<void>;
};

/** `POST /pow/siteverify`. */
export function serveSiteverify(router: Router<RequestState>, deps: SiteverifyDeps): void {
  router.post(siteverifyOperation.path, async function siteverify(ctx) {
    ctx.set('Cache-Control', 'no-store');
    const answer = await answerTo(ctx, deps);
    const [code] = answer['error-codes'] as SiteverifyCode[];
    ctx.status = code === undefined ? 200 : SITEVERIFY_CODES[code].status;
    ctx.body = answer;
  });
}

async function answerTo(ctx: Context, deps: SiteverifyDeps): Promise<SiteverifyBody> {
  const asked = await read(ctx);
  if (!asked) return failed('bad-request');
  const secret = asked.secret ?? ctx.get('X-API-Key');
  if (secret === '') return failed('missing-input-secret');
  if (Object.hasOwn(TEST_SECRETS, secret)) return answerToTest(TEST_SECRETS[secret], nowSecs(deps.clock));

  let caller: Caller;
  try {
    caller = await deps.callerOf(secret);
  } catch (error) {
    return failed(codeOf(error, { 'unknown-key': 'invalid-input-secret' }));
  }
  if (!asked.response) return failed('missing-input-response');

  const key =
    asked.idempotency_key === undefined
      ? null
      : replyKey(deps, caller, asked.response, asked.idempotency_key);
  const kept = key && (await deps.replies.get(key, nowSecs(deps.clock)));
  if (kept) return kept;

  const visitor = asked.remoteip === undefined ? undefined : parseAddress(asked.remoteip);
  if (visitor === null) return failed('bad-request');
  let answer: SiteverifyBody;
  try {
    const route = asked.route === undefined ? null : deps.gate.routeOf(asked.route);
    if (route) await deps.claimRoute(caller, route.id);
    await deps.charge(caller, 'verifications');
    answer = await verify(deps, asked.response, {
      route,
      network: visitor ? networkOf(visitor) : null,
      claim: key && Buffer.from(key).toString('hex'),
    });
  } catch (error) {
    if (error instanceof Fault) ctx.set(error.headers);
    return failed(
      codeOf(error, {
        'unknown-route': 'bad-request',
        'route-mismatch': 'bad-request',
        'quota-exceeded': 'quota-exceeded',
      }),
    );
  }
  if (key) await deps.replies.keep(key, answer, nowSecs(deps.clock) + REPLY_SECS);
  return answer;
}

async function verify(
  { gate }: SiteverifyDeps,
  response: string,
  asked: Parameters<Gate['verify']>[1],
): Promise<SiteverifyBody> {
  try {
    return passed(await gate.verify(response, asked));
  } catch (error) {
    return failed(codeOf(error, CODE_OF));
  }
}

/** The members of the request, or null where they are not of the expected form. */
async function read(ctx: Context): Promise<ReturnType<typeof SiteverifyRequest.parse> | null> {
  try {
    const result = SiteverifyRequest.safeParse(await readFormOrJson(ctx, LIMIT_BYTES));
    return result.success ? result.data : null;
  } catch (error) {
    return codeOf(error, { 'malformed-request': 'bad-request' }) && null;
  }
}

/** What a fault is called in the convention; one that has no name there goes on as it is. */
function codeOf(error: unknown, names: Partial<Record<ProblemCode, SiteverifyCode>>): SiteverifyCode {
  const code = error instanceof Fault ? names[error.code as ProblemCode] : undefined;
  if (code === undefined) throw error;
  return code;
}

const answerToTest = (code: SiteverifyCode | null, now: number): SiteverifyBody =>
  code
    ? failed(code)
    : passed({
        kid: 0,
        tier: 0,
        route: 0,
        difficultyBits: 20,
        issuedAtSecs: now,
        expiresAtSecs: now + 1_800,
        lifetimeSecs: 1_800,
      });

/** One call by one key about one response: each part has its length before it, so that no two calls share a text. */
function replyKey({ digest }: SiteverifyDeps, caller: Caller, ...parts: string[]): Uint8Array {
  const text = [caller.keyId, ...parts].map((part) => `${part.length}:${part}`).join('');
  return digest.sha256(new TextEncoder().encode(text));
}
