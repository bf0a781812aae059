import type { Router } from '@koa/router';
import { asHtml, type Page } from '../http/pages.ts';
import type { Context, RequestState } from '../http/request-state.ts';
import { fault } from '../wire/problem.ts';
import { type ApiDocument, renderReference } from './api-reference.ts';
import type { Library } from './library.ts';
import type { RenderedPage } from './markdown.ts';
import { renderIndex, renderPages, renderTurns, type Shelf, shelvesOf } from './navigation.ts';
import { API_PAGE, addressOf } from './page-list.ts';

export type DocsRoutesDeps = {
  library: Library;
  apiDocument: ApiDocument;
  /** The page that all pages of the documentation are put into. */
  page: Page;
  originOf(ctx: Context): string;
};

// Our choice: whoever reads on asks once, and a new version is with everybody in minutes.
const FOR_MINUTES = 'public, max-age=300';

/** The documentation at `/docs/`: its pages and pictures, the reference of the interface, and a sitemap. */
export function serveDocs(
  router: Router<RequestState>,
  { library, apiDocument, page, originOf }: DocsRoutesDeps,
): void {
  const pages = new Map(library.pages.map((one) => [one.name, one]));
  const shelves = shelvesOf(library);

  function send(ctx: Context, address: string, shown: RenderedPage): void {
    ctx.set('Cache-Control', FOR_MINUTES);
    page(ctx, {
      TITLE: shown.title,
      DESCRIPTION: shown.description,
      CONTENT: asHtml(shown.html + renderTurns(shelves, address)),
      PAGES: asHtml(renderPages(shelves, address, shown.headings)),
    });
  }

  router.get('/docs', async function showIndex(ctx) {
    if (isElsewhere(ctx, '/docs/')) return;
    send(ctx, '/docs/', renderIndex(shelves));
  });
  router.get('/docs/sitemap.xml', async function showSitemap(ctx) {
    ctx.type = 'application/xml';
    ctx.set('Cache-Control', FOR_MINUTES);
    ctx.body = writeSitemap(originOf(ctx), shelves);
  });
  router.get(addressOf(API_PAGE), async function showReference(ctx) {
    if (isElsewhere(ctx, addressOf(API_PAGE))) return;
    send(ctx, addressOf(API_PAGE), renderReference(apiDocument, originOf(ctx)));
  });
  router.get('/docs/images/:name', async function showImage(ctx) {
    const bytes = library.images.get(ctx.params.name);
    if (!bytes) throw unknownPage();
    ctx.type = 'image/png';
    ctx.set('Cache-Control', FOR_MINUTES);
    ctx.body = bytes;
  });
  router.get('/docs/:name', async function showPage(ctx) {
    const shown = pages.get(ctx.params.name);
    if (!shown) throw unknownPage();
    if (isElsewhere(ctx, addressOf(shown.name))) return;
    send(ctx, addressOf(shown.name), shown);
  });
}

/**
 * `/robots.txt` of the demo, where this server is the whole site: what crawlers find, and the categories by which our own
 * labels the pages of the documentation.
 */
export function serveRobots(
  router: Router<RequestState>,
  { library, originOf }: Pick<DocsRoutesDeps, 'library' | 'originOf'>,
): void {
  const label = (text: string) => (/\s/.test(text) ? `"${text}"` : text);
  const categories = shelvesOf(library).flatMap(({ label: text, pages }) =>
    pages.map(({ address }) => `Category: ${label(text)} ${address}$`),
  );
  router.get('/robots.txt', async function showRobots(ctx) {
    ctx.type = 'text/plain';
    ctx.set('Cache-Control', FOR_MINUTES);
    ctx.body = [
      'User-agent: *',
      'Disallow: /demo/',
      'Disallow: /pow/',
      'Disallow: /sites',
      '',
      `Sitemap: ${originOf(ctx)}/docs/sitemap.xml`,
      ...categories,
      '',
    ].join('\n');
  });
}

/** Each page has one address: the router takes `/docs/gate/` for `/docs/gate`, where relative links would differ. */
function isElsewhere(ctx: Context, address: string): boolean {
  if (ctx.path === address) return false;
  ctx.status = 308;
  ctx.redirect(address);
  return true;
}

/** https://www.sitemaps.org/protocol.html. Neither an origin nor an address of ours holds what XML would read. */
function writeSitemap(origin: string, shelves: readonly Shelf[]): string {
  const addresses = ['/docs/', ...shelves.flatMap(({ pages }) => pages.map(({ address }) => address))];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...addresses.map((address) => `  <url><loc>${origin}${address}</loc></url>`),
    '</urlset>',
    '',
  ].join('\n');
}

const unknownPage = () => fault('not-found', 'expected a page of the documentation; /docs/ lists them');
