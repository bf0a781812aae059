import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createTestSearch, page } from '../../test-search.ts';

const DAY_SECS = 86_400;

describe('a new site', () => {
  test('has an id, a secret and a place', async () => {
    const { request, pathOf } = createTestSearch();
    const answer = await request({ method: 'POST', url: '/sites' });
    assert.equal(answer.statusCode, 201);
    const site = answer.json();
    assert.deepEqual(Object.keys(site), ['siteId', 'siteSecret']);
    assert.match(site.siteId, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.match(site.siteSecret, /^[\w-]{43}$/);
    assert.equal(answer.headers.location, `/sites/${site.siteId}`);
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.deepEqual((await request(pathOf(site))).json(), {
      siteId: site.siteId,
      created: '2026-01-01T00:00:00.000Z',
      isPilot: true,
      host: null,
      ends: '2026-01-15T00:00:00.000Z',
      pages: 0,
      bytes: 0,
    });
    // RFC 9562 §4: the case of an id does not count.
    const upper = { ...site, siteId: site.siteId.toUpperCase() };
    assert.equal((await request(pathOf(upper))).statusCode, 200);
  });

  test('is throttled without a key, and not with one', async () => {
    const { request, access } = createTestSearch({ sites: { calls: 2, secs: 60 } });
    const { key } = await access.issue({ tier: 'free', tenant: 'acme', routes: [] });
    const make = (headers = {}) => request({ method: 'POST', url: '/sites', headers });
    assert.deepEqual([(await make()).statusCode, (await make()).statusCode], [201, 201]);
    const refused = await make();
    assert.deepEqual([refused.statusCode, refused.json().code], [429, 'throttled']);
    assert.equal((await make({ 'x-api-key': key })).statusCode, 201);
    assert.equal((await make({ 'x-api-key': `gh_000000000000_${'A'.repeat(43)}` })).statusCode, 401);
  });
});

describe('a pilot', () => {
  test('is for the host of its first page, port aside', async () => {
    const world = createTestSearch();
    const site = await world.makeSite();
    const put = (...urls: string[]) =>
      world.putPages(
        site,
        urls.length === 1 ? page('', { url: urls[0] }) : urls.map((url) => page('', { url })),
      );
    const mixed = await put('https://a.org/', 'https://b.org/');
    assert.deepEqual([mixed.statusCode, mixed.json().code], [403, 'pilot-limit']);
    // What was refused has decided nothing.
    assert.equal((await put('https://B.org:8443/1')).statusCode, 201);
    assert.equal((await put('http://b.org/2')).statusCode, 201);
    assert.match((await put('https://www.b.org/')).json().detail, /expected b\.org, got www\.b\.org/);
    assert.equal((await put('https://b.org/3', 'https://a.org/')).statusCode, 403);
    assert.equal((await world.index.size(site.siteId)).pages, 2);
    assert.equal((await world.request(world.pathOf(site))).json().host, 'b.org');
  });

  test('has one host also where two first pages come at once', async () => {
    const world = createTestSearch();
    const site = await world.makeSite();
    const answers = await Promise.all(
      ['a.org', 'b.org', 'c.org'].map((host) => world.putPages(site, page('', { url: `https://${host}/` }))),
    );
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [201, 403, 403]);
    assert.equal((await world.index.size(site.siteId)).pages, 1);
  });

  test('holds 2,000 pages, whose texts may still change', async () => {
    const world = createTestSearch();
    const site = await world.makeSite();
    const pages = (from: number) => Array.from({ length: 1_000 }, (_, i) => page(String(from + i)));
    await world.putPages(site, pages(0));
    await world.putPages(site, pages(1_000));
    const beyond = await world.putPages(site, [page('0', { title: 'New' }), page('2000')]);
    assert.deepEqual([beyond.statusCode, beyond.json().code], [403, 'pilot-limit']);
    assert.equal((await world.find(site, 'new')).total, 0);
    assert.equal((await world.putPages(site, page('0', { title: 'New' }))).statusCode, 200);
  });

  test('holds so many bytes', async () => {
    const world = createTestSearch({
      wrapIndex: (index) => ({ ...index, size: async () => ({ pages: 1, bytes: 256 * 1_048_576 - 5 }) }),
    });
    const site = await world.makeSite();
    assert.equal((await world.putPages(site, page('a', { body: '12345' }))).statusCode, 201);
    assert.equal((await world.putPages(site, page('a', { body: '123456' }))).json().code, 'pilot-limit');
    // Two letters of UTF-8.
    assert.equal((await world.putPages(site, page('a', { body: 'äöü' }))).json().code, 'pilot-limit');
  });

  test('holds no more bytes by calls that come at once, and takes others once those have ended', async () => {
    const nearlyFull = 256 * 1_048_576 - 100;
    const writing: (() => void)[] = [];
    const world = createTestSearch({
      wrapIndex: (index) => ({
        ...index,
        async size(siteId) {
          const pages = await index.list(siteId, null, 1_000);
          const whole = await Promise.all(pages.map(({ id }) => index.get(siteId, id)));
          const bytes = whole.reduce((sum, kept) => sum + (kept?.body.length ?? 0), nearlyFull);
          return { pages: pages.length, bytes };
        },
        async put(...args) {
          await new Promise<void>((resolve) => writing.push(resolve));
          return index.put(...args);
        },
      }),
    });
    const site = await world.makeSite();
    const body = 'x'.repeat(30);
    const calls = Array.from({ length: 10 }, (_, i) => world.putPages(site, page(`${i}`, { body })));
    let refusals = 0;
    for (const call of calls) void call.then(({ statusCode }) => (refusals += statusCode === 403 ? 1 : 0));
    while (refusals + writing.length < 10) await new Promise(setImmediate);
    // The others are refused while three are still being written.
    assert.deepEqual([writing.length, refusals], [3, 7]);
    for (const finish of writing.splice(0)) finish();
    await Promise.all(calls);

    const small = world.putPages(site, page('small', { body: 'x'.repeat(10) }));
    while (!writing.at(0)) await new Promise(setImmediate);
    writing[0]();
    assert.equal((await small).statusCode, 201);
  });
});

