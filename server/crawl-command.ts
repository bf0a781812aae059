import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPageUrl } from './base/page-url.ts';
import type { Log } from './base/ports.ts';
import { nodeDigest, systemClock, systemRandom } from './base/system.ts';
import type { Config } from './config.ts';
import type { CrawlRecord, CrawlStore } from './crawl/core/ports.ts';
import { runCrawl } from './crawl/run-crawl.ts';
import { openCrawler } from './open-crawler.ts';
import type { createOutbound } from './outbound/guarded-fetch.ts';
import { createQueryLog } from './search/query-log.ts';
import { createSearch } from './search/service.ts';
import { createTextTools } from './search/text/text-tools.ts';
import { openEnvironment } from './store/environment.ts';
import { createLmdbCrawls } from './store/lmdb-crawls.ts';
import { createLmdbQueryCounts } from './store/lmdb-query-counts.ts';
import { createLmdbSites } from './store/lmdb-sites.ts';
import { createLmdbIndex } from './store/search/lmdb-backend.ts';

export type CrawlCommandDeps = {
  config: Config;
  version: string;
  outbound: ReturnType<typeof createOutbound>;
  output: { log(text: string): void };
  /** Where the progress is drawn; one that is no terminal gets none. */
  screen: { isTTY?: boolean; write(text: string): unknown };
  log: Log;
};

const DRAW_EVERY_MS = 200;
const BAR_CHARS = 24;
const EXAMPLES = 5;

/**
 * The `crawl` command: crawls a site as the server would, into a folder that goes afterwards, and tells what was found
 * and what was left out. Gives the exit status: 1 where nothing was found.
 * @throws Error where the URL is none
 */
export async function runCrawlCommand(url: string, deps: CrawlCommandDeps): Promise<number> {
  const start = readUrl(url);
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-crawl-'));
  const environment = await openEnvironment(folder);
  const index = createLmdbIndex(environment, { tools: createTextTools(), random: systemRandom });
  const abort = new AbortController();
  const interrupt = () => abort.abort();
  process.once('SIGINT', interrupt);
  try {
    const queryLog = createQueryLog({
      store: createLmdbQueryCounts(environment),
      clock: systemClock,
      log: deps.log,
    });
    const search = createSearch({
      sites: createLmdbSites(environment),
      index,
      queryLog,
      mostPages: deps.config.SITE_MAX_PAGES,
      clock: systemClock,
      random: systemRandom,
      digest: nodeDigest,
      log: deps.log,
    });
    const store = createLmdbCrawls(environment);
    const crawler = openCrawler({ ...deps, outboundOf: () => deps.outbound, search, store });
    const { siteId } = await search.make('crawl');
    const config = {
      url: start,
      pageBodyCssSelector: null,
      sitemapsOnly: false,
      allowUrlWithQuery: false,
      pagesPerSecond: null,
    };
    const { crawlId } = await crawler.crawls.start(siteId, [config]);
    const draw = (text: string) => deps.screen.isTTY && deps.screen.write(`\r\x1b[K${text}`);
    // It keeps the process alive as well: the waits of a crawl do not.
    const drawing = setInterval(() => draw(progressLine(store.get(crawlId) as CrawlRecord)), DRAW_EVERY_MS);
    await runCrawl(crawler.deps, crawlId, abort.signal);
    clearInterval(drawing);
    draw('');
    const record = store.get(crawlId) as CrawlRecord;
    const { bytes } = await search.size(search.find(siteId));
    deps.output.log(summarise(record, store, bytes, abort.signal.aborted));
    return record.indexed > 0 ? 0 : 1;
  } finally {
    process.removeListener('SIGINT', interrupt);
    await index.close();
    await environment.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function readUrl(text: string): string {
  try {
    return readPageUrl(text);
  } catch (error) {
    throw new Error(`${text}: ${(error as Error).message}`);
  }
}

/** How much of what is known was asked for, as a bar and in figures. */
export function progressLine({ listed, queued, fetched, indexed, pagesPerSecond }: CrawlRecord): string {
  const part = listed === 0 ? 0 : Math.max(0, Math.min(1, (listed - queued) / listed));
  const full = Math.round(part * BAR_CHARS);
  const bar = '█'.repeat(full) + '░'.repeat(BAR_CHARS - full);
  const speed = Math.round(pagesPerSecond * 10) / 10;
  return `${bar} ${fetched} of ${listed} asked for, ${indexed} taken, ${speed}/s`;
}

function summarise(record: CrawlRecord, store: CrawlStore, bytes: number, isCut: boolean): string {
  const { crawlId, indexed, fetched, skippedCount, notices, problem } = record;
  const skips = store.skipped(crawlId, -1, 10_000);
  const reasons = Object.entries(skippedCount).sort(([, a], [, b]) => b - a);
  return [
    `${isCut ? 'stopped: ' : ''}${indexed} pages taken of ${fetched} asked for; an index of ${Math.ceil(bytes / 1024)} KiB`,
    ...reasons.flatMap(([reason, count]) => [
      `left out, ${reason}: ${count}`,
      ...skips
        .filter((skip) => skip.reason === reason)
        .slice(0, EXAMPLES)
        .map(({ url, detail }) => `  ${url} (${detail})`),
    ]),
    ...notices,
    ...(problem === null ? [] : [problem]),
    'Nothing was kept. POST /sites/{siteId}/crawl crawls into a site of the server.',
  ].join('\n');
}
