import { Router } from '@koa/router';
import Koa from 'koa';
import type { AddressSet } from '../base/address-set.ts';
import type { Clock, Log, Random } from '../base/ports.ts';
import type { Gateway } from '../chat/gateway.ts';
import { CHAT_BODY_LIMIT_BYTES, chatOperations, serveChat } from '../chat/routes.ts';
import { shapeErrors } from '../chat/shape-errors.ts';
import { type ConsoleDeps, serveConsole } from '../console/routes.ts';
import { type FeedRoutesDeps, feedOperations, serveFeeds } from '../crawl/feeds/routes.ts';
import { type CrawlRoutesDeps, crawlOperations, serveCrawls } from '../crawl/routes.ts';
import { type DevicesRoutesDeps, deviceOperations, serveDevices } from '../devices/routes.ts';
import type { ApiDocument } from '../docs/api-reference.ts';
import type { Library } from '../docs/library.ts';
import { serveDocs, serveRobots } from '../docs/routes.ts';
import { type IpRoutesDeps, ipOperations, serveIp } from '../ip/routes.ts';
import { type CaptchaDeps, captchaOperation, captchaPageOperation, serveCaptcha } from '../pow/captcha.ts';
import type { Policy } from '../pow/core/policy.ts';
import type { IsVerifiedBot } from '../pow/core/verified-bots.ts';
import { type DemoDeps, serveDemo } from '../pow/demo.ts';
import { authOperation, serveForwardAuth } from '../pow/forward-auth.ts';
import { FRAME_PATH, serveFrame } from '../pow/frame.ts';
import { createGateMiddleware, type GateMiddlewareDeps } from '../pow/gate.ts';
import { createPayment } from '../pow/payment.ts';
import type { VerifyingPage } from '../pow/refusal.ts';
import { type PowRoutesDeps, powOperations, servePow } from '../pow/routes.ts';
import type { KeyIdOf } from '../pow/shown.ts';
import { type SiteverifyDeps, serveSiteverify, siteverifyOperation } from '../pow/siteverify.ts';
import { serveWidgetDemo } from '../pow/widget-demo.ts';
import { createAdmitOwner } from '../search/admit-owner.ts';
import { type SearchRoutesDeps, searchOperations, serveSearch } from '../search/routes.ts';
import type { Operation } from '../wire/operation.ts';
import { createAssets, SHARED_SCRIPTS } from './assets.ts';
import { readJson } from './body.ts';
import { peerAddress } from './client-address.ts';
import { createCors } from './cors.ts';
import { createCountRequests } from './count-requests.ts';
import { createHealth } from './health.ts';
import { createIdentify } from './identify.ts';
import { isClientsDoing } from './log-error.ts';
import { createLogRequests } from './log-requests.ts';
import { normalisePath } from './normalise-path.ts';
import { describeApi } from './openapi.ts';
import { ownOrigin } from './own-origin.ts';
import { type ForeignSources, readPage } from './pages.ts';
import { createPathMatch } from './path-templates.ts';
import { refuseUnrouted } from './refuse-unrouted.ts';
import { createReportFaults } from './report-faults.ts';
import type { Context, RequestState } from './request-state.ts';
import { createRouteTable } from './route-table.ts';
import { type MetricsDeps, metricsOperation, serveMetrics } from './serve-metrics.ts';

export type AppDeps = PowRoutesDeps &
  SiteverifyDeps &
  MetricsDeps &
  IpRoutesDeps &
  Omit<DevicesRoutesDeps, 'takePayment'> &
  Omit<CaptchaDeps, 'captchaPage'> &
  Pick<GateMiddlewareDeps, 'tell' | 'enterPaid'> &
  Pick<DemoDeps, 'demoSearch'> & {
    version: string;
    /** Null where no index is wired: then nothing is under `/sites`. */
    siteSearch: Omit<SearchRoutesDeps, 'callerOf' | 'clock'> | null;
    /** Null where nothing crawls. */
    crawling?: Omit<CrawlRoutesDeps, 'admitOwner'> | null;
    /** Null where there is no search that they could fill. */
    feeds: Omit<FeedRoutesDeps, 'callerOf'> | null;
    /** Null where no console is wired: then nothing is under `/console`. */
    console: ConsoleDeps | null;
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
    gateway: Gateway;
    /** Whether the home page and the gated demo are served. */
    isDemo: boolean;
    /** Whether the device page is served, and its results taken. */
    isBench: boolean;
    /** The documentation, served at `/docs/`; null where it is not. */
    library: Library | null;
  };

