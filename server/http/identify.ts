import type { Middleware } from 'koa';
import type { AddressSet } from '../base/address-set.ts';
import type { Random } from '../base/ports.ts';
import { clientAddress, peerAddress } from './client-address.ts';
import { createRequestIds } from './request-ids.ts';
import type { RequestState } from './request-state.ts';

const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/;

/** Gives each request its id and its client. The id of a trusted proxy is kept, so that two logs can be joined. */
export function createIdentify(trusted: AddressSet, random: Random): Middleware<RequestState> {
  const nextId = createRequestIds(random);
  return function identify(ctx, next) {
    const given = trusted.covers(peerAddress(ctx.req)) ? ctx.get('X-Request-Id') : '';
    ctx.state.requestId = given !== '' && REQUEST_ID.test(given) ? given : nextId();
    ctx.state.client = clientAddress(ctx.req, trusted);
    ctx.res.setHeader('X-Request-Id', ctx.state.requestId);
    return next();
  };
}
