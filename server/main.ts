import { mkdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { createAdminCheck } from './access/admin-key.ts';
import { runKeysCommand } from './access/keys-command.ts';
import { type Access, createAccess } from './access/service.ts';
import { createThrottle } from './access/throttle.ts';
import { type Log, nowSecs } from './base/ports.ts';
import { nodeDigest, systemClock, systemRandom, systemTimer } from './base/system.ts';
import { runCommandLine } from './command-line.ts';
import { type Config, readConfig } from './config.ts';
import { createDevices, type Devices } from './devices/service.ts';
import { createApp } from './http/app.ts';
import { listen } from './http/listen.ts';
import { describeError } from './http/log-error.ts';
import { createMetrics } from './http/metrics.ts';
import { stopGracefully } from './http/stop-gracefully.ts';
import { runDataCommand } from './ip/data/update-command.ts';
import { openIntelligence } from './ip/open-intelligence.ts';
import { loadAdminKey } from './load-admin-key.ts';
import { loadKeyring } from './load-keyring.ts';
import { createOutbound } from './outbound/guarded-fetch.ts';
import type { TellGate } from './pow/core/events.ts';
import { builtInVerdict, type VerdictOf } from './pow/core/verdict.ts';
import { createDnsResolver } from './pow/dns-resolver.ts';
import { countGate, timeSpent } from './pow/gate-metrics.ts';
import { createHttpVerdict } from './pow/http-verdict.ts';
import { openLivePolicy } from './pow/live-policy.ts';
import { createLoadMeter } from './pow/load-meter.ts';
import { PolicyError } from './pow/policy-file.ts';
import { createGate } from './pow/service.ts';
import { createVerifyBots } from './pow/verify-bots.ts';
import { runSolveCommand, solveInWasm } from './solve-command.ts';
import { type Environment, isCommitFailure, openEnvironment } from './store/environment.ts';
import { createLmdbCounters } from './store/lmdb-counters.ts';
import { createLmdbDevices } from './store/lmdb-devices.ts';
import { createLmdbKeys } from './store/lmdb-keys.ts';
import { createLmdbReplies } from './store/lmdb-replies.ts';
import { createLmdbSpent } from './store/lmdb-spent.ts';
import { openMemoryCallCounts } from './store/memory-call-counts.ts';

// Our choice: many people may share a network, and one device has little reason to come back soon.
const DEVICES_RATE = { calls: 10, secs: 3_600 };
const PURGE_EVERY_MS = 60_000;
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const readText = (path: string) => readFileSync(path, 'utf8');
const { version } = JSON.parse(readText(here('../package.json'))) as { version: string };

type Env = Record<string, string | undefined>;

/** The command line. */
export const main = (args: readonly string[], env: Env): Promise<void> =>
  runCommandLine(args, {
    version,
    commands: {
      serve: {
        usage: `gatehouse serve [--demo]
  run the server; --demo serves the home page and a gated demo as well`,
        takes: (options) => options.every((option) => option === '--demo'),
        run: (options) => serve(options.includes('--demo') && !env.DEMO ? { ...env, DEMO: '1' } : env),
      },
      keys: {
        usage: `gatehouse keys issue --tier free|pro|enterprise --tenant NAME [--route ID …]
  make an API key; it is printed once and kept as a hash only
gatehouse keys list
gatehouse keys revoke KEY_ID`,
        run: (options) => keys(options, env),
      },
      data: {
        usage: `gatehouse data update [--from URL]
  fetch the current IP data, prove it and put it in place; --from names a mirror`,
        run: (options) => data(options, env),
      },
      devices: {
        usage: `gatehouse devices clear
  forget all figures that visitors left at /bench`,
        takes: (options) => options.join(' ') === 'clear',
        run: () => clearDevices(env),
      },
      solve: {
        usage: `gatehouse solve URL
  pay what the gate in front of URL asks, and print the cookie that opens it`,
        run: (options) => runSolveCommand(options, { fetch, solve: solveInWasm, output: console }),
      },
    },
  });

/** The `keys` commands, on the data folder of the server, which may be running. */
async function keys(args: readonly string[], env: Env): Promise<number> {
  const config = readConfig(env, readText);
  const environment = await openEnvironment(config.DATA_DIR);
  try {
    return await runKeysCommand(args, openAccess(environment), console);
  } finally {
    await environment.close();
  }
}

/** The `devices clear` command, likewise. */
async function clearDevices(env: Env): Promise<number> {
  const config = readConfig(env, readText);
  const environment = await openEnvironment(config.DATA_DIR);
  try {
    console.log(JSON.stringify({ forgotten: await openDevices(environment).clear() }));
    return 0;
  } finally {
    await environment.close();
  }
}

/** The `data` commands, on the folder that a running server looks at. */
async function data(args: readonly string[], env: Env): Promise<number> {
  const config = readConfig(env, readText);
  const outbound = createOutbound({ allow: config.OUTBOUND_ALLOW, timer: systemTimer });
  try {
    return await runDataCommand(args, {
      folder: ipFolder(config),
      outbound,
      clock: systemClock,
      output: console,
    });
  } finally {
    await outbound.close();
  }
}

/** Wires everything and listens, until a signal ends it. */
async function serve(env: Env): Promise<undefined> {
  const config = readConfig(env, readText);
  const log = pino({
    level: config.LOG_LEVEL,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  });
  const environment = await openEnvironment(config.DATA_DIR);
  const metrics = createMetrics();
  metrics.watchProcess();
  const spent = timeSpent(createLmdbSpent(environment), metrics);
  const replies = createLmdbReplies(environment);

  let keyring = loadKeyring(config);
  const policy = await openLivePolicy({
    path: config.GATE_POLICY,
    readText: (path) => readFile(path, 'utf8'),
    digest: nodeDigest,
    timer: systemTimer,
    log,
  });
  const stopWatching = policy.watch();
  let isStopping = false;

  const load = createLoadMeter({ policy: policy.current, clock: systemClock, timer: systemTimer });
  const stopMeasuring = load.watch();
  metrics.watch('gatehouse_load_extra_bits', load.extraBits);
  metrics.watch('gatehouse_load_pressure', () => load.state().pressure);
  const count = countGate(metrics);
  const tell: TellGate = (event) => {
    load.tell(event);
    count(event);
  };

  const gate = createGate({
    policy: policy.current,
    keyring: () => keyring,
    spent,
    clock: systemClock,
    random: systemRandom,
    digest: nodeDigest,
    extraBits: load.extraBits,
    tell,
  });
  const access = openAccess(environment);
  const ip = await openIntelligence({
    folder: ipFolder(config),
    timer: systemTimer,
    log,
    digest: nodeDigest,
  });
  const devices = openDevices(environment);
  const app = createApp({
    version,
    ...access,
    replies,
    digest: nodeDigest,
    intelligence: ip.intelligence,
    chargeLookup: (caller) => access.charge(caller, 'ip-lookups'),
    throttleLookup: createThrottle('ip', config.THROTTLE_IP, openMemoryCallCounts),
    throttleChallenge: createThrottle('challenge', config.THROTTLE_CHALLENGE, openMemoryCallCounts),
    clock: systemClock,
    random: systemRandom,
    log,
    trustedProxies: config.TRUSTED_PROXIES,
    allowedOrigins: config.ALLOWED_ORIGINS,
    gate,
    tell,
    enterPaid: load.enter,
    metrics,
    isAdminKey: createAdminCheck(loadAdminKey(config), nodeDigest),
    policy: policy.current,
    verdictOf: createVerdict(config, log),
    isVerifiedBot: createVerifyBots({
      createResolver: createDnsResolver,
      clock: systemClock,
      timer: systemTimer,
    }),
    browserFolder: here('../build/browser'),
    probe: environment.probe,
    isStopping: () => isStopping,
    isDemo: config.DEMO,
    devices,
    throttleDevices: createThrottle('devices', DEVICES_RATE, openMemoryCallCounts),
    isBench: config.DEMO || config.BENCH_PAGE,
  });

  const purging = setInterval(() => {
    const now = nowSecs(systemClock);
    Promise.all([spent.purge(now), replies.purge(now), devices.purge()]).catch((err) => {
      log.error({ err }, 'what is over could not be purged');
    });
  }, PURGE_EVERY_MS);

  process.on('SIGHUP', async () => {
    try {
      const reread = readConfig(env, readText);
      const newKeyring = loadKeyring(reread);
      await policy.reload();
      await ip.reload();
      keyring = newKeyring;
      log.info({}, 'keys and policy reloaded');
    } catch (err) {
      const told = err instanceof PolicyError ? { faults: err.faults } : { err };
      log.error(told, 'reload refused; the old keys and policy stay');
    }
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
  console.error(`Gatehouse ${version} at ${url}`);

  async function stop(signal: string): Promise<void> {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'stopping');
    clearInterval(purging);
    stopWatching();
    stopMeasuring();
    ip.stopWatching();
    await stopGracefully(server);
    await environment.close();
    process.exit(0);
  }
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void stop(signal));
}

function openAccess(environment: Environment): Access {
  return createAccess({
    keys: createLmdbKeys(environment),
    counters: createLmdbCounters(environment),
    clock: systemClock,
    random: systemRandom,
    digest: nodeDigest,
  });
}

function openDevices(environment: Environment): Devices {
  return createDevices({
    rows: createLmdbDevices(environment),
    clock: systemClock,
    random: systemRandom,
  });
}

/** Where the IP data is: the operator's folder, which must be there, or our own. */
function ipFolder({ GEOIP_DIR, DATA_DIR }: Config): string {
  if (GEOIP_DIR) return GEOIP_DIR;
  const own = join(DATA_DIR, 'ip');
  mkdirSync(own, { recursive: true });
  return own;
}

function createVerdict({ VERDICT_URL: url }: Config, log: Log): VerdictOf {
  if (!url) return async (visit) => builtInVerdict(visit);
  return createHttpVerdict({
    url,
    fallback: builtInVerdict,
    fetch,
    clock: systemClock,
    timer: systemTimer,
    log,
  });
}
