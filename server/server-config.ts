import { opendirSync, statSync } from 'node:fs';
import { nodeDigest } from './base/system.ts';
import { readChatConfig } from './chat/config-file.ts';
import { type Config, readConfig, VARIABLES } from './config.ts';
import { ConfigError } from './config-error.ts';
import { createLookUp, readOperatorFile, readOperatorJson } from './operator-file.ts';
import { readCaptchaConfig } from './pow/captcha-file.ts';
import { readPolicy } from './pow/policy-file.ts';
import { prepareDataFolder } from './store/data-folder.ts';

type Env = Record<string, string | undefined>;

/** Every variable that names a file, and how its content is read. @throws (each) Error, of one fault or of several */
const FILES: Record<string, (path: string, env: Env) => unknown> = {
  GATE_POLICY: (path) => readPolicy(readOperatorJson(path), nodeDigest),
  CAPTCHA_CONFIG: (path) => readCaptchaConfig(path, JSON.stringify(readOperatorJson(path))),
  CHAT_CONFIG: (path, env) => readChatConfig(JSON.stringify(readOperatorJson(path)), createLookUp(env)),
  GEOIP_DIR: readFolder,
};

/**
 * The configuration of a server. All that it names on the disk is looked at before anything is opened or made: what is
 * wrong is told in one go, each fault with its variable, the path and what to do.
 * @throws ConfigError with every fault at once
 */
export function readServerConfig(env: Env): Config {
  const faults: string[] = [];
  let config: Config | undefined;
  try {
    config = readConfig(env, readOperatorFile);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    faults.push(...error.faults);
  }
  for (const [name, read] of Object.entries(FILES)) {
    const path = env[name];
    if (!path) continue;
    try {
      read(path, env);
    } catch (error) {
      const { faults: several, message } = error as Error & { faults?: readonly string[] };
      faults.push(...(several ?? [message]).map((fault) => `${name} ${path}: ${fault}`));
    }
  }
  try {
    prepareDataFolder(env.DATA_DIR || (VARIABLES.DATA_DIR.fallback as string));
  } catch (error) {
    faults.push((error as Error).message);
  }
  if (config === undefined || faults.length > 0) throw new ConfigError(faults);
  return config;
}

function readFolder(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new Error('expected a folder, found nothing there: correct the path, or make the folder');
  if (!stats.isDirectory()) throw new Error('expected a folder, found a file: name the folder that it is in');
  try {
    opendirSync(path).closeSync();
  } catch (cause) {
    throw new Error('the user that runs Gatehouse may not read it: change its owner or its mode', { cause });
  }
}
