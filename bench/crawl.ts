import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, fetch } from 'undici';
import { nodeDigest, systemClock, systemRandom, systemTimer } from '../server/base/system.ts';
import { runCrawl } from '../server/crawl/run-crawl.ts';
import { openCrawler } from '../server/open-crawler.ts';
import { createOutbound } from '../server/outbound/guarded-fetch.ts';
import { readAllowed } from '../server/outbound/reach.ts';
import { createQueryLog } from '../server/search/query-log.ts';
import { createSearch } from '../server/search/service.ts';
import { createTextTools } from '../server/search/text/text-tools.ts';
import { openEnvironment } from '../server/store/environment.ts';
import { createLmdbCrawls } from '../server/store/lmdb-crawls.ts';
import { createLmdbQueryCounts } from '../server/store/lmdb-query-counts.ts';
import { createLmdbSites } from '../server/store/lmdb-sites.ts';
import { createLmdbIndex } from '../server/store/search/lmdb-backend.ts';
import { processCpuMs } from './cpu-clock.ts';
import { makePages, readPages, type WebPage } from './crawl-pages.ts';
import { type Row, runRounds, type Sample } from './rounds.ts';
import { openStaticSite } from './static-site.ts';
import { expectRight } from './wrong-answer.ts';

const MADE_PAGES = 2_000;
// As many as the crawler has under way at most.
const IN_FLIGHT = 32;
const WITHOUT_POLITENESS = 1e6;
const quiet = { info() {}, warn() {}, error: console.error };

/**
 * A crawl of a static site on the loopback beside the mere fetching of the same pages: pages a second by the clock on the
 * wall, since the index commits and the server works beside.
 * @param file a collection, gzipped lines of `title` and `text`; null makes pages
 */
export async function measureCrawl({
  rounds,
  file,
}: {
  rounds: number;
  file: string | null;
}): Promise<{ rows: Row[]; notes: string[] }> {
  const pages = file === null ? makePages(MADE_PAGES) : readPages(file);
  const site = await openStaticSite(pages);
  const spentMs = new Map<string, number[]>();
  const sampled = (name: string, run: (timed: Timed) => Promise<number>) => async (): Promise<Sample> => {
    let [wallMs, computedMs] = [0, 0];
    const checked = await run(async (task) => {
      const [fromMs, fromCpuMs] = [performance.now(), processCpuMs()];
      await task();
      wallMs = performance.now() - fromMs;
      computedMs = processCpuMs() - fromCpuMs;
    });
    const perSecond = (checked / wallMs) * 1_000;
    spentMs.set(name, [...(spentMs.get(name) ?? []), computedMs / checked]);
    expectRight(
      name,
      () => checked === pages.length,
      () => `${checked} of ${pages.length} pages`,
    );
    return { perSecond, checked };
  };
  const contender = (name: string, baseline: string | null, run: (timed: Timed) => Promise<number>) => ({
    name,
    baseline,
    sample: sampled(name, run),
  });
  const bare = 'pages, fetched by undici and thrown away';
  try {
    const rows = await runRounds(
      [
        contender(bare, null, (timed) => fetchAll(site.origin, pages, timed)),
        contender('pages, crawled into nothing', bare, (timed) => crawlAll(site.origin, false, timed)),
        contender('pages, crawled and indexed', bare, (timed) => crawlAll(site.origin, true, timed)),
      ],
      rounds,
    );
    const notes = [...spentMs].map(
      ([name, all]) => `${name}: ${median(all.slice(1)).toFixed(2)} ms of processor time each, all threads`,
    );
    const bytes = pages.reduce((sum, { html }) => sum + Buffer.byteLength(html), 0);
    return { rows, notes: [`${pages.length} pages of ${Math.round(bytes / pages.length)} bytes`, ...notes] };
  } finally {
    await site.close();
  }
}

/** Runs what is measured; opening and closing around it is not. */
type Timed = (task: () => Promise<void>) => Promise<void>;

async function fetchAll(origin: string, pages: readonly WebPage[], timed: Timed): Promise<number> {
  const dispatcher = new Agent();
  let [next, fetched] = [0, 0];
  const work = async () => {
    for (let page = pages[next++]; page; page = pages[next++]) {
      const answer = await fetch(origin + page.path, { dispatcher });
      const text = await answer.text();
      if (answer.status === 200 && text.length > 0) fetched++;
    }
  };
  await timed(async () => void (await Promise.all(Array.from({ length: IN_FLIGHT }, work))));
  await dispatcher.close();
  return fetched;
}

/** A whole crawl with a store of its own. Gives how many pages were taken. */
async function crawlAll(origin: string, isIndexed: boolean, timed: Timed): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const environment = await openEnvironment(folder);
  const index = createLmdbIndex(environment, { tools: createTextTools(), random: systemRandom });
  const clocks = { clock: systemClock, random: systemRandom };
  const outbound = createOutbound({ allow: readAllowed(['127.0.0.1']), timer: systemTimer });
  try {
    const search = createSearch({
      sites: createLmdbSites(environment),
      index,
      queryLog: createQueryLog({ store: createLmdbQueryCounts(environment), ...clocks, log: quiet }),
      mostPages: 1e6,
      ...clocks,
      digest: nodeDigest,
      log: quiet,
    });
    const { crawls, deps } = openCrawler({
      search,
      store: createLmdbCrawls(environment),
      outboundOf: () => outbound,
      config: {
        CRAWL_RATE: WITHOUT_POLITENESS,
        CRAWL_MAX_RATE: WITHOUT_POLITENESS,
        CRAWL_MAX_PAGES: 1e6,
        CRAWL_USER_AGENT: 'GatehouseBench',
      },
      version: '0',
      log: quiet,
    });
    if (!isIndexed) deps.sink = { ...deps.sink, write: async () => {}, ownerOf: async () => 'none' };
    const { siteId } = await search.make('bench');
    const config = {
      url: `${origin}/docs/`,
      pageBodyCssSelector: null,
      sitemapsOnly: true,
      allowUrlWithQuery: false,
      pagesPerSecond: null,
    };
    const { crawlId } = await crawls.start(siteId, [config]);
    await timed(() => runCrawl(deps, crawlId, new AbortController().signal));
    return crawls.read(siteId, crawlId).indexed;
  } finally {
    await outbound.close();
    await index.close();
    await environment.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
