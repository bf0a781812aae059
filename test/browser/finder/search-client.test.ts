import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSearchClient } from '../../../browser/finder/search-client.ts';

const body = {
  total: 2,
  results: [
    {
      id: '1',
      title: 'A',
      body: 'a',
      url: 'x',
      urlRaw: 'https://a.example/',
      thumbnail: 'https://a.example/a.png',
    },
    { id: '2', title: 'B', body: 'b', url: 'y', urlRaw: 'javascript:alert(1)', thumbnail: null },
    { id: '3', title: 'C', body: 'c', url: 'z', urlRaw: 'http://a.example/', thumbnail: 'javascript:1' },
  ],
  labels: [{ label: 'l', count: 2 }],
  suggestion: null,
};

function openWorld(response: () => Response | Promise<Response>) {
  const asked: { url: URL; init: RequestInit }[] = [];
  const ask = createSearchClient('https://gate.example', 'a/b', (async (url: string, init: RequestInit) => {
    asked.push({ url: new URL(url), init });
    return response();
  }) as typeof fetch);
  return {
    asked,
    ask: (labels: string[] = [], page = 1) =>
      ask({ query: 'a&b=c #d', labels, page }, new AbortController().signal),
  };
}

test('asks with the query, the categories and the page in their places, and without cookies', async () => {
  const { asked, ask } = openWorld(() => Response.json(body));
  await ask(['x & y', 'z'], 2);
  const [{ url, init }] = asked;
  assert.equal(url.pathname, '/sites/a%2Fb/search');
  assert.deepEqual(
    [...url.searchParams],
    [
      ['query', 'a&b=c #d'],
      ['label', 'x & y'],
      ['label', 'z'],
      ['limit', '10'],
      ['page', '2'],
    ],
  );
  assert.equal(init.credentials, 'omit');
  assert.equal(init.referrerPolicy, 'no-referrer');
});

test('leaves out results and pictures whose address runs something', async () => {
  const outcome = await openWorld(() => Response.json(body)).ask();
  const { results } = 'answer' in outcome ? outcome.answer : assert.fail();
  assert.deepEqual(
    results.map(({ id, href, thumbnail }) => [id, href, thumbnail]),
    [
      ['1', 'https://a.example/', 'https://a.example/a.png'],
      ['3', 'http://a.example/', null],
    ],
  );
});

for (const [title, respond, failure] of [
  ['an unknown site', () => Response.json({}, { status: 404 }), 'setup'],
  ['a busy server', () => Response.json({}, { status: 429 }), 'server'],
  ['a broken server', () => new Response('<html>', { status: 502 }), 'server'],
  ['a page in place of JSON', () => new Response('<html>'), 'server'],
  ['another shape', () => Response.json({ results: [] }), 'server'],
  ['null', () => Response.json(null), 'server'],
  ['no network', () => Promise.reject(new TypeError('Failed to fetch')), 'offline'],
] as const) {
  test(`${title} is a failure: ${failure}`, async () => {
    assert.deepEqual(await openWorld(respond).ask(), { failure });
  });
}
