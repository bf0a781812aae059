import type { Router } from '@koa/router';
import { canonicalText } from '../base/address.ts';
import { readQuery } from '../http/query.ts';
import type { Context, RequestState } from '../http/request-state.ts';
import { serveOperation } from '../http/serve-operation.ts';
import type { Caller } from '../wire/access.ts';
import { InspectBody, Inspection, Whois, WhoisQuery } from '../wire/ip.ts';
import type { Operation } from '../wire/operation.ts';
import { redactTarget } from './core/headers.ts';
import { addressOf, type Intelligence } from './service.ts';

const shared = {
  tag: 'IP intelligence',
  takesKey: true,
  isOpenToAnyOrigin: true,
  problems: ['malformed-request', 'unknown-key', 'throttled', 'quota-exceeded', 'store-unavailable'],
} as const;

export const whoisOperation = {
  ...shared,
  id: 'whois',
  method: 'get',
  path: '/whois.json',
  summary: 'Where an address is, and whose',
  description:
    'Of the address in `queryIP`, else of the one that calls. Special-purpose addresses answer with `isBogon` and no ' +
    'place. Unknown is null. A Pro or Enterprise key adds `extended`.',
  query: WhoisQuery,
  answer: { status: 200, description: 'What is known of the address', schema: Whois },
} as const satisfies Operation;

export const inspectOperation = {
  ...shared,
  id: 'inspect',
  method: 'get',
  path: '/inspect.json',
  summary: 'The risk of the caller, or of an address',
  description:
    'With a `queryIP` other than the caller only what the address says counts (`subject` is `query`): the headers are ' +
    'the caller’s, not that address’s.',
  query: WhoisQuery,
  answer: { status: 200, description: 'What is known, and the score with its reasons', schema: Inspection },
} as const satisfies Operation;

export const inspectVisitorOperation = {
  ...shared,
  id: 'inspectVisitor',
  method: 'post',
  path: '/inspect.json',
  summary: 'The risk of your visitor',
  description: 'For a back-end: the address, headers and e-mail address of the visitor whom it serves.',
  body: InspectBody,
  answer: { status: 200, description: 'What is known, and the score with its reasons', schema: Inspection },
  problems: [...shared.problems, 'body-too-large', 'unsupported-media-type'],
} as const satisfies Operation;

export const ipOperations = [whoisOperation, inspectOperation, inspectVisitorOperation];

export type IpRoutesDeps = {
  intelligence: Intelligence;
  /** Who holds the key of this text. @throws Fault `unknown-key` */
  callerOf(key: string): Caller | Promise<Caller>;
  /** Counts a look-up of a key. @throws Fault `quota-exceeded` */
  chargeLookup(caller: Caller): Promise<void>;
  /** Counts an anonymous look-up. @throws Fault `throttled` */
  throttleLookup(ctx: Context): Promise<void>;
};

/** `GET /whois.json`, `GET` and `POST /inspect.json`. */
export function serveIp(
  router: Router<RequestState>,
  { intelligence, callerOf, chargeLookup, throttleLookup }: IpRoutesDeps,
): void {
  /** Counts the call; tells whether the answer has the fields of the paid tiers. */
  async function admit(ctx: Context): Promise<boolean> {
    ctx.res.setHeader('Cache-Control', 'no-store');
    const key = ctx.get('X-API-Key');
    if (key === '') {
      await throttleLookup(ctx);
      return false;
    }
    const caller = await callerOf(key);
    await chargeLookup(caller);
    return caller.tier !== 'free';
  }

  serveOperation(router, whoisOperation, async ({ query }, ctx) => {
    const isExtended = await admit(ctx);
    return intelligence.whois(query.queryIP ? addressOf(query.queryIP) : callingAddress(ctx), isExtended);
  });

  serveOperation(router, inspectOperation, async ({ query }, ctx) => {
    const isExtended = await admit(ctx);
    const caller = ctx.state.client;
    const address = query.queryIP ? addressOf(query.queryIP) : callingAddress(ctx);
    const isCaller = caller.bytes.length > 0 && canonicalText(address) === canonicalText(caller);
    return intelligence.inspect(
      { address, headers: isCaller ? ctx.headers : null, email: null },
      isExtended,
      {
        ...echoOf(ctx),
        subject: isCaller ? 'caller' : 'query',
      },
    );
  });

  serveOperation(router, inspectVisitorOperation, async ({ body }, ctx) => {
    const isExtended = await admit(ctx);
    const address = body.queryIP ? addressOf(body.queryIP) : callingAddress(ctx);
    const subject = { address, headers: body.headers ?? null, email: body.email ?? null };
    return intelligence.inspect(subject, isExtended, { ...echoOf(ctx), subject: 'visitor' });
  });
}

/** The caller's own address; behind a broken chain of proxies it may be unknown. */
function callingAddress(ctx: Context) {
  const { client } = ctx.state;
  return client.bytes.length > 0 ? client : { bytes: new Uint8Array(4) };
}

function echoOf(ctx: Context) {
  return {
    method: ctx.method,
    httpVersion: ctx.req.httpVersion,
    scheme: 'encrypted' in ctx.socket && ctx.socket.encrypted ? 'https' : 'http',
    host: ctx.get('Host') || null,
    uri: redactTarget(ctx.originalUrl),
    query: queryOf(ctx),
  };
}

/** The parameters of the query, those that look like secrets redacted. */
const queryOf = (ctx: Context) =>
  readQuery(redactTarget(`?${ctx.querystring}`).slice(1)) as Record<string, string | string[]>;
