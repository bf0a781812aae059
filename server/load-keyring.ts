import type { Log } from './base/ports.ts';
import { nodeDigest, systemRandom } from './base/system.ts';
import type { Config } from './config.ts';
import { ConfigError } from './config-error.ts';
import { createKeyring, type Keyring } from './pow/core/keyring.ts';
import { readSealingKeys } from './pow/sealing-keys.ts';
import { keepSecret } from './store/kept-secret.ts';

/**
 * The ring of `POW_KEYS`; without these, of the key that is made once and kept in the data folder.
 * @throws ConfigError where the kept file is at fault
 */
export function loadKeyring(config: Config): Keyring {
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

/** Tells of servers that share what was spent and cannot read what the others seal; a server alone with its Redis is fine. */
export function warnOfOwnKeys({ REDIS_URL, POW_KEYS, DATA_DIR }: Config, log: Log): void {
  if (!REDIS_URL || POW_KEYS) return;
  log.warn(
    { kept: `${DATA_DIR}/pow-keys` },
    'REDIS_URL without POW_KEYS: this server seals with a key of its own, so that a challenge or passport of another ' +
      'server is refused here (seal-invalid); where there are several, give all of them the same POW_KEYS',
  );
}
