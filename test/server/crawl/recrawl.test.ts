import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepSchedules } from '../../../server/crawl/run-crawls.ts';
import { html, withCrawlWorld } from '../../crawl-world.ts';

const paths = Array.from({ length: 8 }, (_, i) => `/p${i}`);
const site = () => ({
  '/': html('Home', 'home', ...paths),
  ...Object.fromEntries(paths.map((path) => [path, html(`Title ${path}`, `text of ${path}`)])),
});

test('a recrawl asks with what it was given, and writes only what changed', () =>
  withCrawlWorld(
    {
      '/': (request, response) => {
        const isSame = request.headers['if-none-match'] === '"v1"';
        response.writeHead(isSame ? 304 : 200, { 'content-type': 'text/html', etag: '"v1"' });
        response.end(isSame ? '' : html('Home', 'home', '/dated', '/plain', '/changing'));
      },
      '/dated': (request, response) => {
        const date = 'Thu, 01 Jan 2026 00:00:00 GMT';
        const isSame = request.headers['if-modified-since'] === date;
        response.writeHead(isSame ? 304 : 200, { 'content-type': 'text/html', 'last-modified': date });
        response.end(isSame ? '' : html('Dated', 'dated'));
      },
      '/plain': html('Plain', 'plain'),
      '/changing': html('Changing', 'before'),
    },
    async ({ crawl, site, pagesOf }) => {
      assert.equal((await crawl()).indexed, 4);
      site.pages['/changing'] = html('Changing', 'after');
      const second = await crawl();
      assert.deepEqual([second.indexed, second.unchanged, second.removed], [1, 3, 0]);
      assert.equal((await pagesOf()).find(({ title }) => title === 'Changing')?.body, 'after');

      // Other settings or categories read a page anew, whatever the server says of it.
      site.pages['/robots.txt'] = 'Category: All /*';
      assert.equal((await crawl()).indexed, 4);
      assert.deepEqual(
        (await pagesOf()).map(({ labels }) => [...labels]),
        Array(4).fill(['All']),
      );
    },
  ));

test('what is gone or newly disallowed goes, also where nothing leads there any more', () =>
  withCrawlWorld(site(), async ({ crawl, site, urls }) => {
    await crawl();
    site.pages['/p0'] = { status: 404 };
    site.pages['/p1'] = { status: 410 };
    site.pages['/p2'] = `<meta name=robots content=noindex>${html('x', 'x')}`;
    site.pages['/robots.txt'] = 'User-agent: GatehouseBot\nDisallow: /p3\n';
    site.pages['/'] = html('Home', 'home without links');
    const { removed, state } = await crawl();
    assert.deepEqual([removed, state], [4, 'done']);
    assert.deepEqual(await urls(), ['/', '/p4', '/p5', '/p6', '/p7']);
  }));

test('a page whose server fails stays for three recrawls, and comes back unharmed', () =>
  withCrawlWorld(site(), async ({ crawl, site, urls }) => {
    await crawl();
    site.pages['/p0'] = { status: 500 };
    for (let recrawl = 1; recrawl <= 3; recrawl++) {
      assert.equal((await crawl()).removed, 0, `recrawl ${recrawl}`);
      assert.ok((await urls()).includes('/p0'));
    }
    assert.equal((await crawl()).removed, 1);
    assert.ok(!(await urls()).includes('/p0'));

    site.pages['/p1'] = { status: 500 };
    for (let recrawl = 1; recrawl <= 3; recrawl++) await crawl();
    site.pages['/p1'] = html('Title /p1', 'text of /p1');
    await crawl();
    site.pages['/p1'] = { status: 500 };
    assert.equal((await crawl()).removed, 0);
  }));

test('a recrawl that finds less than half keeps the old index and says so', () =>
  withCrawlWorld(site(), async ({ crawl, site, urls, pagesOf }) => {
    await crawl();
    for (const path of paths.slice(0, 5)) site.pages[path] = { status: 404 };
    const { removed, keptOldIndex, notices, state } = await crawl();
    assert.deepEqual([removed, keptOldIndex, state], [0, true, 'done']);
    assert.match(notices.join(), /found 4 of the 9 pages/);
    assert.equal((await urls()).length, 9);

    // One page for every address, with 200: nothing of it comes into the index.
    const before = await pagesOf();
    for (const path of ['/', ...paths]) site.pages[path] = html('Maintenance', 'we will be back');
    assert.equal((await crawl()).keptOldIndex, true);
    assert.deepEqual(await pagesOf(), before);

    // Half is enough, and what was held back is written.
    for (const path of ['/', ...paths.slice(0, 4)])
      site.pages[path] = html(`New ${path}`, `new text ${path}`);
    for (const path of paths.slice(4)) site.pages[path] = { status: 404 };
    const last = await crawl();
    assert.deepEqual([last.keptOldIndex, last.indexed, last.removed], [false, 5, 4]);
    assert.deepEqual((await pagesOf()).map(({ title }) => title).sort(), [
      'New /',
      'New /p0',
      'New /p1',
      'New /p2',
      'New /p3',
    ]);
  }));

