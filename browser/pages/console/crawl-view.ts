import type { CrawlSummary } from '../../../server/wire/crawl.ts';
import type { Api } from './api.ts';
import { build, buildTable } from './build.ts';
import { createChart } from './chart.ts';
import { askToConfirm } from './confirm.ts';
import { createBars, createFigures } from './figures.ts';
import { count, decimal, moment, span } from './units.ts';

type Skip = { url: string; reason: string; detail: string };

export const STATES: Record<CrawlSummary['state'], string> = {
  queued: 'queued',
  running: 'running',
  done: 'done',
  cancelled: 'cancelled',
  failed: 'failed',
};

export const isOver = ({ state }: CrawlSummary): boolean => state !== 'queued' && state !== 'running';

/** How long a crawl took, or goes on by now. */
export const tookSecs = ({ startedAt, endedAt }: CrawlSummary): number =>
  startedAt === null ? 0 : ((endedAt ? Date.parse(endedAt) : Date.now()) - Date.parse(startedAt)) / 1000;

// Our choice: what a table is still read of.
const ROWS = 100;
// Of a long crawl every second point goes, again and again, so that the line keeps its whole length.
const MOST_POINTS = 600;

export type CrawlView = { node: HTMLElement; stop(): void };

/**
 * One crawl, live until it ends: how far it is, and what it left out and why.
 * @param meanings of the reasons
 * @param onEnd called where it ended while it was watched
 */
