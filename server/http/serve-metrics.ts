import type { Router } from '@koa/router';
import type { AddressSet } from '../base/address-set.ts';
import type { Operation } from '../wire/operation.ts';
import { fault } from '../wire/problem.ts';
import { peerAddress } from './client-address.ts';
import type { Metrics } from './metrics.ts';
import type { Context, RequestState } from './request-state.ts';

export const metricsOperation = {
  id: 'readMetrics',
  method: 'get',
  path: '/metrics',
  tag: 'Operation',
  summary: 'Counters of this server',
  description:
    'In the text format of Prometheus, version 0.0.4. Takes `Authorization: Bearer <ADMIN_KEY>`; none is needed on the ' +
    "server's own loopback, as long as nothing says that a proxy stands between.",
  answer: { status: 200, description: 'The metrics, `text/plain; version=0.0.4`' },
  problems: ['unknown-key', 'overloaded'],
  isOpenToAnyOrigin: false,
} as const satisfies Operation;

export type MetricsDeps = {
  metrics: Metrics;
  trustedProxies: AddressSet;
  isAdminKey(text: string): boolean;
};

/** `GET /metrics`. */
export function serveMetrics(
  router: Router<RequestState>,
  { metrics, trustedProxies, isAdminKey }: MetricsDeps,
): void {
  router.get(metricsOperation.path, async function readMetrics(ctx) {
    ctx.set('Cache-Control', 'no-store');
    const [, key] = /^Bearer +(\S+) *$/i.exec(ctx.get('Authorization')) ?? [];
    const isAllowed = key === undefined ? isFromThisMachine(ctx, trustedProxies) : isAdminKey(key);
    if (!isAllowed) {
      throw fault('unknown-key', 'metrics: expected Authorization: Bearer with the admin key', {
        headers: { 'WWW-Authenticate': 'Bearer realm="metrics"' },
      });
    }
    ctx.body = await metrics.write();
    ctx.set('Content-Type', metrics.contentType);
  });
}

// A proxy on the same machine hands on what strangers ask, and a page of a stranger can be led to the loopback by DNS.
// Both are told by what they send along; whoever sends none of it could have connected by itself.
const PROXY_HEADERS = ['X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP', 'Forwarded', 'Via', 'Origin'];
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

function isFromThisMachine(ctx: Context, trustedProxies: AddressSet): boolean {
  const peer = peerAddress(ctx.req);
  const { bytes } = peer;
  const isLoopback =
    bytes.length === 4
      ? bytes[0] === 127
      : bytes.length === 16 && bytes.every((byte, i) => byte === (i === 15 ? 1 : 0));
  return (
    isLoopback &&
    !trustedProxies.covers(peer) &&
    LOOPBACK_HOST.test(ctx.get('Host')) &&
    PROXY_HEADERS.every((name) => ctx.get(name) === '')
  );
}
