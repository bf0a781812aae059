import { Router } from '@koa/router';
import Koa from 'koa';
import type { AddressSet } from '../base/address-set.ts';
import type { Clock, Log, Random } from '../base/ports.ts';
import type { Policy } from '../pow/core/policy.ts';
import { serveDemo } from '../pow/demo.ts';
import { authOperation, serveForwardAuth } from '../pow/forward-auth.ts';
import { createGateMiddleware } from '../pow/gate.ts';
import type { VerifyingPage } from '../pow/refusal.ts';
import { powOperations, servePow } from '../pow/routes.ts';
import type { Gate } from '../pow/service.ts';
import { createAssets } from './assets.ts';
import { createCors } from './cors.ts';
import { createHealth } from './health.ts';
import { createIdentify } from './identify.ts';
import { createLogRequests } from './log-requests.ts';
import { normalisePath } from './normalise-path.ts';
import { describeApi } from './openapi.ts';
import { readPage } from './pages.ts';
import { refuseUnrouted } from './refuse-unrouted.ts';
import { createReportFaults } from './report-faults.ts';
import type { RequestState } from './request-state.ts';

export type AppDeps = {
  version: string;
  clock: Clock;
  random: Random;
  log: Log;
  trustedProxies: AddressSet;
  allowedOrigins: readonly string[];
  gate: Gate;
  policy(): Policy;
  /** The folder that the browser build wrote. */
  browserFolder: string;
  /** Throws where a store does not answer. */
  probe(): void;
  isStopping(): boolean;
  /** Whether the home page and the gated demo are served. */
  isDemo: boolean;
};

/** The whole order of middleware and routes, top to bottom. */
export function createApp(deps: AppDeps): Koa<RequestState> {
  const page = (file: string) => readPage(deps.browserFolder, file);
  const sendVerify = page('verify.html');
  const verifyingPage: VerifyingPage = (ctx, data) => sendVerify(ctx, { GATE: data });
  const health = createHealth(deps.probe, deps.isStopping);
  const operations = [...powOperations, authOperation];
  const openPaths = new Set<string>(
    operations.filter((operation) => operation.isOpenToAnyOrigin).map(({ path }) => path),
  );

  const open = new Router<RequestState>();
  open.get('/healthz', health.live);
  open.get('/readyz', health.ready);
  servePow(open, deps.gate);
  serveForwardAuth(open, { ...deps, verifyingPage });

  const router = new Router<RequestState>();
  const apiDocument = describeApi(operations, deps.version);
  router.get('/openapi.json', async function openApi(ctx) {
    ctx.body = apiDocument;
  });
  if (deps.isDemo) serveDemo(router, { ...deps, home: page('index.html'), demo: page('demo.html') });

  const app = new Koa<RequestState>();
  app.on('error', (error) => deps.log.error({ err: error }, 'a response could not be sent'));
  app.use(createIdentify(deps.trustedProxies, deps.random));
  app.use(createLogRequests(deps.log, deps.clock));
  app.use(createReportFaults(deps.log));
  app.use(normalisePath);
  app.use(createCors(deps.allowedOrigins, (path) => openPaths.has(path)));
  // Never challenged, whatever the policy says: what the way through the gate itself needs, and load balancers.
  app.use(createAssets(deps.browserFolder));
  app.use(open.routes());
  app.use(createGateMiddleware(deps.gate, deps.policy, verifyingPage));
  app.use(router.routes());
  app.use(refuseUnrouted);
  return app;
}
