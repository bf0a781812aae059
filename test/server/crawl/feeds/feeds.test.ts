import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OutboundError, type OutboundReason } from '../../../../server/base/outbound.ts';
import { createTestFeeds, item, rss, type TestFeedsOptions } from '../../../test-feeds.ts';

const FEED = 'https://feeds.example/feed.xml';
const at = (url: string, more: Record<string, string> = {}) =>
  `/sites/rss?${new URLSearchParams({ feedUrl: url, ...more })}`;
const serve =
  (text: string, init: ResponseInit = {}) =>
  () =>
    new Response(text, init);
const make = (world: ReturnType<typeof createTestFeeds>, url = FEED, more: Record<string, string> = {}) =>
  world.request({ method: 'POST', url: at(url, more) });

test('a feed makes a site whose pages are found at once', async () => {
  const world = createTestFeeds(
    serve(
      rss([item('a', 'Bees make honey', '<category>Animals</category>'), item('b'), '<title>Lost</title>']),
    ),
  );
  const answer = await make(world);
  assert.equal(answer.statusCode, 201);
  const { siteId, siteSecret, documents, failed } = answer.json();
  assert.equal(answer.headers.location, `/sites/${siteId}`);
  assert.equal(answer.headers['cache-control'], 'no-store');
  assert.deepEqual(failed, ['Lost']);
  assert.equal(documents.length, 2);
  assert.match(documents[0], /^[0-9a-f]{64}$/);
  const { results } = await world.find({ siteId, siteSecret }, 'honey');
  assert.deepEqual([results[0].id, results[0].labels], [documents[0], ['Animals']]);
  const page = await world.request(world.pathOf({ siteId, siteSecret }, `/pages/${documents[0]}`));
  assert.equal(page.json().source, 'feed');
});

describe('a feed that cannot be taken makes no site', () => {
  const failing = (reason: OutboundReason) => () => {
    throw new OutboundError(reason, 'for the operator: 10.0.0.1');
  };
  const cases: [title: string, elsewhere: () => Response, status: number, code: string][] = [
    ['an address that is refused', failing('refused-address'), 400, 'feed-refused'],
    ['a redirect to another scheme', failing('refused-url'), 400, 'feed-refused'],
    ['no connection', failing('unreachable'), 502, 'feed-unreachable'],
    ['redirects without end', failing('redirect'), 502, 'feed-unreachable'],
    ['a slow server', failing('time-limit'), 504, 'feed-timeout'],
    ['too much', failing('too-large'), 413, 'feed-too-large'],
    ['404', serve('no', { status: 404 }), 502, 'feed-unreachable'],
    ['500', serve('no', { status: 500 }), 502, 'feed-unreachable'],
    ['304, which nobody asked for', () => new Response(null, { status: 304 }), 502, 'feed-unreachable'],
    ['nothing', serve(''), 422, 'not-a-feed'],
    ['HTML', serve('<!doctype html><html><body>Hello</body></html>'), 422, 'not-a-feed'],
    ['JSON that is no feed', serve('{"a": 1}'), 422, 'not-a-feed'],
    ['bytes', serve('\0\u0001\u0002'), 422, 'not-a-feed'],
    ['a feed without entries', serve(rss([])), 422, 'not-a-feed'],
  ];
  for (const [title, elsewhere, status, code] of cases) {
    test(title, async () => {
      const world = createTestFeeds(elsewhere);
      const answer = await make(world);
      assert.deepEqual([answer.statusCode, answer.json().code], [status, code]);
      assert.doesNotMatch(answer.body, /10\.0\.0\.1/);
      assert.deepEqual(world.sites.list(null, '', 10), []);
    });
  }

  test('a store that fails takes the site back', async () => {
    const world = createTestFeeds(serve(rss([item('a')])), {
      wrapIndex: (index) => ({
        ...index,
        put: async () => {
          throw new Error('disk');
        },
      }),
    });
    assert.equal((await make(world)).statusCode, 500);
    assert.deepEqual(world.sites.list(null, '', 10), []);
  });
});

describe('what is no feedUrl is refused before anybody is asked', () => {
  for (const url of [
    '/sites/rss',
    at(''),
    at('feed.xml'),
    at('ftp://feeds.example/'),
    at('file:///etc/passwd'),
    at('https://user:pass@feeds.example/'),
    at(`https://feeds.example/${'x'.repeat(3_000)}`),
    `${at(FEED)}&feedUrl=${FEED}`,
    at(FEED, { fullPages: 'yes' }),
  ]) {
    test(url.slice(0, 60), async () => {
      const world = createTestFeeds(serve(rss([item('a')])));
      const answer = await world.request({ method: 'POST', url });
      assert.deepEqual([answer.statusCode, answer.json().code], [400, 'malformed-request']);
      assert.deepEqual(world.asked, []);
    });
  }
});

