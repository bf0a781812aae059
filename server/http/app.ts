import { Router } from '@koa/router';
import Koa from 'koa';
import type { AddressSet } from '../base/address-set.ts';
import type { Clock, Log, Random } from '../base/ports.ts';
import type { Policy } from '../pow/core/policy.ts';
import type { IsVerifiedBot } from '../pow/core/verified-bots.ts';
import { serveDemo } from '../pow/demo.ts';
import { authOperation, serveForwardAuth } from '../pow/forward-auth.ts';
import { createGateMiddleware } from '../pow/gate.ts';
import type { VerifyingPage } from '../pow/refusal.ts';
import { type PowRoutesDeps, powOperations, servePow } from '../pow/routes.ts';
import type { KeyIdOf } from '../pow/shown.ts';
import { type SiteverifyDeps, serveSiteverify, siteverifyOperation } from '../pow/siteverify.ts';
import { type SearchRoutesDeps, searchOperations, serveSearch } from '../search/routes.ts';
import type { Operation } from '../wire/operation.ts';
import { createAssets } from './assets.ts';
import { createCors } from './cors.ts';
import { createHealth } from './health.ts';
import { createIdentify } from './identify.ts';
import { isClientsDoing } from './log-error.ts';
import { createLogRequests } from './log-requests.ts';
import { normalisePath } from './normalise-path.ts';
import { describeApi } from './openapi.ts';
import { readPage } from './pages.ts';
import { createPathMatch } from './path-templates.ts';
import { refuseOtherMethods, refuseUnrouted } from './refuse-unrouted.ts';
import { createReportFaults } from './report-faults.ts';
import type { RequestState } from './request-state.ts';

export type AppDeps = PowRoutesDeps &
  SiteverifyDeps & {
    version: string;
    /** Null where no index is wired: then nothing is under `/sites`. */
    siteSearch: Omit<SearchRoutesDeps, 'callerOf' | 'clock'> | null;
    clock: Clock;
    random: Random;
    log: Log;
    trustedProxies: AddressSet;
    allowedOrigins: readonly string[];
    policy(): Policy;
    isVerifiedBot: IsVerifiedBot;
    keyIdOf: KeyIdOf;
    /** The folder that the browser build wrote. */
    browserFolder: string;
    /** Rejects where a store does not answer. */
    probe(): Promise<void>;
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
  const { siteSearch } = deps;
  const operations: Operation[] = [
    ...powOperations,
    siteverifyOperation,
    authOperation,
    ...(siteSearch ? searchOperations : []),
  ];
  const isOpen = createPathMatch(
    operations.filter((operation) => operation.isOpenToAnyOrigin).map(({ path }) => path),
  );

  const open = new Router<RequestState>();
  open.get('/healthz', health.live);
  open.get('/readyz', health.ready);
  servePow(open, deps);
  serveSiteverify(open, deps);
  serveForwardAuth(open, { ...deps, verifyingPage });

  const router = new Router<RequestState>();
  const apiDocument = describeApi(operations, deps.version);
  router.get('/openapi.json', async function openApi(ctx) {
    ctx.body = apiDocument;
  });
  if (siteSearch) serveSearch(router, { ...deps, ...siteSearch });
  if (deps.isDemo) serveDemo(router, { ...deps, home: page('index.html'), demo: page('demo.html') });

  const app = new Koa<RequestState>();
  app.on('error', (error) => {
    if (!isClientsDoing(error)) deps.log.error({ err: error }, 'a response could not be sent');
  });
  app.use(createIdentify(deps.trustedProxies, deps.random));
  app.use(createLogRequests(deps.log, deps.clock));
  app.use(createReportFaults(deps.log));
  app.use(normalisePath);
  app.use(createCors(deps.allowedOrigins, isOpen));
  // Never challenged, whatever the policy says: what the way through the gate itself needs, and load balancers.
  app.use(createAssets(deps.browserFolder));
  app.use(open.routes());
  app.use(refuseOtherMethods);
  app.use(createGateMiddleware({ ...deps, verifyingPage }));
  app.use(router.routes());
  app.use(refuseOtherMethods);
  app.use(refuseUnrouted);
  return app;
}