export function createCrawlView(
  api: Api,
  siteId: string,
  name: string,
  first: CrawlSummary,
  meanings: Record<string, string>,
  onEnd: () => void,
): CrawlView {
  const figures = createFigures([
    { label: 'Asked for', unit: 'pages', meaning: 'Requests for pages, sitemaps aside.' },
    { label: 'Taken', unit: 'pages', meaning: 'New or changed, and now in the index.' },
    { label: 'Unchanged', unit: 'pages', meaning: 'As they were at the crawl before.' },
    { label: 'Waiting', unit: 'addresses', meaning: 'Found, and not asked for yet.' },
    { label: 'Left out', unit: 'addresses', meaning: 'For the reasons below.' },
    { label: 'Removed', unit: 'pages', meaning: 'Gone from the site; told at the end.' },
    { label: 'Speed', unit: 'pages/s', meaning: 'What one host is asked for at most, now.' },
    { label: 'Took', unit: '', meaning: 'Since its start.' },
  ]);
  const chart = createChart({
    title: 'Progress',
    meaning: 'Since this page began to look on.',
    across: 'After',
    lines: [
      { name: 'taken and unchanged, pages', style: 'accent' },
      { name: 'left out, addresses', style: 'dashed' },
    ],
    label: (x) => span(x),
    steps: [1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400, 86_400],
    gather: 'each',
    isWide: true,
  });
  chart.node.hidden = true;
  const reasons = createBars('left out', 'Nothing was left out.');
  const skips = buildTable(
    'Addresses that were left out',
    [
      { name: 'Address' },
      { name: 'Reason', meaning: 'The list above says what each means' },
      { name: 'What came', meaning: 'What the crawler saw' },
    ],
    'Nothing was left out.',
  );
  const lead = build('p', { class: 'caption' });
  const state = build('p', { class: 'state', title: 'What the crawl is in' });
  const notices = build('ul', {});
  const heading = build('h3', { tabindex: -1 }, `Crawl of ${name}`);
  const message = build('p', { class: 'message', role: 'alert' });
  const cancel = build('button', { type: 'button', run: () => void stopCrawl() }, 'Cancel the crawl');
  const more = build('button', { type: 'button', hidden: true, run: () => showSkips(shown + ROWS) }, 'More');
  const card = (title: string, meaning: string, ...nodes: HTMLElement[]) =>
    build(
      'article',
      { class: 'card wide' },
      build('h3', {}, title),
      build('p', { class: 'caption' }, meaning),
      ...nodes,
    );
  const node = build(
    'section',
    { class: 'tab crawl', 'aria-label': `Crawl of ${name}` },
    heading,
    lead,
    state,
    notices,
    figures.node,
    cancel,
    message,
    build(
      'div',
      { class: 'cards' },
      chart.node,
      card('Left out, by reason', 'How many addresses, and what each reason means.', reasons.node),
      card('Left out, by address', 'In the order that the crawler met them.', skips.node, more),
    ),
  );

  // By the page's own clock: that of the server may be another.
  const openedMs = performance.now();
  const skipped: Skip[] = [];
  let shown = ROWS;
  let latest = first;
  const points: [number, number, number][] = [];

  function showSkips(upTo: number): void {
    shown = upTo;
    more.hidden = skipped.length <= shown;
    more.textContent = `More, ${count(skipped.length - shown)} are left`;
    skips.fill(
      skipped
        .slice(0, shown)
        .map(({ url, reason, detail }) => [
          url,
          build('span', { title: meanings[reason] ?? null }, reason),
          detail,
        ]),
    );
  }

  function show(crawl: CrawlSummary): void {
    latest = crawl;
    const { queuedAt, fetched, indexed, unchanged, queued, skippedTotal, removed, skippedCount } = crawl;
    state.textContent = STATES[crawl.state];
    state.classList.toggle('state-now', crawl.state === 'running' || crawl.state === 'done');
    lead.textContent =
      `${crawl.isScheduled ? 'Begun by the schedule' : 'Asked for'} ${moment(String(queuedAt))}, ` +
      `from ${crawl.configs.map(({ url }) => url).join(', ')}`;
    figures.set([
      count(fetched),
      count(indexed),
      count(unchanged),
      count(queued),
      count(skippedTotal),
      isOver(crawl) ? count(removed) : '–',
      decimal(crawl.pagesPerSecond),
      span(tookSecs(crawl)),
    ]);
    notices.hidden = crawl.problem === null && crawl.notices.length === 0;
    notices.replaceChildren(
      ...[...(crawl.problem ? [crawl.problem] : []), ...crawl.notices].map((line) => build('li', {}, line)),
    );
    reasons.fill(
      Object.entries(skippedCount)
        .sort(([, a], [, b]) => b - a)
        .map(([reason, value]) => ({ name: `${reason}: ${meanings[reason] ?? ''}`, value })),
    );
    cancel.hidden = isOver(crawl);
    draw(indexed + unchanged, skippedTotal);
  }

  function draw(taken: number, left: number): void {
    if (isOver(latest) && points.length === 0) return;
    points.push([(performance.now() - openedMs) / 1000, taken, left]);
    if (points.length > MOST_POINTS) points.splice(0, points.length, ...points.filter((_, i) => i % 2 === 1));
    if (points.length < 2) return;
    chart.node.hidden = false;
    const [x, ...lines] = [0, 1, 2].map((at) => points.map((point) => point[at]));
    chart.draw(x, lines, `${count(taken)} pages taken or unchanged and ${count(left)} addresses left out.`);
  }

  async function stopCrawl(): Promise<void> {
    const isSure = await askToConfirm(
      'Cancel this crawl?',
      'What it wrote stays; what it did not reach is not asked for.',
      'Cancel the crawl',
    );
    if (!isSure) return;
    try {
      await api.send('DELETE', `/api/sites/${siteId}/crawls/${first.crawlId}`);
    } catch (error) {
      message.textContent = (error as Error).message;
    }
  }

  const source = new EventSource(`/console/api/sites/${siteId}/crawls/${first.crawlId}/events`);
  let isWaiting = false;
  source.addEventListener('skipped', ({ data }) => {
    skipped.push(JSON.parse(data) as Skip);
    // Thousands may come at once; one drawing shows them all.
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      showSkips(shown);
    });
  });
  source.addEventListener('progress', ({ data }) => show(JSON.parse(data) as CrawlSummary));
  source.addEventListener('done', ({ data }) => {
    source.close();
    const wasOver = isOver(first);
    show(JSON.parse(data) as CrawlSummary);
    if (!wasOver) onEnd();
  });
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED)
      message.textContent = 'The server no longer tells of this crawl.';
  });
  show(first);
  return { node, stop: () => source.close() };
}
