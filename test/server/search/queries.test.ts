import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createTestSearch, page } from '../../test-search.ts';

const OPEN = '<span class="pf-highlight">';

async function openSite() {
  const world = createTestSearch({ allowedOrigins: ['https://own.example'] });
  const site = await world.makeSite();
  return { ...world, site };
}

describe('a search', () => {
  test('answers with safe HTML, plain texts and counts', async () => {
    const { putPages, find, site } = await openSite();
    const put = await putPages(site, [
      page('bee?a=1&b=2', {
        title: '<img src=x onerror=alert(1)> bee',
        body: 'The \u202ebee & "her" bee',
        labels: ['<b>', 'x'],
        thumbnail: 'https://example.org/i.png',
      }),
      page('wasp', { body: 'no bee but a wasp', labels: ['x'] }),
      page('ant'),
    ]);
    const { took_ms: took, ...answer } = await find(site, 'bee');
    assert.equal(took, 0);
    assert.equal(answer.results.length, 2);
    const { score, ...first } = answer.results[0];
    assert.ok(score > answer.results[1].score);
    assert.deepEqual(first, {
      id: put.json().pages[0].id,
      title: `&lt;img src=x onerror=alert(1)&gt; ${OPEN}bee</span>`,
      body: `The ${OPEN}bee</span> &amp; &quot;her&quot; ${OPEN}bee</span>`,
      url: `https://example.org/${OPEN}bee</span>?a=1&amp;b=2`,
      urlRaw: 'https://example.org/bee?a=1&b=2',
      labels: ['<b>', 'x'],
      thumbnail: 'https://example.org/i.png',
    });
    assert.deepEqual(
      { ...answer, results: [] },
      {
        query: 'bee',
        total: 2,
        results: [],
        labels: [
          { label: 'x', count: 2 },
          { label: '<b>', count: 1 },
        ],
        suggestion: null,
      },
    );
  });

  test('gives pages of results', async () => {
    const { putPages, find, site } = await openSite();
    await putPages(
      site,
      Array.from({ length: 25 }, (_, i) => page(`p${i}`)),
    );
    const ids = async (more: Record<string, string>) =>
      (await find(site, 'text', more)).results.map(({ id }: { id: string }) => id);
    const all = await ids({ limit: '1000' });
    assert.equal(all.length, 25);
    assert.deepEqual(await ids({}), all.slice(0, 10));
    assert.deepEqual(await ids({ page: '3' }), all.slice(20));
    assert.deepEqual(await ids({ page: '4' }), []);
    assert.deepEqual(await ids({ page: '2', limit: '7' }), all.slice(7, 14));
  });

  test('keeps to labels and goes by date', async () => {
    const { putPages, find, site, clock } = await openSite();
    await putPages(site, page('old', { labels: ['a', 'b'], published: '2020-01-01T00:00:00Z' }));
    await putPages(site, page('first', { labels: ['a'] }));
    clock.advanceSecs(60);
    await putPages(site, page('second', { labels: ['b'] }));
    const urls = async (more: string) => {
      const answer = await find(site, `text${''}`, Object.fromEntries(new URLSearchParams(more)));
      return answer.results.map(({ urlRaw }: { urlRaw: string }) => urlRaw.slice(20));
    };
    assert.deepEqual(await urls('sort=date'), ['second', 'first', 'old']);
    assert.deepEqual(await urls('label=a&sort=date'), ['first', 'old']);
  });

  test('of two labels holds both', async () => {
    const { putPages, request, site } = await openSite();
    await putPages(site, [page('ab', { labels: ['a', 'b'] }), page('a', { labels: ['a'] })]);
    const answer = await request(`/sites/${site.siteId}/search?query=text&label=a&label=b`);
    assert.equal(answer.json().total, 1);
    assert.deepEqual(answer.json().labels, [
      { label: 'a', count: 1 },
      { label: 'b', count: 1 },
    ]);
  });

  test('sees a write as soon as it is acknowledged, and is not cached', async () => {
    const { putPages, request, site } = await openSite();
    await putPages(site, page('a'));
    const answer = await request(`/sites/${site.siteId}/search?query=text`);
    assert.equal(answer.json().total, 1);
    assert.equal(answer.headers['cache-control'], 'no-store');
  });

  test('says what it would have taken', async () => {
    const { request, site } = await openSite();
    const told = async (query: string) =>
      (await request(`/sites/${site.siteId}/search?query=a&${query}`)).json().detail;
    assert.equal(await told('page=1000000000'), 'query.page: expected a whole number 1..9999999');
    assert.equal(await told(Array(65).fill('label=x').join('&')), 'query.label: expected at most 64');
  });

  test('sees no page of another site', async () => {
    const { putPages, find, makeSite, site } = await openSite();
    const other = await makeSite();
    await putPages(other, page('a'));
    assert.equal((await find(site, 'text')).total, 0);
  });
});

