import type { ParameterizedContext } from 'koa';
import type { Address } from '../base/address.ts';

/** What every request knows of itself once `identify` has run. */
export type RequestState = {
  requestId: string;
  /** The client, by the rules of `clientAddress`. Never Koa's `ctx.ip`. */
  client: Address;
  /** The pattern of the route that took it. */
  route?: string;
};

export type Context = ParameterizedContext<RequestState>;
