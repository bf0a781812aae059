import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { html, withCrawlWorld } from '../../crawl-world.ts';

const urlset = (...urls: string[]) =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;
const xml = (body: string | Buffer) => ({ headers: { 'content-type': 'application/xml' }, body });

test('links of the site are followed, each once, and others are not', () =>
  withCrawlWorld(
    {
      '/': html(
        'Home',
        'welcome',
        '/a',
        '/a#part',
        'b/',
        'https://example.org/far',
        'mailto:a@b.c',
        '/pic.png',
      ),
      '/a': html('A', 'apples', '/', '/b/'),
      '/b/': html('B', 'bees', 'c'),
      '/b/c': html('C', 'cherries'),
    },
    async ({ crawl, urls, site, find, siteId }) => {
      const done = await crawl();
      assert.equal(done.state, 'done');
      assert.deepEqual(await urls(), ['/', '/a', '/b/', '/b/c']);
      assert.deepEqual(site.paths().sort(), ['/', '/a', '/b/', '/b/c', '/robots.txt', '/sitemap.xml']);
      assert.deepEqual(done.reasons, ['/pic.png content-type']);
      assert.equal(done.indexed, 4);
      assert.equal((await find({ siteId, siteSecret: '' }, 'cherries')).total, 1);
    },
  ));

test('sitemaps are read: of robots.txt, nested, gzipped, with entities of XML', () =>
  withCrawlWorld({}, async ({ crawl, urls, site }) => {
    Object.assign(site.pages, {
      '/robots.txt': `Sitemap: ${site.url('/index.xml')}\nsitemap: /relative.xml # also\n`,
      '/index.xml': xml(
        `<sitemapindex><sitemap><loc> ${site.url('/one.xml.gz')} </loc></sitemap></sitemapindex>`,
      ),
      '/one.xml.gz': {
        headers: { 'content-type': 'application/gzip' },
        body: gzipSync(urlset(site.url('/a'), site.url('/q?x=1&amp;y=2'), 'https://example.org/other')),
      },
      '/relative.xml': xml(urlset(site.url('/b'))),
      '/a': html('A', 'apples', '/unlisted'),
      '/b': html('B', 'bees'),
      '/unlisted': html('C', 'cherries'),
      '/q?x=1&y=2': html('Q', 'queries'),
    });
    const done = await crawl({ sitemapsOnly: true, allowUrlWithQuery: true });
    assert.deepEqual(await urls(), ['/a', '/b', '/q?x=1&y=2']);
    assert.deepEqual(done.reasons, ['https://example.org/other off-site']);
    assert.ok(!site.paths().includes('/unlisted'));
  }));

test('robots.txt, metas, headers and links say what is left out, and the state says why', () =>
  withCrawlWorld(
    {
      '/robots.txt': 'User-agent: *\nDisallow: /private\nAllow: /private/open\n',
      '/': html(
        'Home',
        'home',
        '/private/a',
        '/private/open',
        '/noindex',
        '/none',
        '/tag',
        '/other-tag',
        '/q?a=1',
        '/login',
        '/gone',
        '/broken',
        '/empty',
        '/text',
        '/copy',
        '/canonical',
        '/abroad',
      ),
      '/private/open': html('Open', 'open'),
      '/noindex': `<meta name=robots content=noindex>${html('N', 'n', '/by-noindex')}`,
      '/none': `<meta name=gatehousebot content=none>${html('N', 'n', '/by-none')}`,
      '/tag': {
        headers: { 'x-robots-tag': 'otherbot: nofollow, gatehousebot: noindex' },
        body: html('T', 't'),
      },
      '/other-tag': { headers: { 'x-robots-tag': 'otherbot: noindex' }, body: html('O', 'taken') },
      '/by-noindex': html('By', 'by noindex', '/x" rel="nofollow'),
      '/login': { status: 401 },
      '/gone': { status: 410 },
      '/broken': { status: 500 },
      '/empty': '<p></p>',
      '/text': { headers: { 'content-type': 'text/plain' }, body: 'text' },
      '/copy': html('Open', 'open'),
      '/canonical': `<link rel=canonical href="/real">${html('Z', 'z')}`,
      '/real': html('Real', 'real'),
      '/abroad': `<link rel=canonical href="https://example.org/">${html('Z', 'z')}`,
    },
    async ({ crawl, urls, site }) => {
      const done = await crawl();
      assert.deepEqual(await urls(), ['/', '/by-noindex', '/other-tag', '/private/open', '/real']);
      assert.deepEqual(done.reasons, [
        '/abroad canonical',
        '/broken server-error',
        '/canonical canonical',
        '/copy duplicate',
        '/empty empty',
        '/gone not-found',
        '/login auth',
        '/noindex noindex',
        '/none noindex',
        '/private/a robots',
        '/q?a=1 query-string',
        '/tag noindex',
        '/text content-type',
      ]);
      for (const path of ['/private/a', '/by-none', '/x', '/q?a=1'])
        assert.ok(!site.paths().includes(path), path);
      assert.equal(done.skippedCount['server-error'], 1);
    },
  ));

