import { join } from 'node:path';
import type { OpenCallCounts } from './access/core/ports.ts';
import { type Access, createAccess } from './access/service.ts';
import type { Outbound } from './base/outbound.ts';
import type { Log } from './base/ports.ts';
import { nodeDigest, systemClock, systemRandom, systemTimer } from './base/system.ts';
import type { Config } from './config.ts';
import { createDevices, type Devices } from './devices/service.ts';
import type { Intelligence } from './ip/service.ts';
import { readOperatorFile } from './operator-file.ts';
import { type Captcha, createCaptcha } from './pow/captcha.ts';
import { readCaptchaConfig } from './pow/captcha-file.ts';
import type { Policy } from './pow/core/policy.ts';
import { builtInVerdict, type VerdictOf } from './pow/core/verdict.ts';
import type { IsVerifiedBot } from './pow/core/verified-bots.ts';
import { createDnsResolver } from './pow/dns-resolver.ts';
import { createHttpVerdict } from './pow/http-verdict.ts';
import { createScoreVerdict } from './pow/score-verdict.ts';
import { createVerifyBots } from './pow/verify-bots.ts';
import { prepareDataFolder } from './store/data-folder.ts';
import type { Environment } from './store/environment.ts';
import { createLmdbDevices } from './store/lmdb-devices.ts';
import { createLmdbState, openRedisState, type SharedState } from './store/shared-state.ts';

// The parts that the server and the commands are both made of, on the real world's time, chance and disk.

/** What several processes or servers know together: in Redis where one is named, else in the environment. */
export async function openState(
  config: Config,
  environment: Environment,
  log: Log,
  openCallCounts: OpenCallCounts,
): Promise<SharedState> {
  return config.REDIS_URL
    ? openRedisState(config.REDIS_URL, { clock: systemClock, timer: systemTimer, log })
    : createLmdbState(environment, openCallCounts);
}

export const openAccess = ({ keys, counters }: SharedState): Access =>
  createAccess({ keys, counters, clock: systemClock, random: systemRandom, digest: nodeDigest });

export const openDevices = (environment: Environment): Devices =>
  createDevices({ rows: createLmdbDevices(environment), clock: systemClock, random: systemRandom });

/** Where the IP data is: the operator's folder, which must be there, or our own. */
export function ipFolder({ GEOIP_DIR, DATA_DIR }: Config): string {
  if (GEOIP_DIR) return GEOIP_DIR;
  const own = join(DATA_DIR, 'ip');
  prepareDataFolder(own);
  return own;
}

/**
 * What tells humans, suspects and bots apart: the operator's own component or the built-in, with the signup score where
 * the policy asks for it; and what proves search engines by DNS.
 */
export function openJudgement({
  config,
  log,
  policy,
  intelligence,
}: {
  config: Config;
  log: Log;
  policy(): Policy;
  intelligence: Intelligence;
}): { verdictOf: VerdictOf; isVerifiedBot: IsVerifiedBot } {
  const world = { clock: systemClock, timer: systemTimer };
  const { VERDICT_URL: url } = config;
  const verdictOf: VerdictOf = url
    ? createHttpVerdict({ url, fallback: builtInVerdict, fetch, ...world, log })
    : builtInVerdict;
  return {
    verdictOf: createScoreVerdict({
      verdictOf,
      isOn: () => policy().usesIpScore,
      isRisky: ({ address, headers = null }) =>
        intelligence.score({ address, headers, email: null }).decision === 'captcha',
    }),
    isVerifiedBot: createVerifyBots({ createResolver: createDnsResolver, ...world }),
  };
}

/** The CAPTCHA service that is configured, or null. @throws CaptchaConfigError, or Error where it cannot be read */
export const openCaptcha = (
  { CAPTCHA_CONFIG: path }: Config,
  outbound: Outbound,
  log: Log,
): Captcha | null =>
  path === null
    ? null
    : createCaptcha({ settings: readCaptchaConfig(path, readOperatorFile(path)), outbound, log });
