import type { Router } from '@koa/router';
import * as z from 'zod';
import type { ExtractPage } from '../base/extracted-page.ts';
import type { RequestState } from '../http/request-state.ts';
import { serveOperation } from '../http/serve-operation.ts';
import type { Operation } from '../wire/operation.ts';
import {
  MOST_PAGES_A_CALL,
  PAGES_BODY_BYTES,
  type PageInput,
  PageList,
  PagesInput,
  PagesWritten,
  SNAPSHOT_BYTES,
  StoredPage,
} from '../wire/page.ts';
import { fault } from '../wire/problem.ts';
import { PageByUrlQuery, PageParams, PagesQuery, SecretQuery, SiteParams } from '../wire/sites.ts';
import type { AdmitOwner } from './admit-owner.ts';
import { configFor } from './core/crawl-config.ts';
import { MOST_LISTED, type PageToWrite } from './core/page.ts';
import { showPage, showSummary } from './page-body.ts';
import type { Search } from './service.ts';

const OWNERS = [
  'malformed-request',
  'wrong-secret',
  'unknown-site',
  'throttled',
  'store-unavailable',
] as const;
const WRITES = [
  ...OWNERS,
  'pilot-limit',
  'site-limit',
  'body-too-large',
  'unsupported-media-type',
  'overloaded',
] as const;
const owners = { tag: 'Search', isOpenToAnyOrigin: false } as const;

const putOperation = {
  ...owners,
  id: 'putPages',
  method: 'put',
  path: '/sites/{siteId}/pages',
  summary: 'Write a page, or up to 1,000',
  description:
    'A page replaces the one of its URL whole. Of an array all pages are written or none; of two with one URL the later wins.',
  params: SiteParams,
  query: SecretQuery,
  body: PagesInput,
  bodyLimitBytes: PAGES_BODY_BYTES,
  mostItems: MOST_PAGES_A_CALL,
  answer: {
    status: 200,
    description: 'The stored page, which replaced one; for an array what became of each',
    schema: z.union([StoredPage, PagesWritten]),
  },
  otherAnswers: [{ status: 201, description: 'The stored page, which is new', schema: StoredPage }],
  problems: WRITES,
} as const satisfies Operation;

const listOperation = {
  ...owners,
  id: 'readPages',
  method: 'get',
  path: '/sites/{siteId}/pages',
  summary: 'The page of a URL, or the pages of the site',
  params: SiteParams,
  query: PagesQuery,
  answer: {
    status: 200,
    description: 'With `url` its page; without, pages in the order of their ids',
    schema: z.union([StoredPage, PageList]),
  },
  problems: [...OWNERS, 'unknown-page'],
} as const satisfies Operation;

const deleteByUrlOperation = {
  ...owners,
  id: 'deletePageByUrl',
  method: 'delete',
  path: '/sites/{siteId}/pages',
  summary: 'Delete the page of a URL',
  params: SiteParams,
  query: PageByUrlQuery,
  answer: { status: 204, description: 'It is gone' },
  problems: [...OWNERS, 'unknown-page'],
} as const satisfies Operation;

const readOperation = {
  ...owners,
  id: 'readPage',
  method: 'get',
  path: '/sites/{siteId}/pages/{pageId}',
  summary: 'A page',
  params: PageParams,
  query: SecretQuery,
  answer: { status: 200, description: 'The page', schema: StoredPage },
  problems: [...OWNERS, 'unknown-page'],
} as const satisfies Operation;

const deleteOperation = {
  ...readOperation,
  id: 'deletePage',
  method: 'delete',
  summary: 'Delete a page',
  answer: { status: 204, description: 'It is gone' },
} as const satisfies Operation;

