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
  /** Where the progress is drawn; one that is no terminal gets a line now and then. */
  screen: { isTTY?: boolean; columns?: number; write(text: string): unknown };
  log: Log;
};

const DRAW_EVERY_MS = 200;
const LINE_EVERY_MS = 10_000;
const BAR_CHARS = 24;
const LEAST_BAR_CHARS = 4;
const EXAMPLES = 5;
// What shells say of a command that a signal ended: 128 and its number.
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * The `crawl` command: crawls a site as the server would, into a folder that goes afterwards, and tells what was found
 * and what was left out. Gives the exit status: 1 where nothing was found, 130 after Ctrl-C, which still tells what was
 * found by then; a second one ends at once.
 * @throws Error where the URL is none
 */
export async function runCrawlCommand(url: string, deps: CrawlCommandDeps): Promise<number> {
  const start = readUrl(url);
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-crawl-'));
  const environment = await openEnvironment(folder);
  const index = createLmdbIndex(environment, { tools: createTextTools(), random: systemRandom });
  const abort = new AbortController();
  let signalled: keyof typeof SIGNALS | null = null;
  const interrupt = (signal: NodeJS.Signals) => {
    signalled = signal as keyof typeof SIGNALS;
    abort.abort();
  };
  for (const signal of Object.keys(SIGNALS)) process.once(signal, interrupt);
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
    const drawing = showProgress(deps.screen, () => store.get(crawlId) as CrawlRecord);
    await runCrawl(crawler.deps, crawlId, abort.signal).finally(drawing.end);
    const record = store.get(crawlId) as CrawlRecord;
    const { bytes } = await search.size(search.find(siteId));
    deps.output.log(summarise(record, store, bytes, abort.signal.aborted));
    return signalled ? SIGNALS[signalled] : record.indexed > 0 ? 0 : 1;
  } finally {
    for (const signal of Object.keys(SIGNALS)) process.removeListener(signal, interrupt);
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

/** Draws over and over where there is a terminal, and writes lines where there is none. */
function showProgress(screen: CrawlCommandDeps['screen'], read: () => CrawlRecord): { end(): void } {
  // It keeps the process alive as well: the waits of a crawl do not.
  const drawing = setInterval(
    () => {
      if (screen.isTTY) screen.write(`\r\x1b[K${progressLine(read(), screen.columns)}`);
      else screen.write(`${progressText(read())}\n`);
    },
    screen.isTTY ? DRAW_EVERY_MS : LINE_EVERY_MS,
  );
  return {
    end() {
      clearInterval(drawing);
      if (screen.isTTY) screen.write('\r\x1b[K');
    },
  };
}

/** How much of what is known was asked for, in figures. */
const progressText = ({ listed, fetched, indexed, pagesPerSecond }: CrawlRecord): string =>
  `${fetched} of ${listed} asked for, ${indexed} taken, ${Math.round(pagesPerSecond * 10) / 10}/s`;

/**
 * The same behind a bar, in one line of a terminal of so many columns: the bar shrinks first, then the text is cut. The
 * last column stays free, since terminals wrap when it is written to.
 */
export function progressLine(record: CrawlRecord, columns = 80): string {
  const { listed, queued } = record;
  const text = progressText(record);
  const room = columns - 1;
  const chars = Math.min(BAR_CHARS, room - text.length - 1);
  if (chars < LEAST_BAR_CHARS) return text.slice(0, Math.max(0, room));
  const part = listed === 0 ? 0 : Math.max(0, Math.min(1, (listed - queued) / listed));
  const full = Math.round(part * chars);
  return `${'█'.repeat(full)}${'░'.repeat(chars - full)} ${text}`;
}

export function summarise(record: CrawlRecord, store: CrawlStore, bytes: number, isCut: boolean): string {
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
  ]
    .map(showControls)
    .join('\n');
}

/** What servers said is shown, and does nothing: terminals take U+009B for the begin of a command, as they do ESC. */
const showControls = (line: string): string =>
  line.replace(/\p{Cc}/gu, (control) => `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`);
