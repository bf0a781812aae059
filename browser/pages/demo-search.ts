import { createCommand } from './command.ts';
import { part } from './part.ts';

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
  // The script of this server as it is, as for every other site; a page without it is whole but for this.
  import(/* @vite-ignore */ script).catch((error) =>
    console.error('the search bar could not be loaded', error),
  );
}