test('entries without links are told and make no page, and are no reason for a refusal', async () => {
  const world = createTestFeeds(
    serve(rss(['<title>One</title>', '<guid isPermaLink="false">g2</guid>', '<description>x</description>'])),
  );
  const answer = await make(world);
  assert.equal(answer.statusCode, 201);
  assert.deepEqual([answer.json().documents, answer.json().failed], [[], ['One', 'g2', 'entry 3']]);
});

test('a pilot takes the entries of one host, a tenant those of all', async () => {
  const feed = rss([item('a'), '<title>Other</title><link>https://other.example/x</link>']);
  const world = createTestFeeds(serve(feed));
  const pilot = (await make(world)).json();
  assert.deepEqual([pilot.documents.length, pilot.failed], [1, ['https://other.example/x']]);
  const { key } = await world.access.issue({ tier: 'pro', tenant: 'T', routes: [] });
  const answer = await world.request({ method: 'POST', url: at(FEED), headers: { 'x-api-key': key } });
  assert.deepEqual([answer.json().documents.length, answer.json().failed], [2, []]);
});

test('a thousand entries are taken, and the others told', async () => {
  const world = createTestFeeds(serve(rss(Array.from({ length: 1_003 }, (_, i) => item(`p${i}`)))));
  const { documents, failed } = (await make(world)).json();
  assert.equal(documents.length, 1_000);
  assert.deepEqual(
    failed,
    [1000, 1001, 1002].map((i) => `https://feeds.example/p${i}`),
  );
});

describe('the feeds of a site', () => {
  const open = async (elsewhere: Parameters<typeof createTestFeeds>[0], options?: TestFeedsOptions) => {
    const world = createTestFeeds(elsewhere, options);
    const site = await world.makeSite();
    const call = (method: 'PUT' | 'GET' | 'DELETE', query: Record<string, string> = {}) =>
      world.request({ method, url: world.pathOf(site, '/rss', query) });
    return { ...world, site, call };
  };

  test('are added, listed and forgotten; the pages stay', async () => {
    const { call, find, site } = await open(serve(rss([item('a', 'honey')])));
    const added = await call('PUT', { feedUrl: FEED });
    assert.equal(added.statusCode, 200);
    assert.equal(added.json().siteId, site.siteId);
    assert.deepEqual(
      (await call('GET')).json().feeds.map((feed: { feedUrl: string }) => feed.feedUrl),
      [FEED],
    );
    assert.equal((await call('DELETE', { feedUrl: FEED })).statusCode, 204);
    assert.equal((await call('DELETE', { feedUrl: FEED })).json().code, 'unknown-feed');
    assert.deepEqual((await call('GET')).json().feeds, []);
    assert.equal((await find(site, 'honey')).total, 1);
  });

  test('are for who has the secret', async () => {
    const { request, site, asked } = await open(serve(rss([item('a')])));
    for (const method of ['PUT', 'GET', 'DELETE'] as const) {
      for (const secret of ['', '&siteSecret=wrong']) {
        const url = `/sites/${site.siteId}/rss?feedUrl=${FEED}${secret}`;
        assert.equal((await request({ method, url })).json().code, 'wrong-secret');
      }
      const url = `/sites/00000000-0000-4000-8000-000000000000/rss?feedUrl=${FEED}&siteSecret=x`;
      assert.equal((await request({ method, url })).json().code, 'unknown-site');
    }
    assert.deepEqual(asked, []);
  });

  test('never replace what others brought, and leave what is the same', async () => {
    const world = await open(serve(rss([item('a', 'from the feed'), item('b', 'same')])));
    await world.putPages(world.site, { title: 'Own', body: 'pushed', url: 'https://feeds.example/a' });
    const { documents } = (await world.call('PUT', { feedUrl: FEED })).json();
    const read = async (id: string) => (await world.request(world.pathOf(world.site, `/pages/${id}`))).json();
    assert.deepEqual([(await read(documents[0])).source, (await read(documents[0])).body], ['api', 'pushed']);
    const before = await read(documents[1]);
    world.clock.advanceSecs(60);
    await world.call('PUT', { feedUrl: FEED });
    assert.equal((await read(documents[1])).updated, before.updated);
  });

  test('are at most a hundred', async () => {
    const { call, store, site } = await open(serve(rss([item('a')])));
    for (let i = 0; i < 100; i++) {
      await store.put({
        siteId: site.siteId,
        url: `${FEED}?${i}`,
        fullPages: false,
        etag: null,
        lastModified: null,
        fetchedAtSecs: 0,
        failures: 0,
      });
    }
    assert.equal((await call('PUT', { feedUrl: FEED })).json().code, 'site-limit');
    assert.equal((await call('PUT', { feedUrl: `${FEED}?7` })).statusCode, 200);
  });

  test('are fetched only so often', async () => {
    const { call } = await open(serve(rss([item('a')])), { feedsRate: { calls: 2, secs: 60 } });
    const codes = [];
    for (let i = 0; i < 3; i++) codes.push((await call('PUT', { feedUrl: FEED })).statusCode);
    assert.deepEqual(codes, [200, 200, 429]);
  });
});