describe('a tenant', () => {
  test('has sites of many hosts, and as many pages as the server gives', async () => {
    const world = createTestSearch({ mostPages: 3 });
    const { key } = await world.access.issue({ tier: 'free', tenant: 'acme', routes: [] });
    const site = await world.makeSite(key);
    const urls = ['https://a.org/', 'https://b.org/', 'https://c.org/'];
    assert.equal(
      (
        await world.putPages(
          site,
          urls.map((url) => page('', { url })),
        )
      ).statusCode,
      200,
    );
    const beyond = await world.putPages(site, page('', { url: 'https://d.org/' }));
    assert.deepEqual([beyond.statusCode, beyond.json().code], [403, 'site-limit']);
    const { isPilot, ends } = (await world.request(world.pathOf(site))).json();
    assert.deepEqual([isPilot, ends], [false, null]);
  });

  test('sees its own sites and no others, in parts, without secrets', async () => {
    const world = createTestSearch();
    const keyOf = async (tenant: string) =>
      (await world.access.issue({ tier: 'pro', tenant, routes: [] })).key;
    const [key, second, other] = [await keyOf('acme'), await keyOf('acme'), await keyOf('acme2')];
    const made = [await world.makeSite(key), await world.makeSite(second), await world.makeSite(key)];
    await world.makeSite(other);
    await world.makeSite();
    const list = async (query = '') =>
      world.request({ url: `/sites${query}`, headers: { 'x-api-key': key } });
    const all = (await list()).json();
    assert.deepEqual(
      all.sites.map(({ siteId }: { siteId: string }) => siteId),
      made.map(({ siteId }) => siteId).sort(),
    );
    assert.equal(all.next, null);
    assert.ok(!made.some(({ siteSecret }) => JSON.stringify(all).includes(siteSecret)));
    const first = (await list('?limit=2')).json();
    const rest = (await list(`?limit=2&after=${first.next}`)).json();
    assert.deepEqual([...first.sites, ...rest.sites], all.sites);
    // Taken for a beginning, a cursor that is none would send a client round and round.
    assert.equal((await list('?after=zzz')).statusCode, 400);
    assert.equal((await world.request('/sites')).statusCode, 401);
  });

  test("cannot write with its key alone: the site's secret does that", async () => {
    const world = createTestSearch();
    const { key } = await world.access.issue({ tier: 'enterprise', tenant: 'acme', routes: [] });
    const { siteId } = await world.makeSite(key);
    const answer = await world.putJson(`/sites/${siteId}/pages`, page('a'), { 'x-api-key': key });
    assert.equal(answer.statusCode, 403);
  });
});

