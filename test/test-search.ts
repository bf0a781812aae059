import type { Response } from 'light-my-request';
import type { Rate } from '../server/access/core/ports.ts';
import { createThrottle } from '../server/access/throttle.ts';
import type { Timer } from '../server/base/ports.ts';
import { nodeDigest } from '../server/base/system.ts';
import type { CrawlStore } from '../server/crawl/core/ports.ts';
import { createCrawls } from '../server/crawl/service.ts';
import { createPageSink } from '../server/open-crawler.ts';
import type { IndexBackend } from '../server/search/core/ports.ts';
import { createExtractPage } from '../server/search/extract-page.ts';
import { isSelector } from '../server/search/html-selector.ts';
import { createQueryLog } from '../server/search/query-log.ts';
import { createSearch } from '../server/search/service.ts';
import { openMemoryCallCounts } from '../server/store/memory-call-counts.ts';
import { createMemoryQueryCounts, createMemorySites } from './memory-sites.ts';
import { createMemoryIndex } from './server/search/memory-index.ts';
import { createTestApp, type TestAppOptions } from './test-app.ts';
import { createTestRandom } from './test-gate.ts';

export type TestSearchOptions = Omit<TestAppOptions, 'siteSearch'> & {
  sites?: Rate;
  secret?: Rate;
  mostPages?: number;
  /** Where crawls are kept, and the time that its events go by; without it nothing crawls. */
  crawlStore?: { store: CrawlStore; timer: Timer };
  /** Stands in front of the index, to fail or to wait. */
  wrapIndex?: (index: IndexBackend) => IndexBackend;
};

export type TestSite = { siteId: string; siteSecret: string };

const BOUNDLESS: Rate = { calls: 1e9, secs: 60 };

/** The real app with a search over stores in memory, and calls as the owner of a site makes them. */
export function createTestSearch(options: TestSearchOptions = {}) {
  const sites = createMemorySites();
  const index = createMemoryIndex();
  const counts = createMemoryQueryCounts();
  const made: { search?: ReturnType<typeof createSearch>; queryLog?: ReturnType<typeof createQueryLog> } = {};
  const crawling = options.crawlStore;
  const world = createTestApp({
    ...options,
    crawling: (clock) =>
      crawling
        ? {
            crawls: createCrawls({
              store: crawling.store,
              sink: createPageSink(made.search as ReturnType<typeof createSearch>),
              rate: 2,
              clock,
              random: createTestRandom(),
            }),
            isSelector,
            timer: crawling.timer,
            isStopping: () => world.appState.isStopping,
          }
        : null,
    siteSearch(clock, log) {
      const queryLog = createQueryLog({ store: counts, clock, log });
      const search = createSearch({
        sites,
        index: options.wrapIndex?.(index) ?? index,
        queryLog,
        mostPages: options.mostPages ?? 100_000,
        clock,
        random: createTestRandom(),
        digest: nodeDigest,
        log,
      });
      Object.assign(made, { search, queryLog });
      return {
        search,
        extractPage: createExtractPage('GatehouseBot'),
        throttleSites: createThrottle('sites', options.sites ?? BOUNDLESS, openMemoryCallCounts),
        throttleSecret: createThrottle('secret', options.secret ?? BOUNDLESS, openMemoryCallCounts),
      };
    },
  });
  const { request } = world;

  const makeSite = async (key?: string): Promise<TestSite> =>
    (await request({ method: 'POST', url: '/sites', ...(key && { headers: { 'x-api-key': key } }) })).json();

  /** The path of something of a site, with its secret and more of a query. */
  const pathOf = ({ siteId, siteSecret }: TestSite, path = '', query: Record<string, string> = {}): string =>
    `/sites/${siteId}${path}?${new URLSearchParams({ siteSecret, ...query })}`;

  const putJson = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    request({
      method: 'PUT',
      url,
      headers: { 'content-type': 'application/json', ...headers },
      payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    });

  const putPages = (site: TestSite, body: unknown): Promise<Response> =>
    putJson(pathOf(site, '/pages'), body);

  const find = async (site: TestSite, query: string, more: Record<string, string> = {}) =>
    (await request(`/sites/${site.siteId}/search?${new URLSearchParams({ query, ...more })}`)).json();

  const { search, queryLog } = made as Required<typeof made>;
  return { ...world, sites, index, counts, search, queryLog, makeSite, pathOf, putJson, putPages, find };
}

/** A page of `example.org`, of this path. */
export const page = (path: string, more: object = {}) => ({
  title: `Title of ${path}`,
  body: `Text of ${path}`,
  url: `https://example.org/${path}`,
  ...more,
});
