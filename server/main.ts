import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { runKeysCommand } from './access/keys-command.ts';
import { type Access, createAccess } from './access/service.ts';
import { createThrottle } from './access/throttle.ts';
import { type Log, nowSecs } from './base/ports.ts';
import { nodeDigest, systemClock, systemRandom, systemTimer } from './base/system.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { createApp } from './http/app.ts';
import { describeError } from './http/log-error.ts';
import { refuseRawRequests } from './http/refuse-raw-requests.ts';
import { stopGracefully } from './http/stop-gracefully.ts';
import { openSiteSearch } from './open-site-search.ts';
import { createKeyring, type Keyring } from './pow/core/keyring.ts';
import { builtInVerdict, type VerdictOf } from './pow/core/verdict.ts';
import { createDnsResolver } from './pow/dns-resolver.ts';
import { createHttpVerdict } from './pow/http-verdict.ts';
import { openLivePolicy } from './pow/live-policy.ts';
import { PolicyError } from './pow/policy-file.ts';
import { readSealingKeys } from './pow/sealing-keys.ts';
import { createGate } from './pow/service.ts';
import { createVerifyBots } from './pow/verify-bots.ts';
import type { IndexBackend } from './search/core/ports.ts';
import { runSolveCommand, solveInWasm } from './solve-command.ts';
import { type Environment, isCommitFailure, openEnvironment } from './store/environment.ts';
import { keepSecret } from './store/kept-secret.ts';
import { createLmdbCounters } from './store/lmdb-counters.ts';
import { createLmdbKeys } from './store/lmdb-keys.ts';
import { createLmdbReplies } from './store/lmdb-replies.ts';
import { createLmdbSpent } from './store/lmdb-spent.ts';

const USAGE = `gatehouse serve [--demo]
  run the server; --demo serves the home page and a gated demo as well
gatehouse keys issue --tier free|pro|enterprise --tenant NAME [--route ID …]
  make an API key; it is printed once and kept as a hash only
gatehouse keys list
gatehouse keys revoke KEY_ID
gatehouse solve URL
  pay what the gate in front of URL asks, and print the cookie that opens it
gatehouse --version`;

const PURGE_EVERY_MS = 60_000;
// Longer than the idle time of the usual proxies (60 s), so that it is they who close a connection.
const KEEP_ALIVE_MS = 75_000;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const readText = (path: string) => readFileSync(path, 'utf8');
const { version } = JSON.parse(readText(here('../package.json'))) as { version: string };

type Env = Record<string, string | undefined>;

/** The command line. Ends the process with status 1 and one clear message where the configuration is at fault. */
export async function main(args: readonly string[], env: Env): Promise<void> {
  const [command, ...options] = args;
  if (command === '--version') return console.log(version);
  try {
    if (command === 'keys') return await keys(options, env);
    if (command === 'solve') {
      process.exitCode = await runSolveCommand(options, { fetch, solve: solveInWasm, output: console });
      return;
    }
    if (command === 'serve' && options.every((option) => option === '--demo')) {
      return await serve(options.includes('--demo') && !env.DEMO ? { ...env, DEMO: '1' } : env);
    }
    console.error(USAGE);
    process.exitCode = command === undefined || command === '--help' ? 0 : 2;
  } catch (error) {
    // What the operator can mend is told in a line; a TypeError or the like is a bug of ours and comes with its place.
    const { message, stack, code } = error as Error & { code?: string };
    const isBug =
      error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
    console.error(`gatehouse: ${isBug && !code ? stack : message}`);
    process.exit(1);
  }
}

/** The `keys` commands, on the data folder of the server, which may be running. */
async function keys(args: readonly string[], env: Env): Promise<void> {
  const config = readConfig(env, readText);
  const environment = await openEnvironment(config.DATA_DIR);
  try {
    process.exitCode = await runKeysCommand(args, openAccess(environment), console);
  } finally {
    await environment.close();
  }
}

/** Wires everything and listens, until a signal ends it. */
async function serve(env: Env): Promise<void> {
  const config = readConfig(env, readText);
  const log = pino({
    level: config.LOG_LEVEL,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  });
  const environment = await openEnvironment(config.DATA_DIR);
  const spent = createLmdbSpent(environment);
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

  const gate = createGate({
    policy: policy.current,
    keyring: () => keyring,
    spent,
    clock: systemClock,
    random: systemRandom,
    digest: nodeDigest,
  });
  const access = openAccess(environment);
  const index = openIndex(environment);
  const siteSearch = index && openSiteSearch({ environment, index, access, config, log });
  const app = createApp({
    version,
    ...access,
    siteSearch: siteSearch?.deps ?? null,
    replies,
    digest: nodeDigest,
    throttleChallenge: createThrottle('challenge', config.THROTTLE_CHALLENGE),
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
    probe: environment.probe,
    isStopping: () => isStopping,
    isDemo: config.DEMO,
  });

  const purging = setInterval(() => {
    const now = nowSecs(systemClock);
    Promise.all([spent.purge(now), replies.purge(now)]).catch((err) => {
      log.error({ err }, 'what is over could not be purged');
    });
  }, PURGE_EVERY_MS);

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

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false }, app.callback());
  refuseRawRequests(server, systemRandom);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.PORT, config.HOST, resolve);
  });
  const { port } = server.address() as AddressInfo;
  console.error(`Gatehouse ${version} at http://${hostText(config.HOST)}:${port}/`);

  async function stop(signal: string): Promise<void> {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'stopping');
    clearInterval(purging);
    stopWatching();
    await stopGracefully(server);
    await siteSearch?.close();
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

/** The index of website search; without one nothing stands under `/sites`. */
function openIndex(_environment: Environment): IndexBackend | null {
  return null; // THE INDEX GOES HERE: createLmdbIndex(environment, deps)
}

function loadKeyring(config: Config): Keyring {
  if (config.POW_KEYS) return createKeyring(config.POW_KEYS, nodeDigest);
  const kept = keepSecret(
    config.DATA_DIR,
    'pow-keys',
    () => `1:${Buffer.from(systemRandom.bytes(32)).toString('base64')}`,
  );
  if (kept.isNew) console.error(`No POW_KEYS given: made one and kept it in ${config.DATA_DIR}/pow-keys`);
  try {
    return createKeyring(readSealingKeys(kept.text), nodeDigest);
  } catch (error) {
    throw new ConfigError([`${config.DATA_DIR}/pow-keys: ${(error as Error).message}`]);
  }
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

/** The host of a URL to open: brackets around IPv6, and a name for the loopback. */
function hostText(host: string): string {
  if (host === '127.0.0.1' || host === '::1') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
