import type { SiteView } from '../../../server/wire/console.ts';
import type { ActiveCrawl, ActiveCrawlsBody, CrawlsBody } from '../../../server/wire/console-crawls.ts';
import type { CrawlSummary } from '../../../server/wire/crawl.ts';
import type { Api } from './api.ts';
import { build, buildField, buildTable } from './build.ts';
import { type CrawlView, createCrawlView, isOver, STATES, tookSecs } from './crawl-view.ts';
import type { Say } from './keys-tab.ts';
import { siteName } from './sites-tab.ts';
import { count, counted, moment, span } from './units.ts';

export type CrawlsTab = {
  node: HTMLElement;
  /** The sites to choose from. */
  offer(sites: readonly SiteView[]): void;
  /** The crawls that go on, as the stream tells them. */
  show(active: readonly ActiveCrawl[]): void;
  load(): Promise<void>;
  stop(): void;
};

/** Crawls: what goes on, those of a site, one of them in full, start and cancel. */
export function createCrawlsTab(api: Api, say: Say): CrawlsTab {
  const site = build('select', {});
  const url = build('input', { type: 'url', name: 'url', maxlength: 2048, autocomplete: 'off' });
  const isSitemapsOnly = build('input', { type: 'checkbox' });
  const isWithQuery = build('input', { type: 'checkbox' });
  const message = build('p', { class: 'message', role: 'alert' });
  const lead = build('p', { class: 'caption', role: 'status' });
  const detail = build('div');
  const now = buildTable(
    'Crawls that go on',
    [
      { name: 'Site' },
      { name: 'State' },
      { name: 'Taken', meaning: 'Pages, new, changed or as before' },
      { name: 'Waiting', meaning: 'Addresses, found and not asked for yet' },
      { name: 'Left out', meaning: 'Addresses, with the reason for each' },
      { name: 'Took', meaning: 'Since its start' },
      { name: 'More' },
    ],
    'No crawl goes on.',
  );
  const past = buildTable(
    'Crawls of the site',
    [
      { name: 'Asked for' },
      { name: 'State' },
      { name: 'Taken', meaning: 'Pages, new, changed or as before' },
      { name: 'Left out', meaning: 'Addresses, with the reason for each' },
      { name: 'Took', meaning: 'From start to end' },
      { name: 'More' },
    ],
    'The site was never crawled.',
  );
  let sites: readonly SiteView[] = [];
  let meanings: Record<string, string> = {};
  let view: CrawlView | null = null;
  /** The cells of each row of those that go on, which change in place: the keyboard may be in the row. */
  let rows = new Map<string, HTMLElement[]>();

  const nameOf = (siteId: string) => {
    const known = sites.find((of) => of.siteId === siteId);
    return known ? siteName(known) : siteId.slice(0, 8);
  };

  const form = build(
    'form',
    { class: 'card form' },
    build('h3', {}, 'Crawl a site'),
    buildField('Site', site),
    buildField('Start address', url, 'Empty: by the settings of the site, in the tab Sites.'),
    build(
      'div',
      { class: 'choices-line' },
      build('label', {}, isSitemapsOnly, ' only what sitemaps list'),
      build('label', {}, isWithQuery, ' addresses with a query string as well'),
    ),
    build('div', { class: 'actions' }, build('button', { class: 'primary', type: 'submit' }, 'Crawl now')),
    message,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    message.textContent = '';
    const asked = url.value.trim();
    const body = asked
      ? { url: asked, sitemapsOnly: isSitemapsOnly.checked, allowUrlWithQuery: isWithQuery.checked }
      : undefined;
    try {
      const { crawlId } = await api.send<{ crawlId: string }>(
        'POST',
        `/api/sites/${site.value}/crawls`,
        body,
      );
      say('The crawl is queued.');
      await load();
      await open(site.value, crawlId);
    } catch (error) {
      message.textContent = (error as Error).message;
    }
  });
  // Two settings of an address that is not named would be lost in silence.
  const showChoices = () => {
    for (const box of [isSitemapsOnly, isWithQuery]) box.disabled = url.value.trim() === '';
  };
  url.addEventListener('input', showChoices);
  form.addEventListener('reset', showChoices);
  showChoices();
  site.addEventListener('change', () => void load().catch(failed));
  const failed = (error: unknown) => {
    message.textContent = (error as Error).message;
  };

  async function open(siteId: string, crawlId: string): Promise<void> {
    const crawl = await api.get<CrawlSummary>(`/api/sites/${siteId}/crawls/${crawlId}?limit=1`);
    view?.stop();
    view = createCrawlView(api, siteId, nameOf(siteId), crawl, meanings, () => {
      say(`The crawl of ${nameOf(siteId)} has ended.`);
      void load().catch(failed);
    });
    detail.replaceChildren(view.node);
    detail.querySelector('h3')?.focus();
  }

  const opener = (siteId: string, { crawlId, queuedAt }: CrawlSummary) =>
    build(
      'button',
      {
        type: 'button',
        'aria-label': `Open the crawl of ${nameOf(siteId)}, ${moment(String(queuedAt))}`,
        run: () => void open(siteId, crawlId).catch(failed),
      },
      'Open',
    );

  async function load(): Promise<void> {
    const has = site.value !== '';
    form.hidden = !has;
    if (!has) return;
    const [{ crawls }, { reasons }] = await Promise.all([
      api.get<CrawlsBody>(`/api/sites/${site.value}/crawls`),
      api.get<ActiveCrawlsBody>('/api/crawls'),
    ]);
    meanings = reasons;
    past.fill(
      crawls.map((crawl) => [
        moment(String(crawl.queuedAt)),
        ...(isOver(crawl)
          ? [
              STATES[crawl.state],
              count(crawl.indexed + crawl.unchanged),
              count(crawl.skippedTotal),
              span(tookSecs(crawl)),
            ]
          : ['goes on', '–', '–', '–']),
        opener(site.value, crawl),
      ]),
    );
  }

  const node = build(
    'div',
    { class: 'tab' },
    build('h2', {}, 'Crawls'),
    lead,
    now.node,
    form,
    past.node,
    detail,
  );
  return {
    node,
    offer(list) {
      sites = list;
      const chosen = site.value;
      site.replaceChildren(
        ...list.map((of) =>
          build('option', { value: of.siteId }, `${siteName(of)} (${of.siteId.slice(0, 8)})`),
        ),
      );
      if (list.some(({ siteId }) => siteId === chosen)) site.value = chosen;
    },
    show(active) {
      const line = active.length > 0 ? `${counted(active.length, 'crawl')} on now.` : 'No crawl goes on.';
      // Said aloud where it changes, and not at every tick.
      if (lead.textContent !== line) lead.textContent = line;
      now.node.hidden = active.length === 0;
      if (active.map(({ crawlId }) => crawlId).join() !== [...rows.keys()].join()) {
        rows = new Map(
          active.map(({ crawlId }) => [crawlId, Array.from({ length: 6 }, () => build('span'))]),
        );
        now.fill(
          active.map((crawl) => [...(rows.get(crawl.crawlId) as HTMLElement[]), opener(crawl.siteId, crawl)]),
        );
      }
      for (const crawl of active) {
        const texts = [
          nameOf(crawl.siteId),
          STATES[crawl.state],
          count(crawl.indexed + crawl.unchanged),
          count(crawl.queued),
          count(crawl.skippedTotal),
          span(tookSecs(crawl)),
        ];
        for (const [i, cell] of (rows.get(crawl.crawlId) ?? []).entries()) cell.textContent = texts[i];
      }
    },
    load,
    stop: () => view?.stop(),
  };
}
