import type { SitesBody, SiteView } from '../../../server/wire/console.ts';
import type { Api } from './api.ts';
import { build, buildField, buildTable } from './build.ts';
import { askToConfirm } from './confirm.ts';
import type { Say } from './keys-tab.ts';
import { buildCopyable, buildShownOnce } from './shown-once.ts';
import { createSiteSearch } from './site-search.ts';
import { createSiteSettings } from './site-settings.ts';
import { bytes, count, counted, day } from './units.ts';

/** The two lines that put the search bar on a page. */
export const embedCode = (siteId: string): string =>
  `<finder-config data-siteId="${siteId}"></finder-config>\n<script type="module" src="${location.origin}/finder.js"></script>`;

/** What a site is called: the host of its pages, and while it has none whose it is and the beginning of its id. */
export const siteName = ({ host, tenant, siteId }: SiteView): string =>
  host ?? `${tenant ?? 'Pilot'} ${siteId.slice(0, 8)}`;

export type SitesTab = { node: HTMLElement; load(): Promise<void> };

/** Sites: create, settings, embed code, a search to try. */
export function createSitesTab(api: Api, say: Say, onList: (sites: readonly SiteView[]) => void): SitesTab {
  const tenant = build('input', {
    name: 'tenant',
    maxlength: 100,
    pattern: '[\\w.@ \\-]{1,100}',
    autocomplete: 'off',
  });
  const message = build('p', { class: 'message', role: 'alert' });
  const once = build('div');
  const detail = build('div');
  const lead = build('p', { class: 'caption' });
  const more = build('button', { type: 'button', hidden: true, run: () => void loadMore() }, 'More sites');
  let sites: SiteView[] = [];
  let next: string | null = null;
  const table = buildTable(
    'Sites',
    [
      { name: 'Site', meaning: 'The host of its pages, or whose it is' },
      { name: 'Tenant', meaning: 'Whose it is; a pilot is nobody’s and ends after 14 days' },
      { name: 'Pages', meaning: 'In the index' },
      { name: 'Size', meaning: 'What it takes in the store, roughly' },
      { name: 'Last used', meaning: 'The day of the last query or write' },
      { name: 'Ends', meaning: 'When a pilot is deleted' },
      { name: 'More' },
    ],
    'There is no site yet.',
  );

  const form = build(
    'form',
    { class: 'card form' },
    build('h3', {}, 'Create a site'),
    buildField('Tenant', tenant, 'Empty makes a pilot: 2,000 pages of one host, for 14 days.'),
    build('div', { class: 'actions' }, build('button', { class: 'primary', type: 'submit' }, 'Create')),
    message,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    message.textContent = '';
    try {
      const made = await api.send<{ siteId: string; siteSecret: string }>('POST', '/api/sites', {
        tenant: tenant.value.trim() || null,
      });
      const box = buildShownOnce(
        'The new site',
        'The secret is shown this once: only a hash of it is kept.',
        [
          ['Site id', made.siteId],
          ['Site secret, to write pages', made.siteSecret],
          ['Embed code, for the pages of the site', embedCode(made.siteId)],
        ],
      );
      once.replaceChildren(box);
      box.focus();
      say('The site was created.');
      form.reset();
      await load();
    } catch (error) {
      message.textContent = (error as Error).message;
    }
  });

  function open(site: SiteView): void {
    const settings = createSiteSettings(api, site.siteId, say);
    const heading = build('h3', { tabindex: -1 }, siteName(site));
    detail.replaceChildren(
      build(
        'section',
        { class: 'card', 'aria-label': `Site ${siteName(site)}` },
        heading,
        build('p', { class: 'caption' }, 'Site id ', build('code', {}, site.siteId)),
        buildCopyable('Embed code, for the pages of the site', embedCode(site.siteId)),
        createSiteSearch(api, site.siteId),
        settings.node,
        build(
          'div',
          { class: 'actions' },
          build('button', { type: 'button', run: () => detail.replaceChildren() }, 'Close'),
          build('button', { type: 'button', run: () => void remove(site) }, 'Delete the site'),
        ),
      ),
    );
    heading.focus();
    void settings.load();
  }

  async function remove(site: SiteView): Promise<void> {
    const isSure = await askToConfirm(
      `Delete ${siteName(site)}?`,
      `Its ${counted(site.pages, 'page')}, its settings and its figures are gone for good.`,
      'Delete',
    );
    if (!isSure) return;
    try {
      await api.send('DELETE', `/api/sites/${site.siteId}`);
      detail.replaceChildren();
      say('The site was deleted.');
      await load();
    } catch (error) {
      message.textContent = (error as Error).message;
    }
  }

  async function loadMore(): Promise<void> {
    const query = next === null ? '' : `?${new URLSearchParams({ after: next })}`;
    const body = await api.get<SitesBody>(`/api/sites${query}`);
    sites = next === null ? body.sites : [...sites, ...body.sites];
    next = body.next;
    more.hidden = next === null;
    show();
  }

  function show(): void {
    lead.textContent = `${counted(sites.length, 'site')}${next === null ? '' : ' so far'}, ${counted(
      sites.reduce((sum, { pages }) => sum + pages, 0),
      'page',
    )}.`;
    table.fill(
      sites.map((site) => [
        siteName(site),
        site.tenant ?? 'pilot',
        count(site.pages),
        bytes(site.bytes),
        day(site.used),
        site.ends ? day(site.ends) : '–',
        build(
          'button',
          { type: 'button', 'aria-label': `Open ${siteName(site)}`, run: () => open(site) },
          'Open',
        ),
      ]),
    );
    onList(sites);
  }

  async function load(): Promise<void> {
    next = null;
    await loadMore();
  }

  const node = build(
    'div',
    { class: 'tab' },
    build('h2', {}, 'Sites'),
    lead,
    once,
    table.node,
    more,
    detail,
    form,
  );
  return { node, load };
}
