import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { fault } from '../../../server/wire/problem.ts';
import { createTestSearch, page } from '../../test-search.ts';

describe('a page', () => {
  test('is stored, read, found, replaced whole and deleted', async () => {
    const world = createTestSearch();
    const site = await world.makeSite();
    const url = 'HTTPS://Example.org:443/a/../ä?x=1#part';
    const made = await world.putPages(site, {
      title: 'Bees',
      body: 'Honey & wax',
      url,
      labels: [' a ', 'b', 'a'],
      thumbnail: 'https://example.org/i.png#x',
      language: 'de-at',
      published: '2024-02-01T12:00:00+01:00',
      siteId: 'x',
      id: 'x',
      source: 'crawl',
    });
    assert.equal(made.statusCode, 201);
    const stored = {
      siteId: site.siteId,
      id: createHash('sha256').update(`${site.siteId}https://example.org/%C3%A4?x=1`).digest('hex'),
      title: 'Bees',
      body: 'Honey & wax',
      url: 'https://example.org/%C3%A4?x=1',
      labels: ['a', 'b'],
      thumbnail: 'https://example.org/i.png',
      language: 'de-AT',
      published: '2024-02-01T11:00:00.000Z',
      updated: '2026-01-01T00:00:00.000Z',
      source: 'api',
    };
    assert.deepEqual(made.json(), stored);
    assert.equal(made.headers['cache-control'], 'no-store');
    assert.equal(made.headers['referrer-policy'], 'no-referrer');
    assert.deepEqual((await world.request(world.pathOf(site, `/pages/${stored.id}`))).json(), stored);
    assert.deepEqual(
      (await world.request(world.pathOf(site, `/pages/${stored.id.toUpperCase()}`))).json(),
      stored,
    );
    assert.deepEqual((await world.request(world.pathOf(site, '/pages', { url }))).json(), stored);
    assert.equal((await world.find(site, 'honey')).total, 1);

    const replaced = await world.putPages(site, { title: 'Wasps', body: '', url: stored.url });
    assert.equal(replaced.statusCode, 200);
    assert.deepEqual(
      [replaced.json().labels, replaced.json().thumbnail, replaced.json().published],
      [[], null, null],
    );
    assert.equal((await world.find(site, 'honey')).total, 0);

    const gone = await world.request({ method: 'DELETE', url: world.pathOf(site, `/pages/${stored.id}`) });
    assert.deepEqual([gone.statusCode, gone.body], [204, '']);
    for (const method of ['GET', 'DELETE'] as const) {
      for (const path of [
        world.pathOf(site, `/pages/${stored.id}`),
        world.pathOf(site, '/pages', { url }),
        world.pathOf(site, '/pages/__proto__'),
      ]) {
        const answer = await world.request({ method, url: path });
        assert.deepEqual([answer.statusCode, answer.json().code], [404, 'unknown-page']);
      }
    }
  });

  test('goes by its URL, too', async () => {
    const world = createTestSearch();
    const site = await world.makeSite();
    await world.putPages(site, page('a'));
    const url = world.pathOf(site, '/pages', { url: page('a').url });
    assert.equal((await world.request({ method: 'DELETE', url })).statusCode, 204);
    assert.equal((await world.index.size(site.siteId)).pages, 0);
    // Without a URL nothing is deleted at all.
    await world.putPages(site, page('a'));
    const all = await world.request({ method: 'DELETE', url: world.pathOf(site, '/pages') });
    assert.equal(all.statusCode, 400);
    assert.equal((await world.index.size(site.siteId)).pages, 1);
  });

  for (const [title, given] of [
    ['an empty title', { title: '' }],
    ['an empty body', { body: '' }],
    ['a title of 1,024 bytes', { title: 'ü'.repeat(512) }],
    ['a body of 1 MiB', { body: 'ü'.repeat(524_288) }],
    ['a URL of 2,048 bytes', { url: `https://a.b/${'x'.repeat(2_036)}` }],
    ['members that nobody knows', { nobody: { knows: [] }, constructor: 1, ['__proto__']: { x: 1 } }],
    ['null where nothing is known', { thumbnail: null, language: null, published: null }],
  ] as [string, object][]) {
    test(`may have ${title}`, async () => {
      const world = createTestSearch();
      const site = await world.makeSite();
      const answer = await world.putPages(site, page('a', given));
      assert.equal(answer.statusCode, 201, answer.body.slice(0, 300));
    });
  }

  test('with half a surrogate pair becomes one that UTF-8 can hold', async () => {
    const world = createTestSearch();
    const site = await world.makeSite();
    const answer = await world.putPages(
      site,
      '{"title":"a\\ud800b","body":"\\udc00","url":"https://a.b/\\ud800"}',
    );
    assert.equal(answer.statusCode, 201);
    const { title, body, url } = answer.json();
    assert.deepEqual([title, body, url], ['a\ufffdb', '\ufffd', 'https://a.b/%EF%BF%BD']);
  });

  test('behind a byte order mark is read', async () => {
    const world = createTestSearch();
    const site = await world.makeSite();
    assert.equal((await world.putPages(site, `\ufeff${JSON.stringify(page('a'))}`)).statusCode, 201);
  });

  test('written twice at once is new once', async () => {
    const world = createTestSearch();
    const site = await world.makeSite();
    const answers = await Promise.all(
      [1, 2, 3].map((i) => world.putPages(site, page('a', { title: `${i}` }))),
    );
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 200, 201]);
    assert.equal((await world.index.size(site.siteId)).pages, 1);
  });

  test('of a site that was deleted meanwhile is not left behind', async () => {
    let deleteNow = async () => {};
    const world = createTestSearch({
      wrapIndex: (index) => ({
        ...index,
        async put(...asked) {
          await deleteNow();
          return index.put(...asked);
        },
      }),
    });
    const site = await world.makeSite();
    deleteNow = () => world.search.drop(site.siteId);
    assert.equal((await world.putPages(site, page('a'))).json().code, 'unknown-site');
    assert.equal(world.index.sites.size, 0);
  });

  test('is not acknowledged by a store that failed', async () => {
    const world = createTestSearch({
      wrapIndex: (index) => ({
        ...index,
        put: async () => {
          throw fault('store-unavailable', 'planted', { headers: { 'Retry-After': '5' } });
        },
      }),
    });
    const site = await world.makeSite();
    const answer = await world.putPages(site, page('a'));
    assert.deepEqual([answer.statusCode, answer.headers['retry-after']], [503, '5']);
  });
});

