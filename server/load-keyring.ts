import { nodeDigest, systemRandom } from './base/system.ts';
import { type Config, ConfigError } from './config.ts';
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
