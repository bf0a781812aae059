import { systemRandom } from './base/system.ts';
import type { Config } from './config.ts';
import { SITE_ID_BYTES, writeSiteId } from './search/core/site.ts';
import { keepSecret } from './store/kept-secret.ts';

/** The id of the demo's search site: made once, and kept in the data folder. */
export const loadDemoSiteId = ({ DATA_DIR }: Config): string =>
  keepSecret(DATA_DIR, 'demo-site', () => writeSiteId(systemRandom.bytes(SITE_ID_BYTES))).text;
