import type { QueriesBody, SiteView } from '../../../server/wire/console.ts';
import type { Api } from './api.ts';
import { build, buildField } from './build.ts';
import { createChart } from './chart.ts';
import { createBars, createFigures } from './figures.ts';
import { siteName } from './sites-tab.ts';
import { count, day, share } from './units.ts';

const DAY_SECS = 86_400;

/** What visitors look for on one site: the most frequent, those without a result, and over time. */
export function createQueriesTab(api: Api): {
  node: HTMLElement;
  /** The sites to choose from. */
  offer(sites: readonly SiteView[]): void;
  load(): Promise<void>;
} {
  const site = build('select', {});
  const message = build('p', { class: 'message', role: 'alert' });
  const lead = build('p', { class: 'caption' });
  const figures = createFigures([
    {
      label: 'Queries',
      unit: 'in 30 days',
      meaning: 'Searches of visitors; further pages of one answer are not counted.',
    },
    {
      label: 'Without a result',
      unit: 'queries',
      meaning: 'Found nothing: words that the site lacks, or calls differently.',
    },
    { label: 'Share without', unit: '', meaning: 'Of all queries.' },
  ]);
  const chart = createChart({
    title: 'Queries a day',
    meaning: 'Days of UTC; today is still filling.',
    across: 'Day',
    lines: [
      { name: 'queries', style: 'accent' },
      { name: 'without a result', style: 'dashed' },
    ],
    label: (x) => day(new Date(x * 1000).toISOString()).replace(/, \d+$/, ''),
    steps: [7 * DAY_SECS, 14 * DAY_SECS],
    gather: 'each',
    isWide: true,
  });
  const top = createBars('×', 'Nobody searched yet.');
  const without = createBars('×', 'Every query found something.');
  const results = build(
    'div',
    { class: 'tab' },
    lead,
    figures.node,
    build(
      'div',
      { class: 'cards' },
      chart.node,
      build(
        'article',
        { class: 'card' },
        build('h3', {}, 'Most frequent'),
        build(
          'p',
          { class: 'caption' },
          'Times each was asked. Long ones, and what looks like a number or an address, are counted without their words.',
        ),
        top.node,
      ),
      build(
        'article',
        { class: 'card' },
        build('h3', {}, 'Most frequent without a result'),
        build('p', { class: 'caption' }, 'Times each found nothing.'),
        without.node,
      ),
    ),
  );
  site.addEventListener('change', () => void load());

  let latest = 0;
  async function load(): Promise<void> {
    const mine = ++latest;
    results.hidden = site.value === '';
    message.textContent = site.value === '' ? 'There is no site yet: create one in the tab Sites.' : '';
    if (site.value === '') return;
    try {
      const body = await api.get<QueriesBody>(`/api/sites/${site.value}/queries`);
      // A slow answer about the site that was chosen before must not stand under the new one.
      if (mine !== latest) return;
      lead.textContent = `Since ${day(body.since)}.`;
      figures.set([count(body.queries), count(body.withoutResult), share(body.withoutResult, body.queries)]);
      chart.draw(
        body.days.map((of) => Date.parse(of.day) / 1000),
        [body.days.map(({ queries }) => queries), body.days.map(({ withoutResult }) => withoutResult)],
        `${count(body.queries)} queries in 30 days, ${count(body.withoutResult)} of them without a result.`,
      );
      top.fill(body.top.map(({ query, count: value }) => ({ name: query, value })));
      without.fill(body.topWithoutResult.map(({ query, count: value }) => ({ name: query, value })));
    } catch (error) {
      if (mine === latest) message.textContent = (error as Error).message;
    }
  }

  const node = build(
    'div',
    { class: 'tab' },
    build('h2', {}, 'Queries'),
    buildField('Site', site),
    message,
    results,
  );
  return {
    node,
    offer(sites) {
      const chosen = site.value;
      site.replaceChildren(
        ...sites.map((of) =>
          build('option', { value: of.siteId }, `${siteName(of)} (${of.siteId.slice(0, 8)})`),
        ),
      );
      if (sites.some(({ siteId }) => siteId === chosen)) site.value = chosen;
    },
    load,
  };
}