describe('a deleted site', () => {
  test('is gone with its pages and counts', async () => {
    const world = createTestSearch();
    const site = await world.makeSite();
    await world.putPages(site, page('a'));
    await world.find(site, 'title');
    await world.queryLog.flush();
    const answer = await world.request({ method: 'DELETE', url: world.pathOf(site) });
    assert.deepEqual([answer.statusCode, answer.body], [204, '']);
    assert.equal(world.index.sites.size, 0);
    assert.equal(world.sites.get(site.siteId), null);
    assert.equal(world.counts.read(site.siteId, '').queries, 0);
    for (const path of ['/search?query=a', '/autocomplete?query=a', '/profile?siteSecret=x']) {
      assert.equal((await world.request(`/sites/${site.siteId}${path}`)).json().code, 'unknown-site');
    }
  });

  test('is gone for everyone, also where its index could not be removed yet', async () => {
    const world = createTestSearch({
      wrapIndex: (index) => ({
        ...index,
        drop: async () => {
          throw new Error('planted');
        },
      }),
    });
    const site = await world.makeSite();
    assert.equal((await world.request({ method: 'DELETE', url: world.pathOf(site) })).statusCode, 500);
    assert.equal((await world.request(world.pathOf(site))).statusCode, 404);
    // A profile that was on its way does not bring it back.
    const kept = world.sites.get(site.siteId);
    assert.ok(kept?.goneAtSecs);
    await assert.rejects(world.search.putProfile(kept, kept.profile), { code: 'unknown-site' });
  });
});

describe('a profile', () => {
  const DEFAULTS = { configs: [], recrawlHours: null, synonyms: [], retentionDays: 90 };

  test('has defaults, is replaced whole and gives what stands', async () => {
    const world = createTestSearch();
    const site = await world.makeSite();
    const path = world.pathOf(site, '/profile');
    assert.deepEqual((await world.request(path)).json(), DEFAULTS);
    const put = await world.putJson(path, {
      configs: [
        {
          url: 'https://Example.org#x',
          pageBodyCssSelector: 'main, article > p:not(.ad)',
          pagesPerSecond: 0.5,
        },
      ],
      recrawlHours: 24,
      synonyms: [['car', ' automobile ']],
      retentionDays: 30,
      secretHash: 'x',
    });
    assert.equal(put.statusCode, 200);
    assert.deepEqual(put.json(), {
      configs: [
        {
          url: 'https://example.org/',
          pageBodyCssSelector: 'main, article > p:not(.ad)',
          sitemapsOnly: false,
          allowUrlWithQuery: false,
          pagesPerSecond: 0.5,
        },
      ],
      recrawlHours: 24,
      synonyms: [['car', 'automobile']],
      retentionDays: 30,
    });
    assert.deepEqual((await world.request(path)).json(), put.json());
    assert.deepEqual((await world.putJson(path, {})).json(), DEFAULTS);
  });

  test('has synonyms that a search finds by', async () => {
    const world = createTestSearch();
    const site = await world.makeSite();
    await world.putPages(site, page('a', { body: 'an automobile' }));
    assert.equal((await world.find(site, 'car')).total, 0);
    await world.putJson(world.pathOf(site, '/profile'), { synonyms: [['car', 'automobile']] });
    assert.equal((await world.find(site, 'car')).total, 1);
  });

  const config = (more: object) => ({ configs: [{ url: 'https://a.b/', ...more }] });
  for (const [title, profile] of [
    ['an array', []],
    ['a config without URL', { configs: [{}] }],
    ['a config of another scheme', { configs: [{ url: 'file:///' }] }],
    ['101 configs', { configs: Array(101).fill({ url: 'https://a.b/' }) }],
    ['a selector that is none', config({ pageBodyCssSelector: 'main >> p' })],
    ['a pseudo-element', config({ pageBodyCssSelector: 'p::before' })],
    ['an unknown pseudo-class', config({ pageBodyCssSelector: 'p:nothing' })],
    ['a selector of 513 bytes', config({ pageBodyCssSelector: 'x'.repeat(513) })],
    ['no speed at all', config({ pagesPerSecond: 0 })],
    ['an endless speed', config({ pagesPerSecond: 1e9 })],
    ['a switch that is a text', config({ sitemapsOnly: 'yes' })],
    ['a synonym of one word', { synonyms: [['car']] }],
    ['an empty synonym', { synonyms: [['car', ' ']] }],
    ['1,001 synonyms', { synonyms: Array(1_001).fill(['a', 'b']) }],
    ['no retention', { retentionDays: 0 }],
    ['half a day of retention', { retentionDays: 0.5 }],
    ['retention for ever', { retentionDays: 1e6 }],
    ['a recrawl each second', { recrawlHours: 0.0003 }],
  ] as [string, unknown][]) {
    test(`with ${title} is refused`, async () => {
      const world = createTestSearch();
      const site = await world.makeSite();
      const answer = await world.putJson(world.pathOf(site, '/profile'), profile);
      assert.equal(answer.statusCode, 400, answer.body);
      assert.deepEqual((await world.request(world.pathOf(site, '/profile'))).json(), DEFAULTS);
    });
  }

  test('above 64 kB is too large', async () => {
    const world = createTestSearch();
    const site = await world.makeSite();
    const answer = await world.putJson(world.pathOf(site, '/profile'), ' '.repeat(65_537));
    assert.equal(answer.statusCode, 413);
  });
});

