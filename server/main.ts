import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import type { OpenCallCounts } from './access/core/ports.ts';
import { runKeysCommand } from './access/keys-command.ts';
import { type Access, createAccess } from './access/service.ts';
import { createThrottle } from './access/throttle.ts';
import { type Log, nowSecs } from './base/ports.ts';
import { nodeDigest, systemClock, systemRandom, systemTimer } from './base/system.ts';
import { runCommandLine } from './command-line.ts';
import { type Config, readConfig } from './config.ts';
import { createApp } from './http/app.ts';
import { listen } from './http/listen.ts';
import { describeError } from './http/log-error.ts';
import { stopGracefully } from './http/stop-gracefully.ts';
import { loadKeyring } from './load-keyring.ts';
import { builtInVerdict, type VerdictOf } from './pow/core/verdict.ts';
import { createDnsResolver } from './pow/dns-resolver.ts';
import { createHttpVerdict } from './pow/http-verdict.ts';
import { openLivePolicy } from './pow/live-policy.ts';
import { PolicyError } from './pow/policy-file.ts';
import { createGate } from './pow/service.ts';
import { createVerifyBots } from './pow/verify-bots.ts';
import { runPrimary } from './primary.ts';
import { joinSiblings } from './siblings.ts';
import { runSolveCommand, solveInWasm } from './solve-command.ts';
import { countCallsForWorkers } from './store/cluster-call-counts.ts';
import { type Environment, isCommitFailure, openEnvironment } from './store/environment.ts';
import { openMemoryCallCounts } from './store/memory-call-counts.ts';
import { createLmdbState, openRedisState, type SharedState } from './store/shared-state.ts';

const PURGE_EVERY_MS = 60_000;
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const readText = (path: string) => readFileSync(path, 'utf8');
const { version } = JSON.parse(readText(here('../package.json'))) as { version: string };

// What a command tells beside its result: that there is no store.
const quietLog: Log = {
  info() {},
  warn() {},
  error: (fields, message) =>
    console.error(`gatehouse: ${message}: ${(fields as { err?: Error }).err?.message}`),
};

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
      solve: {
        usage: `gatehouse solve URL
  pay what the gate in front of URL asks, and print the cookie that opens it`,
        run: (options) => runSolveCommand(options, { fetch, solve: solveInWasm, output: console }),
      },
    },
  });

/** The `keys` commands, on the stores of the server, which may be running. */
async function keys(args: readonly string[], env: Env): Promise<number> {
  const config = readConfig(env, readText);
  const environment = await openEnvironment(config.DATA_DIR);
  const state = await openState(config, environment, quietLog, openMemoryCallCounts);
  try {
    return await runKeysCommand(args, openAccess(state), console);
  } finally {
    state.close();
    await environment.close();
  }
}

/** Wires everything and listens, until a signal ends it. */
async function serve(env: Env): Promise<undefined> {
  const config = readConfig(env, readText);
  const log = pino({
    level: config.LOG_LEVEL,
    base: cluster.isWorker ? { pid: process.pid } : null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  });
  const announce = (url: string) => console.error(`Gatehouse ${version} at ${url}`);
  if (config.WORKERS > 1 && cluster.isPrimary) {
    countCallsForWorkers();
    runPrimary({ count: config.WORKERS, clock: systemClock, timer: systemTimer, log, announce });
    return;
  }
  const siblings = joinSiblings(log, announce);
  const environment = await openEnvironment(config.DATA_DIR);
  const state = await openState(config, environment, log, siblings.openCallCounts);

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

  const gate = createGate({
    policy: policy.current,
    keyring: () => keyring,
    spent: state.spent,
    clock: systemClock,
    random: systemRandom,
    digest: nodeDigest,
  });
  const access = openAccess(state);
  const app = createApp({
    version,
    ...access,
    replies: state.replies,
    digest: nodeDigest,
    throttleChallenge: createThrottle('challenge', config.THROTTLE_CHALLENGE, state.openCallCounts),
    clock: systemClock,
    random: systemRandom,
    log,
    trustedProxies: config.TRUSTED_PROXIES,
    allowedOrigins: config.ALLOWED_ORIGINS,
    gate,
    policy: policy.current,
    verdictOf: createVerdict(config, log),
    isVerifiedBot: createVerifyBots({
      createResolver: createDnsResolver,
      clock: systemClock,
      timer: systemTimer,
    }),
    browserFolder: here('../build/browser'),
    probe: async () => void (await Promise.all([environment.probe(), state.probe()])),
    isStopping: () => isStopping,
    isDemo: config.DEMO,
  });

  let purging: NodeJS.Timeout | undefined;
  siblings.whenLeading(() => {
    purging = setInterval(() => {
      const now = nowSecs(systemClock);
      Promise.all([state.spent.purge(now), state.replies.purge(now)]).catch((err) => {
        log.error({ err }, 'what is over could not be purged');
      });
    }, PURGE_EVERY_MS);
  });

  process.on('SIGHUP', async () => {
    try {
      const reread = readConfig(env, readText);
      const newKeyring = loadKeyring(reread);
      await policy.reload();
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

  async function stop(signal: string): Promise<void> {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'stopping');
    clearInterval(purging);
    stopWatching();
    await stopGracefully(server);
    state.close();
    await environment.close();
    process.exit(0);
  }
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void stop(signal));
  siblings.announce(url);
}

/** What several processes or servers know together: in Redis where one is named, else in the environment. */
async function openState(
  config: Config,
  environment: Environment,
  log: Log,
  openCallCounts: OpenCallCounts,
): Promise<SharedState> {
  return config.REDIS_URL
    ? openRedisState(config.REDIS_URL, { clock: systemClock, timer: systemTimer, log })
    : createLmdbState(environment, openCallCounts);
}

function openAccess({ keys, counters }: SharedState): Access {
  return createAccess({
    keys,
    counters,
    clock: systemClock,
    random: systemRandom,
    digest: nodeDigest,
  });
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
