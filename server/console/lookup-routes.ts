import type { Router } from '@koa/router';
import { parseAddress } from '../base/address.ts';
import type { RequestState } from '../http/request-state.ts';
import { serveOperation } from '../http/serve-operation.ts';
import { LookupQuery } from '../wire/console.ts';
import type { Operation } from '../wire/operation.ts';
import { fault } from '../wire/problem.ts';
import type { ConsoleIp } from './ports.ts';

const lookupOperation = {
  id: 'lookUp',
  method: 'get',
  path: '/console/api/ip',
  tag: 'Console',
  summary: 'What is known of an address',
  query: LookupQuery,
  answer: { status: 200, description: 'Place, provider and score' },
  problems: ['malformed-request', 'sign-in-required'],
  isOpenToAnyOrigin: false,
} as const satisfies Operation;

export type LookupDeps = { ip: ConsoleIp };

/** An operator's look-ups: not counted, not throttled. */
export function serveLookup(router: Router<RequestState>, { ip }: LookupDeps): void {
  serveOperation(router, lookupOperation, ({ query }) => {
    const address = parseAddress(query.address);
    if (!address) throw fault('malformed-request', 'query.address: expected an address');
    return ip.lookUp(address);
  });
}
