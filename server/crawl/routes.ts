import type { Router } from '@koa/router';
import type { Timer } from '../base/ports.ts';
import type { Context, RequestState } from '../http/request-state.ts';
import { serveOperation } from '../http/serve-operation.ts';
import {
  CRAWL_BODY_BYTES,
  CrawlBody,
  CrawlList,
  CrawlParams,
  CrawlQuery,
  StartCrawlInput,
  StartCrawlQuery,
  StartedCrawl,
} from '../wire/crawl.ts';
import type { Operation } from '../wire/operation.ts';
import { fault } from '../wire/problem.ts';
import { SecretQuery, SiteParams } from '../wire/sites.ts';
import type { CrawlConfig } from './core/ports.ts';
import { showCrawl } from './crawl-body.ts';
import { streamCrawl } from './crawl-events.ts';
import type { Crawls } from './service.ts';

const OWNERS = [
  'malformed-request',
  'wrong-secret',
  'unknown-site',
  'throttled',
  'store-unavailable',
] as const;
const owners = { tag: 'Search', isOpenToAnyOrigin: false } as const;
const ofCrawl = { ...owners, params: CrawlParams, problems: [...OWNERS, 'unknown-crawl'] } as const;

const startOperation = {
  ...owners,
  id: 'startCrawl',
  method: 'post',
  path: '/sites/{siteId}/crawl',
  summary: 'Crawl the site',
  description: 'By `url`, by the body, or by the profile. A site is crawled once at a time.',
  params: SiteParams,
  query: StartCrawlQuery,
  body: StartCrawlInput,
  isBodyOptional: true,
  bodyLimitBytes: CRAWL_BODY_BYTES,
  answer: { status: 202, description: 'It is queued', schema: StartedCrawl },
  problems: [...OWNERS, 'pilot-limit', 'crawl-running', 'body-too-large', 'unsupported-media-type'],
} as const satisfies Operation;

const listOperation = {
  ...owners,
  id: 'listCrawls',
  method: 'get',
  path: '/sites/{siteId}/crawl',
  summary: 'The crawls of the site',
  params: SiteParams,
  query: SecretQuery,
  answer: { status: 200, description: 'The last ten, the newest first', schema: CrawlList },
  problems: OWNERS,
} as const satisfies Operation;

const readOperation = {
  ...ofCrawl,
  id: 'readCrawl',
  method: 'get',
  path: '/sites/{siteId}/crawl/{crawlId}',
  summary: 'A crawl as it stands',
  query: CrawlQuery,
  answer: { status: 200, description: 'Its state, and what it left out', schema: CrawlBody },
} as const satisfies Operation;

const eventsOperation = {
  ...ofCrawl,
  id: 'watchCrawl',
  method: 'get',
  path: '/sites/{siteId}/crawl/{crawlId}/events',
  summary: 'A crawl as it goes on',
  description:
    'Server-sent events: `progress` with the state, `skipped` for each address that is left out, `done` with the last state; then the stream ends. `Last-Event-ID` goes on behind the last address.',
  query: SecretQuery,
  answer: { status: 200, description: '`text/event-stream`' },
} as const satisfies Operation;

const cancelOperation = {
  ...ofCrawl,
  id: 'cancelCrawl',
  method: 'delete',
  path: '/sites/{siteId}/crawl/{crawlId}',
  summary: 'Cancel a crawl',
  description: 'What it wrote stays. One that has ended stays as it is.',
  query: SecretQuery,
  answer: { status: 204, description: 'It has ended' },
} as const satisfies Operation;

export const crawlOperations: Operation[] = [
  startOperation,
  listOperation,
  readOperation,
  eventsOperation,
  cancelOperation,
];

export type CrawlRoutesDeps = {
  crawls: Crawls;
  /** Lets only the owner of a site in. */
  admitOwner(
    input: { params: { siteId: string }; query: { siteSecret?: string | undefined } },
    ctx: Context,
  ): Promise<{ siteId: string }>;
  isSelector(text: string): boolean;
  timer: Timer;
  isStopping(): boolean;
};

const MOST_LISTED = 100;

/** Everything under `/sites/{siteId}/crawl`. */
export function serveCrawls(router: Router<RequestState>, deps: CrawlRoutesDeps): void {
  const { crawls, admitOwner, isSelector } = deps;

  serveOperation(
    router,
    startOperation,
    async ({ admitted: { siteId }, query: { url }, body }, ctx) => {
      if (url !== undefined && body !== undefined) {
        throw fault('malformed-request', 'expected a url in the query or a body, got both');
      }
      const configs = url === undefined ? configsOf(body) : configsOf({ ...DEFAULTS, url });
      for (const [i, { pageBodyCssSelector: selector }] of (configs ?? []).entries()) {
        if (selector !== null && !isSelector(selector)) {
          throw fault(
            'malformed-request',
            `body.configs.${i}.pageBodyCssSelector: expected a CSS selector without pseudo-elements`,
          );
        }
      }
      const { crawlId } = await crawls.start(siteId, configs);
      ctx.set('Location', `/sites/${siteId}/crawl/${crawlId}`);
      return { crawlId };
    },
    admitOwner,
  );

  serveOperation(
    router,
    listOperation,
    ({ admitted: { siteId } }) => ({ crawls: crawls.list(siteId).map(showCrawl) }),
    admitOwner,
  );

  serveOperation(
    router,
    readOperation,
    ({ admitted: { siteId }, params: { crawlId }, query: { after = -1, limit = MOST_LISTED } }) => {
      const record = crawls.read(siteId, crawlId);
      const skipped = crawls.skipped(record.crawlId, after, limit);
      return {
        ...showCrawl(record),
        skipped: skipped.map(({ url, reason, detail }) => ({ url, reason, detail })),
        next: skipped.length < limit ? null : skipped[skipped.length - 1].at,
      };
    },
    admitOwner,
  );

  serveOperation(
    router,
    eventsOperation,
    ({ admitted: { siteId }, params: { crawlId } }, ctx) => {
      const record = crawls.read(siteId, crawlId);
      ctx.type = 'text/event-stream; charset=utf-8';
      // A proxy that gathers an answer first would show nothing until the end.
      ctx.set('X-Accel-Buffering', 'no');
      const last = /^\d{1,9}$/.exec(ctx.get('Last-Event-ID'));
      return streamCrawl(deps, siteId, record.crawlId, last ? Number(last[0]) : -1);
    },
    admitOwner,
  );

  serveOperation(
    router,
    cancelOperation,
    ({ admitted: { siteId }, params: { crawlId } }) => crawls.cancel(siteId, crawlId),
    admitOwner,
  );
}

const DEFAULTS = {
  pageBodyCssSelector: null,
  sitemapsOnly: false,
  allowUrlWithQuery: false,
  pagesPerSecond: null,
};

function configsOf(body: StartCrawlInput): CrawlConfig[] | null {
  if (body === undefined) return null;
  return 'configs' in body ? body.configs : [body];
}
