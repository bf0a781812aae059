import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { nodeDigest } from '../../server/base/system.ts';
import { isActive } from '../../server/crawl/core/ports.ts';
import { runCrawl } from '../../server/crawl/run-crawl.ts';
import { openDemoSite } from '../../server/demo-site.ts';
import { type Library, readLibrary } from '../../server/docs/library.ts';
import { openEnvironment } from '../../server/store/environment.ts';
import { html, openCrawlWorld } from '../crawl-world.ts';
import { makeFolder } from '../temporary-folder.ts';

const SITE = '0a000000-0000-4000-8000-000000000001';
const library = readLibrary(fileURLToPath(new URL('../../', import.meta.url)));

/** The demo's site over a server that serves two pages of documentation. */
async function withDemo(use: (world: Awaited<ReturnType<typeof open>>) => Promise<void>) {
  const world = await open();
  try {
    await use(world);
  } finally {
    await world.close();
  }
}

async function open() {
  const { folder, remove } = makeFolder();
  const environment = await openEnvironment(folder);
  const crawling = await openCrawlWorld({
    '/docs/': html('Documentation', 'contents', '/docs/gate'),
    '/docs/gate': html('Gate', 'a passport opens it'),
    '/robots.txt': 'Category: Gate /docs/gate$',
  });
  const { search, crawls, deps, site, lines } = crawling;
  const own: string[] = [];
  const demo = (shown: Library = library, version = '1.0.0') =>
    openDemoSite({
      siteId: SITE,
      search,
      crawls,
      library: shown,
      version,
      environment,
      own: { open: (url) => void own.push(url), close: async () => {} },
      digest: nodeDigest,
      log: deps.log,
    });
  /** Starts it, and lets the crawl run that it begins. Gives whether there was one. */
  const fill = async (opened = demo(), url = site.url()): Promise<boolean> => {
    opened.start(url);
    await opened.stop();
    const active = crawls.active();
    for (const { crawlId } of active) await runCrawl(deps, crawlId, new AbortController().signal);
    return active.length > 0;
  };
  return {
    ...crawling,
    demo,
    fill,
    own,
    errors: () => lines.filter(({ level }) => level === 'error').map(({ message }) => message),
    async close() {
      await crawling.close();
      await environment.close();
      remove();
    },
  };
}

test('the documentation is crawled from where it is served, at once, and says how far it is', () =>
  withDemo(async ({ demo, fill, find, own, site, sent, crawls, time }) => {
    const opened = demo();
    assert.equal(opened.search(), null);
    opened.start(site.url());
    await opened.stop();
    assert.deepEqual(opened.search(), { siteId: SITE, state: 'filling', pages: 0 });
    assert.deepEqual(own, [site.url()]);
    const startMs = time.clock.nowMs();
    await fill(opened);
    assert.ok(time.clock.nowMs() - startMs < 1_000);
    assert.equal(sent().length, 3, 'two pages and the look for a sitemap');
    assert.deepEqual(opened.search(), { siteId: SITE, state: 'ready', pages: 2 });
    assert.ok(crawls.list(SITE).every(({ pagesPerSecond }) => pagesPerSecond === 100));
    const { results } = await find({ siteId: SITE, siteSecret: '' }, 'passport');
    assert.deepEqual(
      results.map(({ urlRaw, labels }: { urlRaw: string; labels: string[] }) => [urlRaw, labels]),
      [[site.url('/docs/gate'), ['Gate']]],
    );
  }));

test('a restart crawls nothing; changed documentation, another version or a crawl that failed does', () =>
  withDemo(async ({ demo, fill, site }) => {
    assert.equal(await fill(), true);
    const before = site.asked.length;
    assert.equal(await fill(), false);
    assert.equal(site.asked.length, before);
    assert.equal(await fill(demo({ ...library, pages: library.pages.slice(1) })), true);
    assert.equal(await fill(demo(library, '1.0.1')), true);
    assert.equal(await fill(demo(library, '1.0.1')), false);
    const pages = { ...site.pages };
    for (const path of Object.keys(pages)) site.pages[path] = { status: 500 };
    const broken = demo(library, '1.0.2');
    assert.equal(await fill(broken), true);
    assert.equal(broken.search()?.state, 'failed');
    Object.assign(site.pages, pages);
    assert.equal(await fill(demo(library, '1.0.2')), true);
    assert.equal(await fill(demo(library, '1.0.2')), false);
  }));

test('a crawl that a restart cut off goes on; one of another address is cancelled', () =>
  withDemo(async ({ demo, site, crawls }) => {
    const start = async (url: string) => {
      const opened = demo();
      opened.start(url);
      await opened.stop();
      return crawls.list(SITE).filter(isActive);
    };
    const [first] = await start(site.url());
    const [second] = await start(site.url());
    assert.equal(second.crawlId, first.crawlId);
    const [third, ...others] = await start('http://localhost:1/');
    assert.deepEqual([third.configs[0].url, others.length], ['http://localhost:1/docs/', 0]);
  }));

test('pages of another address, and those that were not crawled, go', () =>
  withDemo(async ({ fill, search, site, demo }) => {
    await search.make('Gatehouse demo', SITE);
    const page = {
      title: 'Old',
      headings: [],
      body: 'old',
      labels: [],
      thumbnail: null,
      language: null,
      publishedAtSecs: null,
    };
    const old = [site.url('/docs/gate'), 'http://localhost:9090/docs/gate'].map((url) => ({ ...page, url }));
    await search.write(search.find(SITE), old, 'snapshot');
    await fill(demo());
    const urls = (await search.listPages(search.find(SITE), null, 100)).map(({ url }) => url);
    assert.deepEqual(urls.sort(), [site.url('/docs/'), site.url('/docs/gate')]);
    const { id } = (await search.listPages(search.find(SITE), null, 100)).find(({ url }) =>
      url.endsWith('gate'),
    ) as { id: string };
    assert.equal((await search.read(search.find(SITE), id)).title, 'Gate');
  }));

test('a site that was deleted is made again', () =>
  withDemo(async ({ demo, fill, search }) => {
    await fill();
    await search.drop(SITE);
    assert.equal(demo().search(), null);
    assert.equal(await fill(), true);
    assert.equal(demo().search()?.state, 'ready');
  }));

test('who listens everywhere is asked at the loopback', () =>
  withDemo(async ({ demo, own }) => {
    for (const url of ['http://0.0.0.0:8080/', 'http://[::]:8080/']) {
      const opened = demo();
      opened.start(url);
      await opened.stop();
    }
    assert.deepEqual(own, ['http://localhost:8080/', 'http://localhost:8080/']);
  }));

test('a store that fails is told, and the server goes on', () =>
  withDemo(async ({ demo, search, site, errors }) => {
    search.make = async () => {
      throw new Error('disk');
    };
    const opened = demo();
    opened.start(site.url());
    await opened.stop();
    assert.deepEqual(errors(), ['the demo site could not be filled']);
  }));