describe('the last use', () => {
  test('costs at most one write an hour, however many ask at once', async () => {
    const world = createTestSearch();
    const site = await world.makeSite();
    const ask = () => Promise.all(Array.from({ length: 20 }, () => world.find(site, 'a')));
    const before = world.sites.writes();
    await ask();
    assert.equal(world.sites.writes(), before);
    world.clock.advanceSecs(3_600);
    await ask();
    await ask();
    assert.equal(world.sites.writes(), before + 1);
    world.clock.advanceSecs(2 * DAY_SECS);
    await world.request(`/sites/${site.siteId}/autocomplete?query=a`);
    assert.equal(world.sites.get(site.siteId)?.usedAtSecs, Math.floor(world.clock.nowMs() / 1000));
  });

  test('fails no query where it cannot be written', async () => {
    const world = createTestSearch();
    const site = await world.makeSite();
    world.clock.advanceSecs(DAY_SECS);
    world.sites.update = async () => {
      throw new Error('planted');
    };
    assert.equal((await world.find(site, 'a')).total, 0);
    await new Promise(setImmediate);
    assert.ok(world.lines.some(({ message }) => message === 'the use of a site could not be noted'));
  });
});

test('no secret and no key is ever in the log or in a refusal', async () => {
  const world = createTestSearch();
  const { key } = await world.access.issue({ tier: 'pro', tenant: 'acme', routes: [] });
  const site = await world.makeSite(key);
  for (const path of [
    '',
    '/pages',
    '/pages/x',
    '/profile',
    '/stats',
    '/nothing',
    '/snapshots',
    '/search',
    '/../%5c',
  ]) {
    for (const method of ['GET', 'PUT', 'DELETE', 'POST', 'PATCH', 'OPTIONS'] as const) {
      if (path === '' && method === 'DELETE') continue;
      const answer = await world.request({
        method,
        url: world.pathOf(site, path),
        headers: { 'x-api-key': key },
      });
      if (answer.statusCode >= 400) assert.ok(!answer.body.includes(site.siteSecret), `${method} ${path}`);
      assert.ok(!JSON.stringify(answer.headers).includes(site.siteSecret));
    }
  }
  const log = JSON.stringify(world.lines);
  assert.ok(world.lines.length > 40 && log.includes(site.siteId));
  assert.ok(!log.includes(site.siteSecret) && !log.includes(key));
});
