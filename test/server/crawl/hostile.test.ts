import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { html, openSite, withCrawlWorld } from '../../crawl-world.ts';

test('endless pages end at the limit of pages, and calendars at the depth', async () => {
  let made = 0;
  const next = () => `/endless/${made++}`;
  await withCrawlWorld(
    {
      '*': (request, response) => {
        const isPage = request.url === '/' || request.url?.startsWith('/endless');
        response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html' });
        response.end(isPage ? html(`T ${request.url}`, `text ${request.url}`, next(), next(), next()) : '');
      },
    },
    async ({ crawl, site }) => {
      const done = await crawl();
      assert.deepEqual([done.state, done.fetched, done.indexed], ['done', 40, 40]);
      assert.ok((done.skippedCount.limit ?? 0) > 40);
      assert.equal(site.asked.filter(({ path }) => path.startsWith('/endless')).length, 39);
    },
    { env: { CRAWL_MAX_PAGES: '40' } },
  );
  await withCrawlWorld(
    {
      '*': (request, response) => {
        const month = Number(/^\/month\/(\d+)$/.exec(request.url ?? '')?.[1] ?? -1);
        const isPage = request.url === '/' || month >= 0;
        response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html' });
        response.end(isPage ? html(`T ${month}`, `month ${month}`, `/month/${month + 1}`) : '');
      },
    },
    async ({ crawl }) => {
      const done = await crawl();
      assert.equal(done.indexed, 33);
      assert.deepEqual(done.reasons, ['/month/32 limit']);
    },
  );
});

test('gzip bombs, huge pages and endless bodies are cut off and named', () =>
  withCrawlWorld(
    {
      '/': html('Home', 'home', '/bomb', '/announced', '/endless', '/fine'),
      '/bomb': {
        headers: { 'content-encoding': 'gzip' },
        body: gzipSync(Buffer.alloc(50_000_000, 'a')),
      },
      '/announced': { headers: { 'content-length': '50000000' } },
      '/endless': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        const chunk = Buffer.alloc(1_000_000, 'b');
        const pour = () => {
          while (!response.destroyed && response.write(chunk));
        };
        response.on('drain', pour);
        pour();
      },
      '/fine': html('Fine', 'fine'),
    },
    async ({ crawl, urls }) => {
      const done = await crawl();
      assert.deepEqual(done.reasons, ['/announced too-large', '/bomb too-large', '/endless too-large']);
      assert.deepEqual(await urls(), ['/', '/fine']);
    },
  ));

test('bombs in sitemaps are refused: entities, gzip, endless nesting, an index that names itself', () =>
  withCrawlWorld({}, async ({ crawl, site, urls }) => {
    const xml = { headers: { 'content-type': 'application/xml' } };
    const entities = Array.from(
      { length: 10 },
      (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`,
    ).join('');
    const names = ['entities', 'gzip', 'nest', 'self', 'html', 'private', 'cut'];
    Object.assign(site.pages, {
      '/robots.txt': [
        ...names.slice(0, -2).map((name) => `Sitemap: ${site.url(`/${name}.xml`)}`),
        'Sitemap: http://10.0.0.1/private.xml',
        `Sitemap: ${site.url('/cut.xml')}`,
        'Sitemap: file:///etc/passwd',
      ].join('\n'),
      '/entities.xml': {
        ...xml,
        body: `<!DOCTYPE x [<!ENTITY l0 "lol">${entities}]><urlset><url><loc>${site.url('/')}&l10;</loc></url></urlset>`,
      },
      '/gzip.xml': {
        headers: { 'content-type': 'application/gzip' },
        body: gzipSync(Buffer.alloc(80_000_000, '<')),
      },
      '/nest.xml': { ...xml, body: `<urlset>${'<a>'.repeat(100_000)}` },
      '/self.xml': {
        ...xml,
        body: `<sitemapindex><sitemap><loc>${site.url('/self.xml')}</loc></sitemap></sitemapindex>`,
      },
      '/html.xml': html('No', 'sitemap'),
      '/cut.xml': { ...xml, body: `<urlset><url><loc>${site.url('/page')}</loc></url><url><lo` },
      '/page': html('Page', 'page'),
      '/': { status: 404 },
    });
    const done = await crawl({ sitemapsOnly: true });
    assert.equal(done.state, 'done');
    assert.deepEqual(await urls(), ['/page']);
    assert.deepEqual(done.reasons, [
      '/entities.xml sitemap',
      '/gzip.xml sitemap',
      '/html.xml sitemap',
      '/nest.xml sitemap',
      'http://10.0.0.1/private.xml sitemap',
    ]);
  }));

test('addresses inside are refused, whatever name or redirect leads there', () =>
  withCrawlWorld(
    { '/': { status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data/' } } },
    async ({ crawl, site, lines }) => {
      const redirected = await crawl();
      assert.equal(redirected.state, 'failed');
      assert.deepEqual(redirected.reasons, ['/ off-site']);
      for (const url of [
        'http://inside.test/',
        'http://127.0.0.2/',
        'http://[::1]/',
        `http://metadata.test:${site.port}/`,
      ]) {
        const { state, skippedCount, skipped } = await crawl({ url });
        assert.equal(state, 'failed');
        assert.deepEqual(
          Object.keys(skippedCount),
          ['refused-address', 'sitemap'].filter((r) => r in skippedCount),
          url,
        );
        assert.ok(skippedCount['refused-address'], url);
        // What stands in our network is not told.
        assert.doesNotMatch(JSON.stringify(skipped), /10\.1\.2\.3|169\.254/);
      }
      assert.deepEqual(
        lines.filter(({ level }) => level === 'error'),
        [],
      );
    },
    { names: { 'inside.test': '10.1.2.3', 'metadata.test': '169.254.169.254' } },
  ));