const isOfConsole = (path: string) => /^\/console(\/|$)/i.test(path);

/** The whole order of middleware and routes, top to bottom. */
export function createApp(deps: AppDeps): Koa<RequestState> {
  const page = (file: string, foreign?: ForeignSources) => readPage(deps.browserFolder, file, foreign);
  const sendVerify = page('verify.html');
  const verifyingPage: VerifyingPage = (ctx, data) =>
    sendVerify(ctx, { GATE: data, CAPTCHA: data.captcha ?? '' });
  const gateDeps = { ...deps, verifyingPage, offersCaptcha: deps.captcha !== null };
  const health = createHealth(deps.probe, deps.isStopping);
  const { siteSearch, crawling } = deps;
  const operations: Operation[] = [
    ...powOperations,
    siteverifyOperation,
    authOperation,
    captchaPageOperation,
    captchaOperation,
    ...ipOperations,
    ...chatOperations,
    ...(deps.isBench ? deviceOperations : []),
    ...(siteSearch ? searchOperations : []),
    ...(siteSearch && crawling ? crawlOperations : []),
    ...(deps.feeds ? feedOperations : []),
    metricsOperation,
  ];
  const isOpen = createPathMatch([
    ...operations.filter((operation) => operation.isOpenToAnyOrigin).map(({ path }) => path),
    ...SHARED_SCRIPTS,
    FRAME_PATH,
  ]);

  const open = new Router<RequestState>();
  open.get('/healthz', health.live);
  open.get('/readyz', health.ready);
  serveMetrics(open, deps);
  servePow(open, deps);
  serveSiteverify(open, deps);
  serveFrame(open, page('frame.html'), deps.allowedOrigins);
  serveForwardAuth(open, gateDeps);
  serveCaptcha(open, { ...deps, captchaPage: page('captcha.html', deps.captcha?.foreignSources) });

  if (deps.console) serveConsole(open, { ...deps.console, page: page('console.html') });

  const router = new Router<RequestState>();
  const apiDocument = describeApi(operations, deps.version);
  router.get('/openapi.json', async function openApi(ctx) {
    ctx.body = apiDocument;
  });
  serveIp(router, deps);
  if (deps.feeds) serveFeeds(router, { ...deps, ...deps.feeds });
  if (siteSearch) serveSearch(router, { ...deps, ...siteSearch });
  if (siteSearch && crawling) {
    serveCrawls(router, { ...crawling, admitOwner: createAdmitOwner(siteSearch) });
  }
  serveChat(router, deps);
  if (deps.isDemo) serveDemo(router, { ...deps, home: page('index.html'), demo: page('demo.html') });
  if (deps.isBench) {
    serveDevices(router, {
      ...deps,
      takePayment: createPayment(deps.gate, deps.policy),
      page: page('bench.html'),
      bits: () => deps.policy().defaults.difficultyBits,
    });
  }
  if (deps.library) {
    const originOf = (ctx: Context) =>
      ownOrigin(ctx, ({ req }) => deps.trustedProxies.covers(peerAddress(req)));
    const docsDeps = { library: deps.library, originOf, page: page('docs.html') };
    serveDocs(router, { ...docsDeps, apiDocument: apiDocument as ApiDocument });
    if (deps.isDemo) serveRobots(router, docsDeps);
  }
  if (deps.isDemo) serveWidgetDemo(router, { ...deps, widget: page('widget.html') });

  const app = new Koa<RequestState>();
  app.on('error', (error) => {
    if (!isClientsDoing(error)) deps.log.error({ err: error }, 'a response could not be sent');
  });
  app.use(createIdentify(deps.trustedProxies, deps.random));
  app.use(createLogRequests(deps.log, deps.clock));
  app.use(createCountRequests(deps.metrics));
  app.use(createReportFaults(deps.log));
  app.use(normalisePath);
  app.use(createCors(deps.allowedOrigins, isOpen, isOfConsole));
  // Never challenged, whatever the policy says: what the way through the gate itself needs, and load balancers.
  app.use(createAssets(deps.browserFolder));
  app.use(createRouteTable(open));
  app.use(shapeErrors);
  const readBody = (ctx: Context) => readJson(ctx, CHAT_BODY_LIMIT_BYTES);
  app.use(createGateMiddleware({ ...gateDeps, readBody, bodyLimitBytes: CHAT_BODY_LIMIT_BYTES }));
  app.use(createRouteTable(router));
  app.use(refuseUnrouted);
  return app;
}
