import type { Rate } from './access/core/ports.ts';
import type { Access } from './access/service.ts';
import type { Throttle } from './access/throttle.ts';
import { type Log, nowSecs } from './base/ports.ts';
import { nodeDigest, systemClock, systemRandom, systemTimer } from './base/system.ts';
import type { Config } from './config.ts';
import type { AppDeps } from './http/app.ts';
import type { IndexBackend } from './search/core/ports.ts';
import { dayOf, KEPT_DAYS } from './search/core/query-counts.ts';
import { createExtractPage } from './search/extract-page.ts';
import { createQueryLog } from './search/query-log.ts';
import { createSearch } from './search/service.ts';
import { startSweeping } from './search/sweep.ts';
import type { Environment } from './store/environment.ts';
import { createLmdbQueryCounts } from './store/lmdb-query-counts.ts';
import { createLmdbSites } from './store/lmdb-sites.ts';

const SWEEP_EVERY_MS = 600_000;
const FLUSH_EVERY_MS = 60_000;
const DAY_MS = 86_400_000;

export type OpenSiteSearchDeps = {
  environment: Environment;
  index: IndexBackend;
  access: Access;
  config: Config;
  log: Log;
  /** What metas are addressed to us by. */
  token: string;
  throttle(name: string, rate: Rate): Throttle;
};

/** Wires website search over an index. `close` writes down what waits in memory. */
export function openSiteSearch({
  environment,
  index,
  access,
  config,
  log,
  token,
  throttle,
}: OpenSiteSearchDeps): {
  deps: NonNullable<AppDeps['siteSearch']>;
  /** Deletes what nobody uses, until the function that it gives is called; for one process of a server. */
  startSweeping(): () => void;
  close(): Promise<void>;
} {
  const sites = createLmdbSites(environment);
  const counts = createLmdbQueryCounts(environment);
  const queryLog = createQueryLog({ store: counts, clock: systemClock, log });
  const search = createSearch({
    sites,
    index,
    queryLog,
    mostPages: config.SITE_MAX_PAGES,
    clock: systemClock,
    random: systemRandom,
    digest: nodeDigest,
    log,
  });

  const flushing = setInterval(() => {
    const oldest = dayOf(nowSecs(systemClock) * 1000 - KEPT_DAYS * DAY_MS);
    Promise.all([queryLog.flush(), counts.purge(oldest)]).catch((err) => {
      log.error({ err }, 'counts of queries could not be written');
    });
  }, FLUSH_EVERY_MS);

  return {
    deps: {
      search,
      extractPage: createExtractPage(token),
      throttleSites: throttle('sites', config.THROTTLE_SITES),
      throttleSecret: throttle('secret', config.THROTTLE_SECRET),
    },
    startSweeping: () =>
      startSweeping(
        {
          sites,
          drop: search.drop,
          subscribers: access.subscribers,
          clock: systemClock,
          timer: systemTimer,
          log,
        },
        SWEEP_EVERY_MS,
      ),
    async close() {
      clearInterval(flushing);
      await queryLog.flush().catch((err) => log.error({ err }, 'counts of queries were lost'));
      await index.close();
    },
  };
}
