import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemTimer } from '../server/base/system.ts';
import { readConfig } from '../server/config.ts';
import type { CrawlConfig, CrawlRecord } from '../server/crawl/core/ports.ts';
import { createReadPdf } from '../server/crawl/pdf-text.ts';
import { runCrawl } from '../server/crawl/run-crawl.ts';
import { openCrawler } from '../server/open-crawler.ts';
import { createOutbound } from '../server/outbound/guarded-fetch.ts';
import { readAllowed } from '../server/outbound/reach.ts';
import { openEnvironment } from '../server/store/environment.ts';
import { createLmdbCrawls } from '../server/store/lmdb-crawls.ts';
import { createEagerTime } from './eager-timer.ts';
import { makeFolder } from './temporary-folder.ts';
import { createTestSearch } from './test-search.ts';
import { createTestTimer } from './test-timer.ts';

type Answer =
  | string
  | RequestListener
  | { status?: number; headers?: Record<string, string>; body?: string | Buffer };
export type Pages = Record<string, Answer>;
export type Asked = { path: string; atMs: number; headers: IncomingMessage['headers'] };

/** A site on loopback: HTML by its path, `*` for all others; what is not there is a 404. Remembers what it was asked. */
export async function openSite(
  pages: Pages,
  nowMs: () => number = () => 0,
  hear: (path: string) => void = () => {},
) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push({ path, atMs: nowMs(), headers: request.headers });
    hear(path);
    send(pages[path] ?? pages['*'] ?? { status: 404 }, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    pages,
    asked,
    port,
    url: (path = '/') => `http://127.0.0.1:${port}${path}`,
    paths: () => asked.map(({ path }) => path),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(answer: Answer, request: IncomingMessage, response: ServerResponse): void {
  if (typeof answer === 'function') return void answer(request, response);
  const { status = 200, headers = {}, body = '' } = typeof answer === 'string' ? { body: answer } : answer;
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
  response.end(body);
}

export const html = (title: string, text: string, ...links: string[]): string =>
  `<!doctype html><title>${title}</title><p>${text}</p>${links.map((href) => `<a href="${href}">x</a>`).join('')}`;

export type CrawlWorldOptions = {
  env?: Record<string, string>;
  allow?: string[];
  /** Addresses by host name; others are not found. */
  names?: Record<string, string>;
};

/** The real crawler over a site on loopback, with search in memory, crawls in LMDB, and time that passes at once. */
export async function openCrawlWorld(pages: Pages, { env = {}, allow, names = {} }: CrawlWorldOptions = {}) {
  const busy = createBusyness();
  const time = createEagerTime(undefined, busy.is);
  const limits = createTestTimer();
  const site = await openSite(pages, time.clock.nowMs, busy.arrive);
  const outbound = createOutbound({
    allow: readAllowed(
      allow ?? ['127.0.0.1', ...Object.keys(names).filter((name) => names[name] === '127.0.0.1')],
    ),
    timer: limits,
    resolve: async (host) => {
      if (!names[host]) throw new Error('no such name');
      return [{ address: names[host], family: 4 }];
    },
  });
  const { folder, remove } = makeFolder();
  const environment = await openEnvironment(folder);
  const searching = createTestSearch();
  const store = createLmdbCrawls(environment);
  const lines: { level: string; message: string }[] = [];
  const write = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, message, ...fields });
  const { crawls, deps } = openCrawler({
    search: searching.search,
    store,
    outboundOf: () => outbound,
    config: readConfig(env, () => ''),
    version: '0.0.0-test',
    log: { info: write('info'), warn: write('warn'), error: write('error') },
    ...time,
    readPdf: createReadPdf(systemTimer),
  });
  const request = deps.requestOf('');
  deps.requestOf = () => (url, options) =>
    busy.send(new URL(url).pathname + new URL(url).search, request(url, options));
  deps.store = busy.watch(store);
  deps.sink = busy.watch(deps.sink);
  const { siteId } = await searching.search.make('acme');

  /** Runs a whole crawl, and gives how it ended with what it left out. */
  async function crawl(asked: Partial<CrawlConfig> & { siteId?: string } = {}) {
    const { siteId: of = siteId, ...config } = asked;
    const record = await crawls.start(of, [{ ...defaults, url: site.url(), ...config }]);
    await runCrawl(deps, record.crawlId, new AbortController().signal);
    return readCrawl(record.crawlId);
  }
  async function readCrawl(crawlId: string) {
    const skipped = store.skipped(crawlId, -1, 10_000).map(({ url, reason, detail }) => ({
      path: url.replace(site.url(''), ''),
      reason,
      detail,
    }));
    return {
      ...(store.get(crawlId) as CrawlRecord),
      skipped,
      reasons: skipped.map((s) => `${s.path} ${s.reason}`).sort(),
    };
  }
  const pagesOf = async (id = siteId) =>
    Promise.all(
      (await searching.search.listPages(searching.search.find(id), null, 1_000)).map(({ id: pageId }) =>
        searching.search.read(searching.search.find(id), pageId),
      ),
    );
  return {
    ...searching,
    site,
    siteId,
    /** When each request came, by the server's own log; robots.txt aside. */
    sent: () => site.asked.filter(({ path }) => path !== '/robots.txt').map(({ atMs }) => atMs),
    store,
    crawls,
    deps,
    time,
    /** Ends every time limit of a request that is under way. */
    fireLimits: limits.fire,
    lines,
    crawl,
    readCrawl,
    pagesOf,
    urls: async (id = siteId) => (await pagesOf(id)).map(({ url }) => url.replace(site.url(''), '')).sort(),
    async close() {
      await outbound.close();
      await site.close();
      await environment.close();
      remove();
    },
  };
}

/**
 * What takes real time: steps of the store and of the index, and requests until they have come to the server, whose log
 * then has the very time at which they were sent. What the server does with them may take as long as it likes.
 */
function createBusyness() {
  let count = 0;
  const onTheWay = new Map<string, (() => void)[]>();
  const begin = () => {
    count++;
    let isOver = false;
    return () => {
      if (!isOver) count--;
      isOver = true;
    };
  };
  return {
    is: () => count > 0,
    arrive: (path: string) => onTheWay.get(path)?.shift()?.(),
    send<Result>(path: string, answer: Promise<Result>): Promise<Result> {
      const end = begin();
      onTheWay.set(path, [...(onTheWay.get(path) ?? []), end]);
      return answer.finally(end);
    },
    /** The same functions, counted as long as what they promise is not there. */
    watch<Port extends object>(port: Port): Port {
      const watched = Object.entries(port).map(([name, run]) => [
        name,
        (...args: unknown[]) => {
          const result = run(...args);
          if (!(result instanceof Promise)) return result;
          return result.finally(begin());
        },
      ]);
      return Object.fromEntries(watched) as Port;
    },
  };
}

export const defaults: CrawlConfig = {
  url: '',
  pageBodyCssSelector: null,
  sitemapsOnly: false,
  allowUrlWithQuery: false,
  pagesPerSecond: null,
};

/** Runs `use` on a world, and closes it whatever happens. */
export async function withCrawlWorld(
  pages: Pages,
  use: (world: Awaited<ReturnType<typeof openCrawlWorld>>) => Promise<void>,
  options: CrawlWorldOptions = {},
): Promise<void> {
  const world = await openCrawlWorld(pages, options);
  try {
    await use(world);
  } finally {
    await world.close();
  }
}