describe('autocomplete', () => {
  test('gives at most 8 texts as they are', async () => {
    const { putPages, request, site } = await openSite();
    await putPages(
      site,
      Array.from({ length: 20 }, (_, i) => page(`p${i}`, { title: `<bee> ${i}` })),
    );
    const answer = await request(`/sites/${site.siteId}/autocomplete?query=${encodeURIComponent('<BE')}`);
    assert.deepEqual(Object.keys(answer.json()), ['results']);
    assert.equal(answer.json().results.length, 8);
    assert.equal(answer.json().results[0], '<bee> 0');
    assert.deepEqual((await request(`/sites/${site.siteId}/autocomplete?query=%20`)).json(), { results: [] });
    assert.equal((await request(`/sites/${site.siteId}/autocomplete`)).statusCode, 400);
  });
});

describe('the cookie override-site', () => {
  for (const path of ['/search?query=text', '/autocomplete?query=title']) {
    test(`wins over the path of ${path}`, async () => {
      const { putPages, request, makeSite, site } = await openSite();
      const other = await makeSite();
      await putPages(other, page('a'));
      const ask = (siteId: string, cookie: string) =>
        request({ url: `/sites/${siteId}${path}`, headers: { cookie } });
      const found = async (siteId: string, cookie: string) =>
        (await ask(siteId, cookie)).json().results.length;
      assert.equal(await found(site.siteId, `a=b; override-site=${other.siteId}`), 1);
      assert.equal(await found('not-a-site', `override-site=${other.siteId.toUpperCase()}`), 1);
      // What is no site's id is somebody else's cookie.
      assert.equal(await found(other.siteId, 'override-site='), 1);
      assert.equal(await found(other.siteId, 'override-site=../../x'), 1);
      const unknown = await ask(other.siteId, 'override-site=00000000-0000-4000-8000-000000000000');
      assert.equal(unknown.json().code, 'unknown-site');
    });
  }

  test('gives nobody the pages of another site to write', async () => {
    const { request, makeSite, pathOf, site } = await openSite();
    const other = await makeSite();
    const answer = await request({
      url: pathOf(site, '/profile'),
      headers: { cookie: `override-site=${other.siteId}` },
    });
    assert.equal(answer.statusCode, 200);
    const own = await request({
      method: 'DELETE',
      url: pathOf(site),
      headers: { cookie: `override-site=${other.siteId}` },
    });
    assert.equal(own.statusCode, 204);
    assert.equal((await request(pathOf(other))).statusCode, 200);
  });
});

describe('other origins', () => {
  const origin = 'https://elsewhere.example';

  test('may search and complete, without credentials', async () => {
    const { request, site } = await openSite();
    for (const path of ['search', 'autocomplete', 'SEARCH/']) {
      const url = `/sites/${site.siteId}/${path}?query=a`;
      for (const method of ['GET', 'OPTIONS'] as const) {
        const { headers } = await request({
          method,
          url,
          headers: { origin, 'access-control-request-method': 'GET' },
        });
        assert.equal(headers['access-control-allow-origin'], '*', `${method} ${path}`);
        assert.equal(headers['access-control-allow-credentials'], undefined);
      }
    }
  });

  test('may do nothing else', async () => {
    const { request, pathOf, site } = await openSite();
    for (const path of ['', '/pages', '/profile', '/stats', '/search/x']) {
      const { headers } = await request({ url: pathOf(site, path), headers: { origin } });
      assert.equal(headers['access-control-allow-origin'] || undefined, undefined, path);
    }
  });

  test('of the list may do all of it', async () => {
    const { request, pathOf, site } = await openSite();
    const { headers } = await request({
      url: pathOf(site, '/profile'),
      headers: { origin: 'https://own.example' },
    });
    assert.equal(headers['access-control-allow-origin'], 'https://own.example');
  });
});

test('the OpenAPI document describes the search where there is one', async () => {
  const { request, site } = await openSite();
  const { paths } = (await request('/openapi.json')).json();
  const operation = paths['/sites/{siteId}/search'].get;
  assert.deepEqual(
    operation.parameters.map(({ name, in: where }: { name: string; in: string }) => `${where} ${name}`),
    ['path siteId', 'query query', 'query page', 'query limit', 'query label', 'query sort'],
  );
  assert.deepEqual(Object.keys(paths['/sites/{siteId}/pages'].put.responses).slice(0, 2), ['200', '201']);
  assert.deepEqual(Object.keys(paths['/sites/{siteId}/snapshots'].put.requestBody.content), ['text/html']);
  assert.ok(site);
  const { createTestApp } = await import('../../test-app.ts');
  const bare = createTestApp();
  assert.equal((await bare.request('/openapi.json')).json().paths['/sites'], undefined);
  assert.equal((await bare.request({ method: 'POST', url: '/sites' })).statusCode, 404);
});
