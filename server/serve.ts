import cluster from 'node:cluster';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { createAdminCheck } from './access/admin-key.ts';
import { createThrottle } from './access/throttle.ts';
import { nowSecs } from './base/ports.ts';
import { nodeDigest, systemClock, systemRandom, systemTimer } from './base/system.ts';
import { countChat } from './chat/count-chat.ts';
import { openChat } from './chat/open-chat.ts';
import { readConfig } from './config.ts';
import { createParseFeed } from './crawl/feeds/parse-in-worker.ts';
import { readCrawlAgent } from './crawl-agent.ts';
import { readLibrary } from './docs/library.ts';
import { createApp } from './http/app.ts';
import { gatherMetricsForWorkers, joinMetrics } from './http/cluster-metrics.ts';
import { listen } from './http/listen.ts';
import { describeError } from './http/log-error.ts';
import { createMetrics } from './http/metrics.ts';
import { stopGracefully } from './http/stop-gracefully.ts';
import { openIntelligence } from './ip/open-intelligence.ts';
import { loadAdminKey } from './load-admin-key.ts';
import { loadKeyring, warnOfOwnKeys } from './load-keyring.ts';
import { openConsole, openGateBoard } from './open-console.ts';
import { openCrawling } from './open-crawling.ts';
import { openFeeds } from './open-feeds.ts';
import { ipFolder, openAccess, openCaptcha, openDevices, openJudgement, openState } from './open-parts.ts';
import { openSiteSearch } from './open-site-search.ts';
import { createLookUp, readOperatorFile } from './operator-file.ts';
import { createOutbound } from './outbound/guarded-fetch.ts';
import type { TellGate } from './pow/core/events.ts';
import { countGate, timeSpent } from './pow/gate-metrics.ts';
import { openLivePolicy } from './pow/live-policy.ts';
import { createLoadMeter } from './pow/load-meter.ts';
import { PolicyError } from './pow/policy-file.ts';
import { createGate } from './pow/service.ts';
import { runPrimary } from './primary.ts';
import { createTextTools } from './search/text/text-tools.ts';
import { readServerConfig } from './server-config.ts';
import { joinSiblings } from './siblings.ts';
import { countCallsForWorkers } from './store/cluster-call-counts.ts';
import { isCommitFailure, openEnvironment } from './store/environment.ts';
import { createLmdbFeeds } from './store/lmdb-feeds.ts';
import { createLmdbIndex } from './store/search/lmdb-backend.ts';

export type Env = Record<string, string | undefined>;

const PURGE_EVERY_MS = 60_000;

// Our choice: many people may share a network, and one device has little reason to come back soon.
const DEVICES_RATE = { calls: 10, secs: 3_600 };

