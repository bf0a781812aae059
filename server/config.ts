import type { Rate } from './access/core/ports.ts';
import { type AddressSet, createAddressSet } from './base/address-set.ts';
import { ConfigError } from './config-error.ts';
import { readSpeed, readUserAgent } from './crawl/core/settings.ts';
import { type Allowed, readAllowed } from './outbound/reach.ts';
import type { SealingKey } from './pow/core/keyring.ts';
import { readSealingKeys } from './pow/sealing-keys.ts';

type Variable<Value> = {
  /** What is read where the environment says nothing; null where the value is then null. */
  fallback: string | null;
  meaning: string;
  /** A secret is also read from the file that `<NAME>_FILE` names, and is never printed. */
  isSecret?: true;
  /** @throws RangeError that says what was expected */
  read(text: string): Value;
};

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const variable = <Value>(declared: Variable<Value>) => declared;

/** Every variable of the environment that the server reads. The table in the README is made from this one. */
export const VARIABLES = {
  HOST: variable({
    fallback: '127.0.0.1',
    meaning: 'address to listen on; `0.0.0.0` or `::` for all',
    read: (text) => text,
  }),
  PORT: variable({ fallback: '8080', meaning: 'TCP port to listen on; 0 takes a free one', read: readPort }),
  DATA_DIR: variable({
    fallback: './data',
    meaning: 'folder of the LMDB environment and the made keys',
    read: (text) => text,
  }),
  WORKERS: variable({
    fallback: '1',
    meaning: 'server processes over one `DATA_DIR`; one of them does what is done once',
    read: readWorkers,
  }),
  REDIS_URL: variable<string | null>({
    fallback: null,
    meaning:
      'shared store of several servers, `redis://` or `rediss://`: spent challenges, throttles, quotas, API keys; without it they are in `DATA_DIR`',
    isSecret: true,
    read: readRedisUrl,
  }),
  POW_KEYS: variable<SealingKey[] | null>({
    fallback: null,
    meaning:
      'sealing keys `kid:base64,…`, each of 32 bytes or more: the first signs, all verify; without it one is made once and kept in `DATA_DIR`',
    isSecret: true,
    read: readSealingKeys,
  }),
  ADMIN_KEY: variable<string | null>({
    fallback: null,
    meaning:
      'opens the operator console at `/console`, and `/metrics` from elsewhere; without it one is made once, printed, and kept in `DATA_DIR/admin-key`',
    isSecret: true,
    read: readAdminKey,
  }),
  GATE_POLICY: variable<string | null>({
    fallback: null,
    meaning: 'path of the policy file; without it routes `chat` and `demo` are gated',
    read: (text) => text,
  }),
  ALLOWED_ORIGINS: variable({
    fallback: '',
    meaning: 'origins that may call with credentials and use the form widget, comma-separated',
    read: readOrigins,
  }),
  TRUSTED_PROXIES: variable<AddressSet>({
    fallback: '',
    meaning: 'addresses and CIDRs whose `X-Forwarded-For` is believed, comma-separated',
    read: (text) => createAddressSet(listOf(text)),
  }),
  OUTBOUND_ALLOW: variable<Allowed>({
    fallback: '',
    meaning:
      'hosts, addresses and CIDRs that requests to other servers may reach although not public, comma-separated',
    read: (text) => readAllowed(listOf(text)),
  }),
  THROTTLE_CHALLENGE: variable({
    fallback: '120/60',
    meaning: 'anonymous challenges, calls/seconds of one client network',
    read: readRate,
  }),
  THROTTLE_IP: variable({
    fallback: '60/60',
    meaning: 'anonymous IP look-ups, calls/seconds of one client network',
    read: readRate,
  }),
  GEOIP_DIR: variable<string | null>({
    fallback: null,
    meaning:
      'folder of MMDB files and of `hosting.txt`, `vpn.txt`, `tor.txt`, reloaded while running; without it `DATA_DIR/ip`, which `data update` fills; what it has not, the embedded snapshot answers',
    read: (text) => text,
  }),
  THROTTLE_SITES: variable({
    fallback: '30/3600',
    meaning: 'sites made without a key, calls/seconds of one client network',
    read: readRate,
  }),
  THROTTLE_SECRET: variable({
    fallback: '20/60',
    meaning:
      "wrong secrets of sites, calls/seconds of one client network; a site's right secret always counts",
    read: readRate,
  }),
  SITE_MAX_PAGES: variable({
    fallback: '1000000',
    meaning: "pages that a tenant's site may hold; a pilot's may hold 2,000",
    read: readCount,
  }),
  CRAWL_RATE: variable({ fallback: '2', meaning: 'pages a second of a crawl', read: readSpeed }),
  CRAWL_MAX_RATE: variable({ fallback: '100', meaning: 'pages a second, at most', read: readSpeed }),
  CRAWL_MAX_PAGES: variable({ fallback: '100000', meaning: 'addresses of a crawl', read: readCount }),
  CRAWL_USER_AGENT: variable({
    fallback: 'GatehouseBot',
    meaning: "the crawler's token, or a whole `User-Agent` that begins with it",
    read: readUserAgent,
  }),
  VERDICT_URL: variable<string | null>({
    fallback: null,
    meaning: 'URL of the component that tells humans, suspects and bots apart; without it the built-in does',
    read: readHttpUrl,
  }),
  CAPTCHA_CONFIG: variable<string | null>({
    fallback: null,
    meaning: 'path of the file that names a CAPTCHA service for slow devices; without it none is offered',
    read: (text) => text,
  }),
  THROTTLE_CAPTCHA: variable({
    fallback: '20/60',
    meaning: 'CAPTCHA answers, calls/seconds of one client network',
    read: readRate,
  }),
  CHAT_CONFIG: variable<string | null>({
    fallback: null,
    meaning: 'path of the table of language models and their providers; without it the model `echo` answers',
    read: (text) => text,
  }),
  DEMO: variable({
    fallback: '0',
    meaning: '1 serves the home page and the gated `/demo/`; `npm start` sets it',
    read: readSwitch,
  }),
  BENCH_PAGE: variable({
    fallback: '0',
    meaning: '1 serves the device page at `/bench` and takes its results; the demo has it anyway',
    read: readSwitch,
  }),
  DOCS_PAGES: variable({
    fallback: '0',
    meaning: '1 serves the documentation at `/docs/`; the demo has it anyway',
    read: readSwitch,
  }),
  LOG_LEVEL: variable({ fallback: 'info', meaning: `one of ${LOG_LEVELS.join(', ')}`, read: readLogLevel }),
} as const;

