import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SKIP_REASONS } from '../../../server/crawl/core/reasons.ts';
import { openEnvironment } from '../../../server/store/environment.ts';
import { createLmdbCrawls } from '../../../server/store/lmdb-crawls.ts';
import { createEagerTime } from '../../eager-timer.ts';
import { withTemporaryFolder } from '../../temporary-folder.ts';
import { createTestConsole } from '../../test-console.ts';

type World = ReturnType<typeof createTestConsole> & {
  store: ReturnType<typeof createLmdbCrawls>;
  call: Awaited<ReturnType<ReturnType<typeof createTestConsole>['openPage']>>['call'];
  siteId: string;
  path: string;
};

async function withConsole(use: (world: World) => Promise<void>): Promise<void> {
  await withTemporaryFolder(async (folder) => {
    const environment = await openEnvironment(folder);
    const store = createLmdbCrawls(environment);
    const world = createTestConsole({ crawlStore: { store, timer: createEagerTime().timer } });
    const { call } = await world.openPage();
    const { siteId } = (await call('POST', '/console/api/sites', { tenant: 'Shop' })).json();
    await use({ ...world, store, call, siteId, path: `/console/api/sites/${siteId}/crawls` });
    await environment.close();
  });
}

/** Lets a crawl run, and leaves one address out. */
async function leaveOut(store: World['store'], crawlId: string): Promise<void> {
  await store.update(crawlId, (kept) => ({ ...kept, state: 'running', startedAtSecs: kept.queuedAtSecs }));
  const skipped = [{ url: 'https://example.org/a', reason: 'robots' as const, detail: 'Disallow: /a' }];
  const step = {
    at: null,
    add: [],
    retry: null,
    skipped,
    known: [],
    held: [],
    claim: null,
    change: <T>(kept: T) => kept,
  };
  await store.settle(crawlId, step, 100);
}

test('the console says that it has crawls, where it has', async () => {
  const { openPage } = createTestConsole();
  const without = await openPage();
  assert.deepEqual((await without.call('GET', '/console/api/session')).json().has, {
    sites: true,
    crawls: false,
  });
  assert.equal((await without.call('GET', '/console/api/crawls')).statusCode, 404);
  await withConsole(async ({ call }) => {
    assert.equal((await call('GET', '/console/api/session')).json().has.crawls, true);
  });
});

test('a crawl is started, shown among those that go on, read with what it left out, and cancelled', () =>
  withConsole(async ({ call, store, siteId, path }) => {
    const started = await call('POST', path, { url: 'https://example.org/', sitemapsOnly: true });
    assert.equal(started.statusCode, 202, started.body);
    const { crawlId } = started.json();
    assert.equal(store.get(crawlId)?.configs[0].sitemapsOnly, true);
    const again = await call('POST', path, { url: 'https://example.org/' });
    assert.deepEqual([again.statusCode, again.json().code], [409, 'crawl-running']);

    await leaveOut(store, crawlId);
    const active = (await call('GET', '/console/api/crawls')).json();
    assert.deepEqual(
      active.crawls.map((crawl: Record<string, unknown>) => [
        crawl.siteId,
        crawl.crawlId,
        crawl.skippedTotal,
      ]),
      [[siteId, crawlId, 1]],
    );
    assert.deepEqual(Object.keys(active.reasons), Object.keys(SKIP_REASONS));

    const read = (await call('GET', `${path}/${crawlId}`)).json();
    assert.deepEqual(read.skipped, [
      { url: 'https://example.org/a', reason: 'robots', detail: 'Disallow: /a' },
    ]);
    assert.equal((await call('DELETE', `${path}/${crawlId}`)).statusCode, 204);
    assert.equal(store.get(crawlId)?.state, 'cancelled');
    const [last] = (await call('GET', path)).json().crawls;
    assert.equal(last.state, 'cancelled');
    assert.deepEqual((await call('GET', '/console/api/crawls')).json().crawls, []);
  }));

test('without a body the settings of the site say where to begin', () =>
  withConsole(async ({ call, store, path, siteId }) => {
    assert.equal((await call('POST', path)).statusCode, 400);
    await call('PUT', `/console/api/sites/${siteId}/profile`, {
      configs: [{ url: 'https://example.org/docs/' }],
    });
    const { crawlId } = (await call('POST', path)).json();
    assert.equal(store.get(crawlId)?.configs[0].url, 'https://example.org/docs/');
  }));

test('what happens is told as server-sent events until the end, and no more than that', () =>
  withConsole(async ({ call, store, path }) => {
    const { crawlId } = (await call('POST', path, { url: 'https://example.org/' })).json();
    await leaveOut(store, crawlId);
    await store.update(crawlId, (kept) => ({ ...kept, state: 'done', endedAtSecs: kept.queuedAtSecs }));
    const events = await call('GET', `${path}/${crawlId}/events`);
    assert.match(String(events.headers['content-type']), /^text\/event-stream/);
    assert.equal(events.headers['x-accel-buffering'], 'no');
    assert.deepEqual(
      [...events.body.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name),
      ['skipped', 'done'],
    );
  }));

test('a stream ends with the session that opened it, though the crawl goes on', () =>
  withConsole(async ({ call, store, path, clock }) => {
    const { crawlId } = (await call('POST', path, { url: 'https://example.org/' })).json();
    const { get } = store;
    // Once the request is let in, the session ends under it.
    store.get = (id) => {
      clock.advanceSecs(1_800);
      return get(id);
    };
    const events = await call('GET', `${path}/${crawlId}/events`);
    assert.equal(events.statusCode, 200);
    assert.match(events.body, /^event: progress$/m);
    assert.equal(get(crawlId)?.state, 'queued');
  }));

for (const [title, body, status] of [
  ['an address that is none', { url: 'javascript:alert(1)' }, 400],
  ['a selector that cannot be read', { url: 'https://example.org/', pageBodyCssSelector: 'p::before' }, 400],
  ['nothing in a list', { configs: [] }, 400],
] as const) {
  test(`nothing is queued for ${title}`, () =>
    withConsole(async ({ call, store, path }) => {
      assert.equal((await call('POST', path, body)).statusCode, status);
      assert.deepEqual(store.active(), []);
    }));
}

test('crawls of unknown sites, of other sites and of no one are not there', () =>
  withConsole(async ({ call, path }) => {
    const { crawlId } = (await call('POST', path, { url: 'https://example.org/' })).json();
    const other = (await call('POST', '/console/api/sites', { tenant: 'Other' })).json().siteId;
    const unknown = '/console/api/sites/00000000-0000-4000-8000-000000000000/crawls';
    for (const [base, code] of [
      [unknown, 'unknown-site'],
      [`/console/api/sites/${other}/crawls`, 'unknown-crawl'],
    ]) {
      for (const [method, url] of [
        ['GET', `${base}/${crawlId}`],
        ['DELETE', `${base}/${crawlId}`],
        ['GET', `${base}/${crawlId}/events`],
        ['GET', `${base}/__proto__`],
      ] as const) {
        const answer = await call(method, url);
        assert.deepEqual([answer.statusCode, answer.json().code], [404, code], `${method} ${url}`);
      }
    }
    assert.equal((await call('GET', unknown)).json().code, 'unknown-site');
    assert.equal((await call('POST', unknown, { url: 'https://example.org/' })).json().code, 'unknown-site');
  }));
