import { systemRandom } from './base/system.ts';
import { type Config, VARIABLES } from './config.ts';
import { ConfigError } from './config-error.ts';
import { keepSecret } from './store/kept-secret.ts';

/** `ADMIN_KEY`; without it, the key that is made once, printed then, and kept in the data folder. @throws ConfigError where the kept one is at fault */
export function loadAdminKey(config: Config): string {
  if (config.ADMIN_KEY) return config.ADMIN_KEY;
  const kept = keepSecret(config.DATA_DIR, 'admin-key', () =>
    Buffer.from(systemRandom.bytes(32)).toString('base64url'),
  );
  // Printed this once; later it is read from the file.
  if (kept.isNew)
    console.error(`No ADMIN_KEY given: made ${kept.text} and kept it in ${config.DATA_DIR}/admin-key`);
  try {
    return VARIABLES.ADMIN_KEY.read(kept.text) as string;
  } catch (error) {
    throw new ConfigError([`${config.DATA_DIR}/admin-key: ${(error as Error).message}`]);
  }
}