export type Config = { [Name in keyof typeof VARIABLES]: ReturnType<(typeof VARIABLES)[Name]['read']> };

/**
 * The configuration that `env` holds. An empty variable counts as not set.
 * @throws ConfigError with every fault at once
 */
export function readConfig(
  env: Record<string, string | undefined>,
  readFile: (path: string) => string,
): Config {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, declared] of Object.entries<Variable<unknown>>(VARIABLES)) {
    try {
      const text = textOf(name, declared, env, readFile) ?? declared.fallback;
      values[name] = text === null ? null : declared.read(text);
    } catch (error) {
      const file = declared.isSecret && !env[name] && env[`${name}_FILE`];
      faults.push(`${file ? `${name}_FILE ${file}` : name}: ${(error as Error).message}`);
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return values as Config;
}

function textOf(
  name: string,
  { isSecret }: Variable<unknown>,
  env: Record<string, string | undefined>,
  readFile: (path: string) => string,
): string | undefined {
  const text = env[name] || undefined;
  const path = (isSecret && env[`${name}_FILE`]) || undefined;
  if (text && path) throw new RangeError(`expected ${name} or ${name}_FILE, got both`);
  return path ? readFile(path).trim() : text;
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new RangeError(`expected a port 0..65535, got ${JSON.stringify(text)}`);
  return port;
}

// More processes than any machine has use for: a slip of the keyboard.
const MOST_WORKERS = 256;

function readWorkers(text: string): number {
  const workers = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (!(workers >= 1 && workers <= MOST_WORKERS)) {
    throw new RangeError(`expected 1 to ${MOST_WORKERS}, got ${JSON.stringify(text)}`);
  }
  return workers;
}

/** The text is a secret, so a fault does not repeat it. */
function readRedisUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^rediss?:$/.test(url.protocol) || url.hostname === '' || !/^\/?\d{0,5}$/.test(url.pathname)) {
    throw new RangeError('expected redis://[user:password@]host[:port][/database], or rediss:// for TLS');
  }
  return url.href;
}

function readRate(text: string): Rate {
  const [, calls, secs] = /^(\d{1,10})\/(\d{1,5})$/.exec(text) ?? [];
  if (!(Number(calls) >= 1 && Number(secs) >= 1)) {
    throw new RangeError(`expected calls/seconds such as 120/60, got ${JSON.stringify(text)}`);
  }
  return { calls: Number(calls), secs: Number(secs) };
}

function readAdminKey(text: string): string {
  // RFC 6750 §2.1: what may stand behind `Bearer`. Our choice of the least length: shorter ones can be guessed.
  if (!/^[A-Za-z0-9._~+/-]{20,256}=*$/.test(text)) {
    throw new RangeError('expected 20 to 256 of A-Z a-z 0-9 . _ ~ + / -');
  }
  return text;
}

function readCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new RangeError(`expected a whole number from 1, got ${JSON.stringify(text)}`);
  return Number(text);
}

function readSwitch(text: string): boolean {
  if (text !== '0' && text !== '1') throw new RangeError(`expected 0 or 1, got ${JSON.stringify(text)}`);
  return text === '1';
}

function readLogLevel(text: string): (typeof LOG_LEVELS)[number] {
  const level = LOG_LEVELS.find((known) => known === text);
  if (!level) throw new RangeError(`expected one of ${LOG_LEVELS.join(', ')}, got ${JSON.stringify(text)}`);
  return level;
}

function readOrigins(text: string): string[] {
  return listOf(text).map((origin) => {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new RangeError(`expected origins such as https://www.example.org, got ${JSON.stringify(origin)}`);
    }
    return origin;
  });
}

function readHttpUrl(text: string): string {
  const url = URL.parse(text);
  // fetch refuses a URL with credentials; whatever the component takes as a secret can stand in the query.
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new RangeError('expected an http(s) URL without credentials');
  }
  return url.href;
}

const listOf = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** The table of the README: name, default, meaning. */
export function configTable(): string {
  const rows = Object.entries<Variable<unknown>>(VARIABLES).map(([name, { fallback, meaning, isSecret }]) => {
    const names = isSecret ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``;
    return `| ${names} | ${fallback ? `\`${fallback}\`` : 'none'} | ${meaning} |`;
  });
  return ['| name | default | meaning |', '|---|---|---|', ...rows].join('\n');
}