describe('the pages behind the entries', () => {
  const html = (body: string, init: ResponseInit = {}) =>
    new Response(body, { headers: { 'content-type': 'text/html; charset=utf-8' }, ...init });
  const world = (behind: (url: string) => Response) =>
    createTestFeeds((url) =>
      url === FEED ? new Response(rss([item('a', 'own a'), item('b', 'own b')])) : behind(url),
    );
  const bodies = async (asked: ReturnType<typeof world>) => {
    const made = (await make(asked, FEED, { fullPages: 'true' })).json();
    const pages = await Promise.all(
      made.documents.map(async (id: string) =>
        (await asked.request(asked.pathOf(made, `/pages/${id}`))).json(),
      ),
    );
    return { bodies: pages.map(({ body }) => body), failed: made.failed };
  };

  test('stand in the place of their texts', async () => {
    const found = await bodies(world((url) => html(`<p>All of ${url}</p>`)));
    assert.deepEqual(found.bodies, ['All of https://feeds.example/a', 'All of https://feeds.example/b']);
  });

  for (const [title, behind] of [
    ['not found', () => html('gone', { status: 404 })],
    ['no HTML', () => new Response('%PDF', { headers: { 'content-type': 'application/pdf' } })],
    ['without text', () => html('<script>1</script>')],
    [
      'not to be reached',
      () => {
        throw new OutboundError('refused-address', 'no');
      },
    ],
    [
      'of somebody else',
      () => Object.defineProperty(html('<p>theirs</p>'), 'url', { value: 'https://evil.example/a' }),
    ],
  ] as const) {
    test(`that are ${title} leave them`, async () => {
      assert.deepEqual((await bodies(world(behind))).bodies, ['own a', 'own b']);
    });
  }

  test('that ask not to be indexed are not, by header or by meta', async () => {
    const found = await bodies(
      world((url) =>
        url.endsWith('a')
          ? html('<p>x</p>', { headers: { 'content-type': 'text/html', 'x-robots-tag': 'noindex' } })
          : html('<meta name="robots" content="noindex"><p>x</p>'),
      ),
    );
    assert.deepEqual(found, { bodies: [], failed: ['https://feeds.example/a', 'https://feeds.example/b'] });
  });

  test('are at most fifty', async () => {
    const many = createTestFeeds((url) =>
      url === FEED
        ? new Response(rss(Array.from({ length: 60 }, (_, i) => item(`p${i}`))))
        : html('<p>x</p>'),
    );
    await make(many, FEED, { fullPages: 'true' });
    assert.equal(many.asked.length, 51);
  });
});

describe('feeds are read again', () => {
  const open = async (recrawlHours: number | null) => {
    const answers: { feed: string; status: number; headers: Record<string, string>[] } = {
      feed: rss([item('a', 'first')]),
      status: 200,
      headers: [],
    };
    const world = createTestFeeds((_, headers) => {
      answers.headers.push(headers);
      const body = answers.status === 200 ? answers.feed : null;
      return new Response(body, { status: answers.status, headers: { etag: '"one"' } });
    });
    const site = (await make(world)).json();
    await world.putJson(world.pathOf(site, '/profile'), { recrawlHours });
    const round = async (hours: number) => {
      world.clock.advanceSecs(hours * 3_600);
      const before = world.asked.length;
      world.timer.fire();
      while (world.timer.waiting() === 0) await new Promise((resolve) => setImmediate(resolve));
      return world.asked.length - before;
    };
    const stop = world.startRefreshing();
    return { ...world, site, answers, round, stop };
  };

  test('when their time has come, and not before', async () => {
    const { round, answers, find, site, stop } = await open(2);
    assert.equal(await round(1), 0);
    answers.feed = rss([item('a', 'second'), item('b', 'another')]);
    assert.equal(await round(1), 1);
    assert.equal(answers.headers[1]['if-none-match'], '"one"');
    assert.equal((await find(site, 'second')).total, 1);
    assert.equal((await find(site, 'another')).total, 1);
    assert.equal(await round(1), 0);
    answers.status = 304;
    assert.equal(await round(1), 1);
    stop();
  });

  test('never where the site does not ask for it', async () => {
    const { round, stop } = await open(null);
    assert.equal(await round(10_000), 0);
    stop();
  });

  test('less and less often where they fail; then as before', async () => {
    const { round, answers, store, site, stop } = await open(1);
    answers.status = 500;
    const rounds = [];
    for (let i = 0; i < 12; i++) rounds.push(await round(1));
    assert.deepEqual(rounds, [1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0]);
    answers.status = 200;
    assert.equal(await round(8), 1);
    assert.equal(store.list(site.siteId, 1)[0].failures, 0);
    stop();
  });

  test('not for a site that is gone, whose feeds are forgotten', async () => {
    const { round, request, pathOf, site, store, stop } = await open(1);
    await request({ method: 'DELETE', url: pathOf(site) });
    assert.equal(await round(2), 0);
    assert.deepEqual(store.batch(null, 10), []);
    stop();
  });
});