test('a name that is bound anew between two pages is not followed inside', () => {
  const names = { 'bound.test': '127.0.0.1' };
  const closing = { connection: 'close', 'content-type': 'text/html' };
  return withCrawlWorld(
    {
      '/': (_, response) => {
        response.writeHead(200, closing).end(html('Home', 'home', '/a', '/b'));
        names['bound.test'] = '10.1.2.3';
      },
      '/a': html('A', 'a'),
      '/b': html('B', 'b'),
    },
    async ({ crawl, site }) => {
      const url = `http://bound.test:${site.port}/`;
      const done = await crawl({ url });
      assert.deepEqual([done.state, done.indexed], ['done', 1]);
      assert.deepEqual(done.skippedCount, { 'refused-address': 2 });
      assert.ok(!site.paths().includes('/a'));
    },
    { names, allow: ['127.0.0.1'] },
  );
});

test('a redirect to another port of the same machine is another site, and is not asked', async () => {
  const other = await openSite({ '*': html('Inside', 'inside') });
  await withCrawlWorld({}, async ({ crawl, site }) => {
    site.pages['/'] = html('Home', 'home', '/to');
    site.pages['/to'] = { status: 302, headers: { location: other.url('/admin') } };
    assert.deepEqual((await crawl()).reasons, ['/to off-site']);
  });
  assert.deepEqual(other.asked, []);
  await other.close();
});

test('of a robots.txt above 500 KiB the first part counts, and no rule is cut in two', () => {
  const line = 'Disallow: /filler\n';
  const limit = 500 * 1024;
  const head = `User-agent: *\nDisallow: /first\n`;
  const fill = line.repeat(Math.floor((limit - head.length - 10) / line.length));
  const pad = '#'.repeat(limit - head.length - fill.length - '\nDisallow: /p'.length);
  // The limit falls into this rule: what is left of it would forbid all that begins with /p.
  const robots = `${head}${fill}${pad}\nDisallow: /path/to\nDisallow: /late\n`;
  return withCrawlWorld(
    {
      '/robots.txt': robots,
      '/': html('Home', 'home', '/first', '/page', '/late'),
      '/page': html('Page', 'page'),
      '/late': html('Late', 'late'),
    },
    async ({ crawl, urls }) => {
      assert.equal(Buffer.from(robots).subarray(0, limit).toString().split('\n').pop(), 'Disallow: /p');
      assert.deepEqual((await crawl()).reasons, ['/first robots']);
      assert.deepEqual(await urls(), ['/', '/late', '/page']);
    },
  );
});

test('sitemap indexes that name each other end, and each is asked once', () =>
  withCrawlWorld({}, async ({ crawl, site, urls }) => {
    const index = (...paths: string[]) => ({
      headers: { 'content-type': 'application/xml' },
      body: `<sitemapindex>${paths.map((path) => `<sitemap><loc>${site.url(path)}</loc></sitemap>`).join('')}</sitemapindex>`,
    });
    Object.assign(site.pages, {
      '/sitemap.xml': index('/a.xml', '/b.xml'),
      '/a.xml': index('/b.xml', '/sitemap.xml', '/c.xml'),
      '/b.xml': index('/a.xml'),
      '/c.xml': {
        headers: { 'content-type': 'application/xml' },
        body: `<urlset><url><loc>${site.url('/page')}</loc></url></urlset>`,
      },
      '/page': html('Page', 'page'),
    });
    const done = await crawl({ sitemapsOnly: true });
    assert.deepEqual([done.state, await urls(), done.reasons], ['done', ['/page'], []]);
    assert.equal(site.paths().filter((path) => path.endsWith('.xml')).length, 4);
  }));