test('redirects lead on, each hop checked; circles and chains end', () =>
  withCrawlWorld(
    {
      '/robots.txt': 'User-agent: *\nDisallow: /closed\n',
      '/': html('Home', 'home', '/moved', '/circle', '/self', '/closed-by', '/away', '/chain0'),
      '/moved': { status: 301, headers: { location: 'there' } },
      '/there': html('There', 'there'),
      '/circle': { status: 302, headers: { location: '/elcric' } },
      '/elcric': { status: 302, headers: { location: '/circle' } },
      '/self': { status: 302, headers: { location: '/self' } },
      '/closed-by': { status: 308, headers: { location: '/closed' } },
      '/away': { status: 302, headers: { location: 'http://10.0.0.1/' } },
      '*': (request, response) => {
        const number = Number(/^\/chain(\d+)$/.exec(request.url ?? '')?.[1]);
        const status = Number.isNaN(number) ? 404 : 302;
        response.writeHead(status, { location: `/chain${number + 1}` }).end();
      },
    },
    async ({ crawl, urls, site }) => {
      const done = await crawl();
      assert.deepEqual(await urls(), ['/', '/there']);
      const reasons = done.reasons.filter((line) => !line.startsWith('/chain'));
      assert.deepEqual(reasons, [
        '/away off-site',
        '/circle moved',
        '/closed-by robots',
        '/elcric redirects',
        '/moved moved',
        '/self redirects',
      ]);
      assert.ok(!site.paths().includes('/closed'));
      assert.equal(site.paths().filter((path) => path.startsWith('/chain')).length, 11);
      assert.ok(done.reasons.includes('/chain10 redirects'));
    },
  ));

test('a beginning that redirects to the host with www is followed there', () =>
  withCrawlWorld(
    {},
    async ({ crawl, site, pagesOf }) => {
      site.pages['*'] = (request, response) => {
        if (!request.headers.host?.startsWith('www.')) {
          response.writeHead(301, { location: `http://www.site.test:${site.port}${request.url}` }).end();
        } else if (request.url === '/' || request.url === '/a') {
          response.writeHead(200, { 'content-type': 'text/html' }).end(html(request.url, request.url, '/a'));
        } else response.writeHead(404).end();
      };
      const done = await crawl({ url: `http://site.test:${site.port}/` });
      assert.equal(done.state, 'done', done.problem ?? '');
      const urls = (await pagesOf()).map(({ url }) => url).sort();
      assert.deepEqual(urls, [`http://www.site.test:${site.port}/`, `http://www.site.test:${site.port}/a`]);
    },
    { names: { 'site.test': '127.0.0.1', 'www.site.test': '127.0.0.1' } },
  ));

test('categories of robots.txt and metas become labels', () =>
  withCrawlWorld(
    {
      '/robots.txt':
        'Category: Guides /guides/*\nUser-agent: *\nCategory: "Old things" /*/old$\nDisallow: /x\nCategory: broken\n',
      '/': html('Home', 'home', '/guides/old', '/guides/new'),
      '/guides/old': `<meta name="sis-labels" content="Mine, Guides">${html('Old', 'old')}`,
      '/guides/new': html('New', 'new'),
    },
    async ({ crawl, pagesOf }) => {
      const done = await crawl();
      const labels = Object.fromEntries((await pagesOf()).map((page) => [page.title, [...page.labels]]));
      assert.deepEqual(labels, { Home: [], New: ['Guides'], Old: ['Mine', 'Guides', 'Old things'] });
      assert.match(done.notices.join(), /^robots\.txt line 5: expected `Category:/);
    },
  ));

test('the selector limits what is taken, and where it matches nothing the whole body counts', () =>
  withCrawlWorld(
    {
      '/': '<title>H</title><body><aside>menu</aside><main>text</main><a href=/b>b</a>',
      '/b': '<title>B</title><body><aside>menu</aside><p>other</p>',
    },
    async ({ crawl, pagesOf }) => {
      await crawl({ pageBodyCssSelector: 'main' });
      const bodies = Object.fromEntries((await pagesOf()).map(({ title, body }) => [title, body]));
      assert.equal(bodies.H, 'text');
      assert.match(bodies.B, /menu\s+other/);
    },
  ));

test('a crawl of a folder stays in it', () =>
  withCrawlWorld(
    { '/docs/': html('D', 'docs', 'a', '/blog'), '/docs/a': html('A', 'apples'), '/blog': html('B', 'blog') },
    async ({ crawl, urls, site }) => {
      await crawl({ url: site.url('/docs/') });
      assert.deepEqual(await urls(), ['/docs/', '/docs/a']);
    },
  ));

test('where robots.txt cannot be had from the server nothing is asked for; where there is none everything may be', () =>
  withCrawlWorld(
    { '/robots.txt': { status: 503 }, '/': html('Home', 'home') },
    async ({ crawl, site, urls }) => {
      for (const status of [503, 500, 429]) {
        site.pages['/robots.txt'] = { status };
        const failed = await crawl();
        assert.equal(failed.state, 'failed');
        assert.match(
          failed.problem ?? '',
          new RegExp(`server-error .*robots\\.txt: the server answered ${status}`),
        );
      }
      const inSitemap = await crawl({ url: site.url('/list.xml'), sitemapsOnly: true });
      assert.ok(inSitemap.reasons.includes('/list.xml sitemap'));
      // Three times each, and nothing else: no sitemap either.
      assert.deepEqual(site.paths(), Array(12).fill('/robots.txt'));
      site.pages['/robots.txt'] = { status: 403 };
      assert.equal((await crawl()).state, 'done');
      assert.deepEqual(await urls(), ['/']);
    },
  ));

test('a crawl that finds nothing says why', () =>
  withCrawlWorld({ '/robots.txt': 'User-agent: *\nDisallow: /\n' }, async ({ crawl, site }) => {
    const { state, problem } = await crawl();
    assert.equal(state, 'failed');
    assert.equal(problem, `no page was taken: 1 × robots (${site.url()}: robots.txt disallows it)`);
    site.pages['/robots.txt'] = '';
    assert.match((await crawl()).problem ?? '', /not-found/);
    assert.match((await crawl({ sitemapsOnly: true })).problem ?? '', /no sitemap names one/);
  }));