describe('an array', () => {
  test('tells of each page, in its order; of two with one URL the later wins', async () => {
    const world = createTestSearch();
    const site = await world.makeSite();
    await world.putPages(site, page('b'));
    const answer = await world.putPages(site, [
      page('a'),
      page('b'),
      page('c'),
      page('a#x', { title: 'Later' }),
    ]);
    assert.equal(answer.statusCode, 200);
    assert.deepEqual(
      answer.json().pages.map(({ url, status }: { url: string; status: number }) => [url.slice(-1), status]),
      [
        ['a', 201],
        ['b', 200],
        ['c', 201],
        ['a', 201],
      ],
    );
    assert.equal(answer.json().pages[0].id, answer.json().pages[3].id);
    assert.equal(
      (await world.request(world.pathOf(site, '/pages', { url: page('a').url }))).json().title,
      'Later',
    );
  });

  test('is written whole or not at all, and the wrong page is named', async () => {
    const world = createTestSearch();
    const site = await world.makeSite();
    const pages: object[] = Array.from({ length: 1_000 }, (_, i) => page(String(i)));
    pages[637] = page('637', { url: 'x' });
    const answer = await world.putPages(site, pages);
    assert.equal(answer.statusCode, 400);
    assert.match(answer.json().detail, /^body\.637\.url: expected an absolute http/);
    assert.equal((await world.index.size(site.siteId)).pages, 0);
    pages[637] = page('637', { body: 'x'.repeat(1_048_577) });
    const large = await world.putPages(site, pages);
    assert.deepEqual([large.statusCode, large.json().code], [413, 'body-too-large']);
    assert.match(large.json().detail, /^body\.637\.body/);
    pages[637] = page('637');
    assert.equal((await world.putPages(site, pages)).json().pages.length, 1_000);
  });

  test('with a thousand wrong pages gets a short answer', async () => {
    const world = createTestSearch();
    const site = await world.makeSite();
    const { detail } = (await world.putPages(site, Array(1_000).fill({}))).json();
    assert.match(detail, /^body\.0\.title.*and 2992 more$/);
    assert.ok(detail.length < 1_000);
  });

  test('may be empty', async () => {
    const world = createTestSearch();
    const site = await world.makeSite();
    const answer = await world.putPages(site, []);
    assert.deepEqual([answer.statusCode, answer.json()], [200, { pages: [] }]);
  });
});