const snapshotOperation = {
  ...owners,
  id: 'putSnapshot',
  method: 'put',
  path: '/sites/{siteId}/snapshots',
  summary: 'Write a page from its rendered HTML',
  description:
    'Read as the crawler reads a page, by the settings of the site. One that asks not to be indexed is refused, and what is stored under its URL goes.',
  params: SiteParams,
  query: PageByUrlQuery,
  body: z.string(),
  bodyType: 'text/html',
  bodyLimitBytes: SNAPSHOT_BYTES,
  answer: { status: 200, description: 'The stored page, which replaced one', schema: StoredPage },
  otherAnswers: [{ status: 201, description: 'The stored page, which is new', schema: StoredPage }],
  problems: [...WRITES, 'not-indexable'],
} as const satisfies Operation;

export const pageOperations: Operation[] = [
  putOperation,
  listOperation,
  deleteByUrlOperation,
  readOperation,
  deleteOperation,
  snapshotOperation,
];

export type PageRoutesDeps = { search: Search; extractPage: ExtractPage };

/** Writing, reading and deleting pages. */
export function servePages(
  router: Router<RequestState>,
  { search, extractPage }: PageRoutesDeps,
  admitOwner: AdmitOwner,
): void {
  serveOperation(
    router,
    putOperation,
    async ({ admitted: site, body }, ctx) => {
      const isArray = Array.isArray(body);
      const written = await search.write(site, (isArray ? body : [body]).map(toWrite), 'api');
      if (isArray) {
        return {
          pages: written.map(({ page, isNew }) => ({
            id: page.id,
            url: page.url,
            status: isNew ? 201 : 200,
          })),
        };
      }
      const [{ page, isNew }] = written;
      if (isNew) ctx.status = 201;
      return showPage(site.siteId, page);
    },
    admitOwner,
  );

  serveOperation(
    router,
    listOperation,
    async ({ admitted: site, query: { url, after = null, limit = MOST_LISTED } }) => {
      if (url !== undefined)
        return showPage(site.siteId, await search.read(site, search.pageIdOf(site, url)));
      const pages = await search.listPages(site, after, limit);
      return {
        pages: pages.map((page) => showSummary(site.siteId, page)),
        next: pages.length < limit ? null : pages[pages.length - 1].id,
      };
    },
    admitOwner,
  );

  serveOperation(
    router,
    deleteByUrlOperation,
    ({ admitted: site, query: { url } }) => search.removePage(site, search.pageIdOf(site, url)),
    admitOwner,
  );

  serveOperation(
    router,
    readOperation,
    async ({ admitted: site, params: { pageId } }) => showPage(site.siteId, await search.read(site, pageId)),
    admitOwner,
  );

  serveOperation(
    router,
    deleteOperation,
    ({ admitted: site, params: { pageId } }) => search.removePage(site, pageId),
    admitOwner,
  );

  serveOperation(
    router,
    snapshotOperation,
    async ({ admitted: site, query: { url }, body: html }, ctx) => {
      const selector = configFor(site.profile, url)?.pageBodyCssSelector ?? null;
      const {
        isNoindex,
        canonical: _,
        isNofollow: __,
        links: ___,
        ...page
      } = extractPage(html, url, selector);
      if (isNoindex) {
        await search.removePageIfThere(site, search.pageIdOf(site, url));
        throw fault(
          'not-indexable',
          'the page says noindex in a robots meta; nothing is stored under its url',
        );
      }
      if (page.title === '' && page.body === '')
        throw fault('not-indexable', 'expected HTML with a title or a text');
      const [{ page: stored, isNew }] = await search.write(site, [{ ...page, url }], 'snapshot');
      if (isNew) ctx.status = 201;
      return showPage(site.siteId, stored);
    },
    admitOwner,
  );
}

const toWrite = (page: PageInput): PageToWrite => ({
  url: page.url,
  title: page.title,
  headings: [],
  body: page.body,
  labels: page.labels ?? [],
  thumbnail: page.thumbnail ?? null,
  language: page.language ?? null,
  publishedAtSecs: page.published ? Math.floor(Date.parse(page.published) / 1000) : null,
});
