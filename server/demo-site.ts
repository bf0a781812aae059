import type { ExtractPage } from './base/extracted-page.ts';
import { Fault } from './base/fault.ts';
import type { Log } from './base/ports.ts';
import type { DocsPage, Library } from './docs/library.ts';
import { addressOf } from './docs/page-list.ts';
import type { PageToWrite } from './search/core/page.ts';
import type { SiteRecord } from './search/core/site.ts';
import type { Search } from './search/service.ts';

// Not a pilot's: the demo outlives two weeks. No key is ever issued to this name by itself.
const TENANT = 'Gatehouse demo';
const BATCH = 100;

export type DemoSiteDeps = {
  /** Kept in the data folder, so that all processes and all starts know the same. */
  siteId: string;
  search: Search;
  extractPage: ExtractPage;
  library: Library;
  log: Log;
};

export type DemoSite = {
  /** The id of the site, or null while there is none. */
  demoSiteId(): string | null;
  /** Makes the site where there is none, and puts the documentation into it. For one process of a server. */
  start(origin: string): void;
  /** Resolves once nothing is being written. */
  stop(): Promise<void>;
};

/** The search site that the demo shows: the documentation of this server, as it serves it. */
export function openDemoSite({ siteId, search, extractPage, library, log }: DemoSiteDeps): DemoSite {
  let filling: Promise<void> | null = null;

  function find(): SiteRecord | null {
    try {
      return search.find(siteId);
    } catch (error) {
      if (error instanceof Fault && error.code === 'unknown-site') return null;
      throw error;
    }
  }

  async function fill(origin: string): Promise<void> {
    if (find() === null) await search.make(TENANT, siteId);
    const pages = await fillDemoSite({ site: search.find(siteId), origin, search, extractPage, library });
    log.info({ site: siteId, pages }, 'the demo site holds the documentation');
  }

  return {
    demoSiteId: () => find()?.siteId ?? null,
    start(origin) {
      filling = fill(origin).catch((err) => log.error({ err }, 'the demo site could not be filled'));
    },
    stop: async () => void (await filling),
  };
}

/**
 * Puts the pages of the documentation into a site, read as a crawl reads them, and takes out what is no page of it any
 * more. Gives how many there are.
 * @param origin where this server is reached
 */
export async function fillDemoSite({
  site,
  origin,
  search,
  extractPage,
  library,
}: Omit<DemoSiteDeps, 'siteId' | 'log'> & { site: SiteRecord; origin: string }): Promise<number> {
  const pages = library.pages.map((page) => readPage(page, origin, extractPage));
  await search.write(site, pages, 'snapshot');
  const kept = new Set(pages.map(({ url }) => search.pageIdOf(site, url)));
  for (let after: string | null = null; ; ) {
    const listed = await search.listPages(site, after, BATCH);
    for (const { id } of listed) if (!kept.has(id)) await search.removePageIfThere(site, id);
    if (listed.length < BATCH) return pages.length;
    after = listed[listed.length - 1].id;
  }
}

function readPage({ name, html, category }: DocsPage, origin: string, extractPage: ExtractPage): PageToWrite {
  const url = new URL(addressOf(name), origin).href;
  const { title, headings, body, thumbnail, language, publishedAtSecs } = extractPage(
    `<!doctype html><html lang="en"><body>${html}`,
    url,
  );
  return { url, title, headings, body, thumbnail, language, publishedAtSecs, labels: [category] };
}
