import type { DemoSearch } from '../../server/base/demo-search.ts';
import { createCommand } from './command.ts';
import { part } from './part.ts';

const LOOK_EVERY_MS = 500;

/** Shows the search of the demo, embedded as on any site, where the server tells of a site to search. */
export function createDemoSearch(page: Document): void {
  const section = page.querySelector<HTMLElement>('#search');
  const siteId = section?.dataset.site;
  if (!section || !siteId) return;
  section.hidden = false;
  for (const name of ['search-link', 'search-try']) part(page, name, HTMLElement).hidden = false;
  const config = page.createElement('finder-config');
  config.setAttribute('data-siteId', siteId);
  config.setAttribute('data-append-as-child-to', '#finder');
  section.append(config);
  const script = `${location.origin}/finder.js`;
  createCommand(part(section, 'embed', HTMLElement)).show(
    `<finder-config data-siteId="${siteId}"></finder-config>\n<script type="module" src="${script}"></script>`,
  );
  createCommand(part(section, 'search-command', HTMLElement)).show(
    `curl -s '${location.origin}/sites/${siteId}/search?query=passport'`,
  );
  void followCrawl(part(section, 'crawl-state', HTMLElement));
  // The script of this server as it is, as for every other site; a page without it is whole but for this.
  import(/* @vite-ignore */ script).catch((error) =>
    console.error('the search bar could not be loaded', error),
  );
}

/** Tells how far the crawl of the documentation is, until it has ended. */
async function followCrawl(note: HTMLElement): Promise<void> {
  for (;;) {
    const answer = await fetch('/demo-search.json').catch(() => null);
    if (!answer?.ok) return;
    const { state, pages } = (await answer.json()) as DemoSearch;
    note.textContent = CRAWL_TEXTS[state](pages);
    if (state !== 'filling') return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

const CRAWL_TEXTS: Record<DemoSearch['state'], (pages: number) => string> = {
  filling: (pages) => `The crawler is reading the documentation: ${pages} pages so far.`,
  ready: (pages) => `${pages} pages, found by the crawler.`,
  failed: () => 'The crawler could not read the documentation; the log of the server says why.',
};
