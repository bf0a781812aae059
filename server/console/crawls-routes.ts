import type { Router } from '@koa/router';
import { setEventStream } from '../http/event-stream.ts';
import type { Context, RequestState } from '../http/request-state.ts';
import { serveOperation } from '../http/serve-operation.ts';
import { ConsoleCrawlQuery, NewConsoleCrawl } from '../wire/console-crawls.ts';
import { CRAWL_BODY_BYTES, CrawlParams } from '../wire/crawl.ts';
import type { Operation } from '../wire/operation.ts';
import { SiteParams } from '../wire/sites.ts';
import type { ConsoleCrawls } from './ports.ts';

const operators = {
  tag: 'Console',
  problems: ['malformed-request', 'sign-in-required', 'unknown-site', 'store-unavailable'],
  isOpenToAnyOrigin: false,
} as const;
const ofSite = { ...operators, path: '/console/api/sites/{siteId}/crawls', params: SiteParams } as const;
const ofCrawl = {
  ...operators,
  path: '/console/api/sites/{siteId}/crawls/{crawlId}',
  params: CrawlParams,
  problems: [...operators.problems, 'unknown-crawl'],
} as const;

const activeOperation = {
  ...operators,
  id: 'listActiveCrawls',
  method: 'get',
  path: '/console/api/crawls',
  summary: 'The crawls that go on',
  answer: { status: 200, description: 'Of all sites, and what the reasons mean' },
} as const satisfies Operation;

const listOperation = {
  ...ofSite,
  id: 'listSiteCrawls',
  method: 'get',
  summary: 'The crawls of a site',
  answer: { status: 200, description: 'The last ten, the newest first' },
} as const satisfies Operation;

const startOperation = {
  ...ofSite,
  id: 'startSiteCrawl',
  method: 'post',
  summary: 'Crawl a site',
  body: NewConsoleCrawl,
  isBodyOptional: true,
  bodyLimitBytes: CRAWL_BODY_BYTES,
  answer: { status: 202, description: 'It is queued' },
  problems: [...operators.problems, 'pilot-limit', 'crawl-running'],
} as const satisfies Operation;

const readOperation = {
  ...ofCrawl,
  id: 'readSiteCrawl',
  method: 'get',
  summary: 'A crawl as it stands',
  query: ConsoleCrawlQuery,
  answer: { status: 200, description: 'Its state, and what it left out' },
} as const satisfies Operation;

const cancelOperation = {
  ...ofCrawl,
  id: 'cancelSiteCrawl',
  method: 'delete',
  summary: 'Cancel a crawl',
  answer: { status: 204, description: 'It has ended' },
} as const satisfies Operation;

const watchOperation = {
  ...ofCrawl,
  id: 'watchSiteCrawl',
  method: 'get',
  path: '/console/api/sites/{siteId}/crawls/{crawlId}/events',
  summary: 'A crawl as it goes on',
  answer: { status: 200, description: 'Server-sent events' },
} as const satisfies Operation;

const LISTED = 100;

export type CrawlsDeps = {
  crawls: ConsoleCrawls;
  /** Whether whoever opened a stream may no longer look. */
  isOver(ctx: Context): () => boolean;
};

/** Crawls of all sites: what goes on, what was left out and why, start and cancel. */
export function serveConsoleCrawls(router: Router<RequestState>, { crawls, isOver }: CrawlsDeps): void {
  serveOperation(router, activeOperation, () => crawls.active());
  serveOperation(router, listOperation, ({ params: { siteId } }) => crawls.list(siteId));
  serveOperation(router, startOperation, ({ params: { siteId }, body }) => crawls.start(siteId, body));
  serveOperation(
    router,
    readOperation,
    ({ params: { siteId, crawlId }, query: { after = -1, limit = LISTED } }) =>
      crawls.read(siteId, crawlId, after, limit),
  );
  serveOperation(router, cancelOperation, async ({ params: { siteId, crawlId } }) => {
    await crawls.cancel(siteId, crawlId);
    return undefined as never;
  });
  serveOperation(router, watchOperation, ({ params: { siteId, crawlId } }, ctx) => {
    const last = /^\d{1,9}$/.exec(ctx.get('Last-Event-ID'));
    setEventStream(ctx);
    return crawls.watch(siteId, crawlId, last ? Number(last[0]) : -1, isOver(ctx));
  });
}
