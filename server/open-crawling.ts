import type { Outbound } from './base/outbound.ts';
import type { Log } from './base/ports.ts';
import { nodeDigest, systemTimer } from './base/system.ts';
import type { Config } from './config.ts';
import { type DemoSite, openDemoSite } from './demo-site.ts';
import type { Library } from './docs/library.ts';
import { loadDemoSiteId } from './load-demo-site-id.ts';
import { openCrawler } from './open-crawler.ts';
import { openOwnOrigin } from './own-origin.ts';
import type { Search } from './search/service.ts';
import type { Environment } from './store/environment.ts';
import { createLmdbCrawls } from './store/lmdb-crawls.ts';

export type OpenCrawlingDeps = {
  environment: Environment;
  search: Search;
  outbound: Outbound;
  config: Config;
  version: string;
  /** The documentation as it is served; null where it is not. */
  library: Library | null;
  log: Log;
};

/** Wires the crawler of a server, and in the demo the site that it fills by itself. */
export function openCrawling({ environment, search, outbound, library, ...rest }: OpenCrawlingDeps): {
  crawler: ReturnType<typeof openCrawler>;
  demoSite: DemoSite | null;
} {
  const { config } = rest;
  const store = createLmdbCrawls(environment);
  if (!config.DEMO || !library) {
    return { crawler: openCrawler({ search, store, outboundOf: () => outbound, ...rest }), demoSite: null };
  }
  const siteId = loadDemoSiteId(config);
  const own = openOwnOrigin(outbound, systemTimer);
  const outboundOf = (asked: string) => (asked === siteId ? own.outbound : outbound);
  const crawler = openCrawler({ search, store, outboundOf, ...rest });
  const { crawls } = crawler;
  const demoSite = openDemoSite({
    siteId,
    search,
    crawls,
    library,
    environment,
    own,
    digest: nodeDigest,
    ...rest,
  });
  return { crawler, demoSite };
}