// Our choice: each makes us ask another server, which nobody should be able to do in the name of this one without end.
const FEEDS_RATE = { calls: 120, secs: 3_600 };

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The wiring list, top to bottom: reads the configuration, opens the stores, makes the parts and listens, until a signal ends it. */
export async function serve(env: Env, version: string): Promise<undefined> {
  const config = readServerConfig(env);
  const log = pino({
    level: config.LOG_LEVEL,
    base: cluster.isWorker ? { pid: process.pid } : null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  });
  const announce = (url: string) => console.error(`Gatehouse ${version} at ${url}`);
  if (config.WORKERS > 1 && cluster.isPrimary) {
    countCallsForWorkers();
    gatherMetricsForWorkers();
    runPrimary({ count: config.WORKERS, clock: systemClock, timer: systemTimer, log, announce });
    return;
  }
  const siblings = joinSiblings(log, announce);
  const environment = await openEnvironment(config.DATA_DIR);
  const state = await openState(config, environment, log, siblings.openCallCounts);
  const throttle = (name: string, rate: { calls: number; secs: number }) =>
    createThrottle(name, rate, state.openCallCounts);
  const outbound = createOutbound({ allow: config.OUTBOUND_ALLOW, timer: systemTimer });
  const metrics = createMetrics(cluster.isWorker ? joinMetrics : undefined);
  metrics.watchProcess();

  // The gate
  let keyring = loadKeyring(config);
  const policy = await openLivePolicy({
    path: config.GATE_POLICY,
    readText: (path) => readFile(path, 'utf8'),
    digest: nodeDigest,
    timer: systemTimer,
    log,
  });
  const load = createLoadMeter({ policy: policy.current, clock: systemClock, timer: systemTimer });
  metrics.watch('gatehouse_load_extra_bits', load.extraBits);
  metrics.watch('gatehouse_load_pressure', () => load.state().pressure);
  const count = countGate(metrics);
  const board = openGateBoard();
  const tell: TellGate = (event) => {
    load.tell(event);
    count(event);
    board.tell(event, systemClock.nowMs());
  };
  const gate = createGate({
    policy: policy.current,
    keyring: () => keyring,
    spent: timeSpent(state.spent, metrics),
    clock: systemClock,
    random: systemRandom,
    digest: nodeDigest,
    extraBits: load.extraBits,
    tell,
  });

  // The other features
  const access = openAccess(state);
  const ip = await openIntelligence({
    folder: ipFolder(config),
    timer: systemTimer,
    log,
    digest: nodeDigest,
  });
  const devices = openDevices(environment);
  const agent = readCrawlAgent(config, version);
  const index = createLmdbIndex(environment, { tools: createTextTools(), random: systemRandom });
  const siteSearch = openSiteSearch({
    environment,
    index,
    access,
    config,
    log,
    throttle,
    token: agent.token,
  });
  const feeds = openFeeds({
    ...siteSearch.deps,
    store: createLmdbFeeds(environment),
    parseFeed: createParseFeed(systemTimer),
    outbound,
    userAgent: agent.userAgent,
    throttleFeeds: throttle('feeds', FEEDS_RATE),
    clock: systemClock,
    timer: systemTimer,
    log,
  });
  const library = config.DEMO || config.DOCS_PAGES ? readLibrary(here('..')) : null;
  const { search } = siteSearch.deps;
  const { crawler, demoSite } = openCrawling({
    environment,
    search,
    outbound,
    config,
    version,
    library,
    log,
  });
  const adminKey = loadAdminKey(config);
  const operators = openConsole({
    version,
    config,
    adminKey,
    environment,
    access,
    search: siteSearch.deps.search,
    crawls: crawler.crawls,
    gather: siblings.gather,
    intelligence: ip.intelligence,
    sources: ip.sources,
    devices,
    policy: policy.current,
    load,
    signingKid: () => keyring.signingKid,
    board,
    throttle,
  });
  const throttleLookup = throttle('ip', config.THROTTLE_IP);
  const gateway = openChat({
    path: config.CHAT_CONFIG,
    readText: readOperatorFile,
    // As everywhere, a secret may be in a file that its twin names.
    lookUp: createLookUp(env),
    outbound,
    clock: systemClock,
    random: systemRandom,
    timer: systemTimer,
    log,
    tell: countChat(metrics),
  });
  let isStopping = false;
  const app = createApp({
    version,
    ...access,
    replies: state.replies,
    digest: nodeDigest,
    clock: systemClock,
    random: systemRandom,
    log,
    trustedProxies: config.TRUSTED_PROXIES,
    allowedOrigins: config.ALLOWED_ORIGINS,
    gate,
    tell,
    enterPaid: load.enter,
    throttleChallenge: throttle('challenge', config.THROTTLE_CHALLENGE),
    policy: policy.current,
    captcha: openCaptcha(config, outbound, log),
    throttleCaptcha: throttle('captcha', config.THROTTLE_CAPTCHA),
    ...openJudgement({ config, log, policy: policy.current, intelligence: ip.intelligence }),
    intelligence: ip.intelligence,
    async chargeLookup(caller) {
      await access.charge(caller, 'ip-lookups');
      board.tellLookup('keyed', systemClock.nowMs());
    },
    async throttleLookup(ctx) {
      await throttleLookup(ctx);
      board.tellLookup('anonymous', systemClock.nowMs());
    },
    siteSearch: siteSearch.deps,
    crawling: { ...crawler.routes, isStopping: () => isStopping },
    feeds: feeds.deps,
    gateway,
    devices,
    throttleDevices: throttle('devices', DEVICES_RATE),
    isBench: config.DEMO || config.BENCH_PAGE,
    metrics,
    isAdminKey: createAdminCheck(adminKey, nodeDigest),
    console: operators.deps,
    browserFolder: here('../build/browser'),
    probe: async () => void (await Promise.all([environment.probe(), state.probe()])),
    isStopping: () => isStopping,
    isDemo: config.DEMO,
    library,
    demoSearch: () => demoSite?.search() ?? null,
  });

  // What goes on beside the requests
  let stopCrawling = async () => {};
  const ends: (() => void)[] = [policy.watch(), load.watch(), ip.stopWatching, operators.close];
  siblings.whenLeading(() => {
    warnOfOwnKeys(config, log);
    const purging = setInterval(() => {
      const now = nowSecs(systemClock);
      Promise.all([
        state.spent.purge(now),
        state.replies.purge(now),
        devices.purge(),
        operators.purge(),
      ]).catch((err) => {
        log.error({ err }, 'what is over could not be purged');
      });
    }, PURGE_EVERY_MS);
    ends.push(() => clearInterval(purging), siteSearch.startSweeping(), feeds.startRefreshing());
    stopCrawling = crawler.startCrawling();
  });

  process.on('SIGHUP', async () => {
    try {
      const reread = readConfig(env, readOperatorFile);
      const newKeyring = loadKeyring(reread);
      await policy.reload();
      keyring = newKeyring;
      log.info({}, 'keys and policy reloaded');
    } catch (err) {
      const told = err instanceof PolicyError ? { faults: err.faults } : { err };
      log.error(told, 'reload refused; the old keys and policy stay');
    }
    await ip.reload().catch((err) => log.error({ err }, 'new IP data refused; the old stays'));
  });

  // A commit that fails rejects promises that nobody holds; the caller's own has been answered with 503.
  process.on('unhandledRejection', (reason) => {
    if (!isCommitFailure(reason)) throw reason;
    log.error({ err: reason }, 'the store could not commit');
  });

  const { server, url } = await listen(app.callback(), {
    host: config.HOST,
    port: config.PORT,
    random: systemRandom,
  });
  siblings.whenLeading(() => demoSite?.start(url));

  async function stop(signal: string): Promise<void> {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'stopping');
    for (const end of ends) end();
    await Promise.all([stopGracefully(server), stopCrawling()]);
    await demoSite?.stop();
    await siteSearch.close();
    state.close();
    await outbound.close();
    await environment.close();
    process.exit(0);
  }
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void stop(signal));
  siblings.announce(url);
}