test('slow drips and silence end at the time limit, and the crawl goes on', () =>
  withCrawlWorld({}, async ({ crawl, site, fireLimits, urls }) => {
    Object.assign(site.pages, {
      '/': html('Home', 'home', '/drip', '/fine'),
      '/drip': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.write('<title>');
      },
      '/fine': html('Fine', 'fine', '/silent'),
      // By now only the drip is still under way.
      '/silent': () => setImmediate(fireLimits),
    } satisfies typeof site.pages);
    const done = await crawl();
    assert.deepEqual(done.reasons, ['/drip timeout', '/silent timeout']);
    assert.deepEqual([done.state, await urls()], ['done', ['/', '/fine']]);
  }));

test('answers that break off, and what is no HTTP, are named', () =>
  withCrawlWorld(
    {
      '/': html('Home', 'home', '/broken', '/torn', '/noise', '/fine'),
      '/broken': (request) => void request.socket.destroy(),
      '/torn': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': '1000' });
        response.write('<title>');
        response.socket?.end();
      },
      '/noise': (request) => void request.socket.end('SSH-2.0-OpenSSH\r\n'),
      '/fine': html('Fine', 'fine'),
    },
    async ({ crawl, urls }) => {
      const done = await crawl();
      assert.deepEqual(done.reasons, ['/broken unreachable', '/noise unreachable', '/torn unreachable']);
      assert.deepEqual(await urls(), ['/', '/fine']);
    },
  ));

test('hostile robots.txt: 40 stars, megabytes of rules, another thing altogether', () =>
  withCrawlWorld(
    {
      '/robots.txt': `User-agent: *\nDisallow: /${'*a'.repeat(40)}$\n${'Disallow: /no\n'.repeat(100_000)}`,
      '/': html('Home', 'home', `/${'a'.repeat(1_500)}b`, '/no'),
      '*': (request, response) => {
        const isLong = (request.url ?? '').length > 1_000;
        response.writeHead(isLong ? 200 : 404, { 'content-type': 'text/html' }).end(html('Long', 'long'));
      },
    },
    async ({ crawl, urls }) => {
      const done = await crawl();
      assert.deepEqual(done.reasons, ['/no robots']);
      assert.equal((await urls()).length, 2);
    },
  ));

test('wrong and missing charsets', () =>
  withCrawlWorld(
    {
      '/': html('Home', 'home', '/latin', '/meta', '/wrong', '/bom', '/sjis', '/unknown'),
      '/latin': {
        headers: { 'content-type': 'text/html' },
        body: Buffer.from('<title>1</title>5 \x80', 'latin1'),
      },
      '/meta': {
        headers: { 'content-type': 'text/html' },
        body: Buffer.from('<meta charset=iso-8859-15><title>2</title>6 \xa4', 'latin1'),
      },
      '/wrong': {
        headers: { 'content-type': 'text/html; charset=utf-8' },
        body: Buffer.from('<meta charset=latin1><title>3</title>7 €'),
      },
      '/bom': {
        headers: { 'content-type': 'text/html; charset=iso-8859-1' },
        body: Buffer.from('\ufeff<title>4</title>8 €'),
      },
      '/sjis': {
        headers: { 'content-type': 'text/html; charset="Shift_JIS"' },
        body: Buffer.from([...Buffer.from('<title>5</title>'), 0x93, 0xfa, 0x96, 0x7b]),
      },
      '/unknown': {
        headers: { 'content-type': 'text/html; charset=klingon' },
        body: Buffer.from('<title>6</title>9 €'),
      },
    },
    async ({ crawl, pagesOf }) => {
      await crawl();
      const bodies = Object.fromEntries((await pagesOf()).map(({ title, body }) => [title, body]));
      delete bodies.Home;
      assert.deepEqual(bodies, { 1: '5 €', 2: '6 €', 3: '7 €', 4: '8 €', 5: '日本', 6: '9 €' });
    },
  ));

test('a site that is deleted under way ends its crawl', () =>
  withCrawlWorld({}, async ({ crawls, search, siteId, site, deps, store }) => {
    const { runCrawl } = await import('../../../server/crawl/run-crawl.ts');
    site.pages['/'] = async (_, response) => {
      await search.drop(siteId);
      response.writeHead(200, { 'content-type': 'text/html' }).end(html('Home', 'home', '/a'));
    };
    const { crawlId } = await crawls.start(siteId, [
      {
        url: site.url(),
        pageBodyCssSelector: null,
        sitemapsOnly: false,
        allowUrlWithQuery: false,
        pagesPerSecond: null,
      },
    ]);
    await runCrawl(deps, crawlId, new AbortController().signal);
    assert.equal(store.get(crawlId)?.state, 'cancelled');
    assert.ok(!site.paths().includes('/a'));
  }));