test('pages are listed in parts, without their texts', async () => {
  const world = createTestSearch();
  const site = await world.makeSite();
  await world.putPages(
    site,
    ['a', 'b', 'c', 'd', 'e'].map((path) => page(path)),
  );
  const urls: string[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const query: Record<string, string> = after === '' ? { limit: '2' } : { limit: '2', after };
    const part = (await world.request(world.pathOf(site, '/pages', query))).json();
    assert.ok(part.pages.length <= 2);
    for (const item of part.pages) {
      assert.equal(item.body, undefined);
      urls.push(item.url.slice(-1));
    }
    after = part.next;
  }
  assert.deepEqual(urls.sort(), ['a', 'b', 'c', 'd', 'e']);
  // Taken for a beginning, a cursor that is none would send a client round and round.
  assert.equal((await world.request(world.pathOf(site, '/pages', { after: 'zzz' }))).statusCode, 400);
});

describe('a snapshot', () => {
  const url = 'https://example.org/docs/a';
  const open = async () => {
    const world = createTestSearch();
    const site = await world.makeSite();
    const put = (payload: string | Buffer, type = 'text/html', query = { url }) =>
      world.request({
        method: 'PUT',
        url: world.pathOf(site, '/snapshots', query),
        headers: { 'content-type': type },
        payload,
      });
    return { ...world, site, put };
  };

  test('is read as the crawler reads a page', async () => {
    const { put } = await open();
    const html =
      '<html lang=de><title>Bienen</title><meta name=sis-labels content="Tiere, Wald"><main><h1>Honig</h1>süß</main><footer>Impressum';
    const answer = await put(html);
    assert.equal(answer.statusCode, 201);
    const { title, body, labels, language, source } = answer.json();
    assert.deepEqual(
      { title, body, labels, language, source },
      {
        title: 'Bienen',
        body: 'Honig\nsüß\nImpressum',
        labels: ['Tiere', 'Wald'],
        language: 'de',
        source: 'snapshot',
      },
    );
    assert.equal((await put(html)).statusCode, 200);
  });

  test('obeys the selector of the profile', async () => {
    const { put, putJson, pathOf, site } = await open();
    const configs = [
      { url: 'https://example.org/', pageBodyCssSelector: 'footer' },
      { url: 'https://example.org/docs', pageBodyCssSelector: 'main' },
      { url: 'https://example.org/do', pageBodyCssSelector: 'b' },
    ];
    assert.equal((await putJson(pathOf(site, '/profile'), { configs })).statusCode, 200);
    assert.equal((await put('<main>in</main><footer>out')).json().body, 'in');
    assert.equal((await put('<p>no match: the whole body')).json().body, 'no match: the whole body');
  });

  test('that says noindex is refused, and what stood there goes', async () => {
    const { put, index, site } = await open();
    await put('<p>text');
    const answer = await put('<meta name="GatehouseBot" content="max-snippet:5, NOINDEX"><p>text');
    assert.deepEqual([answer.statusCode, answer.json().code], [422, 'not-indexable']);
    assert.equal((await index.size(site.siteId)).pages, 0);
  });

  for (const [title, payload, type, status] of [
    ['without text', '<script>x</script><nav>y</nav>', 'text/html', 422],
    ['empty', '', 'text/html', 422],
    ['as JSON', '{}', 'application/json', 415],
    ['of an unknown charset', '<p>x', 'text/html; charset=klingon', 415],
    ['that is not in its charset', Buffer.from('<p>\xff', 'latin1'), 'text/html', 400],
    ['above 10 MB', 'x'.repeat(10 * 1_048_576 + 1), 'text/html', 413],
  ] as [string, string | Buffer, string, number][]) {
    test(`${title} is refused with ${status}`, async () => {
      const { put } = await open();
      assert.equal((await put(payload, type)).statusCode, status);
    });
  }

  test('in another charset is read in it', async () => {
    const { put } = await open();
    const answer = await put(Buffer.from('<p>\x80 f\xfcr', 'latin1'), 'text/html; charset="windows-1252"');
    assert.equal(answer.json().body, '€ für');
  });

  test('needs a URL that a page may have', async () => {
    const { put } = await open();
    assert.equal((await put('<p>x', 'text/html', { url: 'ftp://a.b/' })).statusCode, 400);
  });
});