test('all that was held back is written once half is found, however much it is', () => {
  const paths = Array.from({ length: 240 }, (_, i) => `/p${i}`);
  const pagesOf = (text: string) =>
    Object.fromEntries(paths.map((path) => [path, html(path, `${text} ${path}`)]));
  return withCrawlWorld(
    { '/': html('Home', 'home', ...paths), ...pagesOf('old') },
    async ({ crawl, site, pagesOf: indexed }) => {
      await crawl({ pagesPerSecond: 100 });
      Object.assign(site.pages, pagesOf('new'));
      const again = await crawl({ pagesPerSecond: 100 });
      assert.deepEqual([again.state, again.indexed, again.unchanged], ['done', 240, 1]);
      const old = (await indexed()).filter(({ body }) => body.includes('old'));
      assert.deepEqual(
        old.map(({ url }) => url),
        [],
      );
    },
  );
});

test('pages that others brought are neither changed nor removed', () =>
  withCrawlWorld(
    {
      '/': html('Home', 'home', '/mine'),
      '/mine': html('Crawled', 'crawled', '/behind'),
      '/behind': html('B', 'b'),
    },
    async ({ crawl, site, search, siteId, urls, pagesOf }) => {
      const mine = {
        url: site.url('/mine'),
        title: 'Mine',
        body: 'as I wrote it',
        headings: [],
        labels: [],
        thumbnail: null,
        language: null,
        publishedAtSecs: null,
      };
      await search.write(search.find(siteId), [mine], 'api');
      assert.deepEqual((await crawl()).reasons, ['/mine pushed']);
      assert.deepEqual(await urls(), ['/', '/behind', '/mine']);
      site.pages['/mine'] = { status: 404 };
      assert.equal((await crawl()).removed, 0);
      assert.equal((await pagesOf()).find(({ title }) => title === 'Mine')?.body, 'as I wrote it');

      // A page that the owner took over after it had been crawled.
      await search.write(search.find(siteId), [{ ...mine, url: site.url('/behind') }], 'api');
      site.pages['/behind'] = { status: 404 };
      await crawl();
      assert.ok((await urls()).includes('/behind'));
    },
  ));

test('a crawl of a part touches nothing else', () =>
  withCrawlWorld(
    { '/': html('Home', 'home', '/a/x', '/b/x'), '/a/x': html('A', 'a'), '/b/x': html('B', 'b') },
    async ({ crawl, site, urls }) => {
      await crawl();
      site.pages['/a/x'] = { status: 404 };
      site.pages['/a/'] = html('New', 'new');
      site.pages['/b/x'] = { status: 404 };
      await crawl({ url: site.url('/a/') });
      assert.deepEqual(await urls(), ['/', '/a/', '/b/x']);
    },
  ));

test('what the owner deleted by hand comes back with the next crawl', () =>
  withCrawlWorld(site(), async ({ crawl, search, siteId, site, urls }) => {
    await crawl();
    const record = search.find(siteId);
    await search.removePage(record, search.pageIdOf(record, site.url('/p0')));
    assert.equal((await crawl()).indexed, 1);
    assert.ok((await urls()).includes('/p0'));
  }));

test('recrawlHours queues the next crawl when it is due, by the profile', () =>
  withCrawlWorld(
    { '/': html('Home', 'home') },
    async ({ crawl, search, siteId, site, store, deps, time }) => {
      await crawl();
      const profile = { ...search.find(siteId).profile, recrawlHours: 24 };
      await search.putProfile(search.find(siteId), profile);
      time.pass(23 * 3_600_000);
      await keepSchedules(deps);
      assert.equal(store.active().length, 0);
      time.pass(3_600_000);
      await keepSchedules(deps);
      await keepSchedules(deps);
      const [queued, ...rest] = store.active();
      assert.deepEqual([queued.isScheduled, queued.configs[0].url, rest.length], [true, site.url(), 0]);

      await search.drop(siteId);
      await keepSchedules(deps);
      assert.deepEqual(
        [store.active(), store.sites(), store.knownPages(siteId, null, 10).pages],
        [[], [], []],
      );
    },
  ));
