import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CrawlRecord, Settlement } from '../../../server/crawl/core/ports.ts';
import { openEnvironment } from '../../../server/store/environment.ts';
import { createLmdbCrawls } from '../../../server/store/lmdb-crawls.ts';
import { createEagerTime } from '../../eager-timer.ts';
import { withTemporaryFolder } from '../../temporary-folder.ts';
import { createTestSearch } from '../../test-search.ts';

const nothing: Settlement = {
  at: null,
  add: [],
  retry: null,
  skipped: [],
  known: [],
  claim: null,
  held: [],
  change: (kept) => kept,
};

async function withRoutes(
  use: (
    world: ReturnType<typeof createTestSearch> & { store: ReturnType<typeof createLmdbCrawls> },
  ) => Promise<void>,
): Promise<void> {
  await withTemporaryFolder(async (folder) => {
    const environment = await openEnvironment(folder);
    const store = createLmdbCrawls(environment);
    const { timer } = createEagerTime();
    await use({ ...createTestSearch({ crawlStore: { store, timer } }), store });
    await environment.close();
  });
}
const begin = (url = 'https://example.org/') => ({ url });

test('a crawl begins by url, body or profile, and says where it is', () =>
  withRoutes(async ({ makeSite, pathOf, request, post, putJson, store, access }) => {
    const { key } = await access.issue({ tier: 'pro', tenant: 'acme', routes: [] });
    const bodies: [string, object | undefined, string[]][] = [
      ['?', begin(), ['https://example.org/']],
      [
        '?',
        { configs: [begin(), begin('https://example.com/a#b')] },
        ['https://example.org/', 'https://example.com/a'],
      ],
    ];
    for (const [, body, urls] of bodies) {
      const site = await makeSite(key);
      const answer = await post(pathOf(site, '/crawl'), body);
      assert.equal(answer.statusCode, 202, answer.body);
      const { crawlId } = answer.json();
      assert.equal(answer.headers.location, `/sites/${site.siteId}/crawl/${crawlId}`);
      assert.deepEqual(
        store.get(crawlId)?.configs.map(({ url }) => url),
        urls,
      );
    }
    const site = await makeSite(key);
    const byUrl = await request({ method: 'POST', url: pathOf(site, '/crawl', begin()) });
    assert.equal(byUrl.statusCode, 202);
    const second = await request({ method: 'POST', url: pathOf(site, '/crawl', begin()) });
    assert.deepEqual(
      [second.statusCode, second.json().code, second.json().crawlId],
      [409, 'crawl-running', byUrl.json().crawlId],
    );

    const other = await makeSite(key);
    const bare = await request({ method: 'POST', url: pathOf(other, '/crawl') });
    assert.deepEqual([bare.statusCode, bare.json().code], [400, 'malformed-request']);
    await putJson(pathOf(other, '/profile'), { configs: [{ ...begin(), pagesPerSecond: 5 }] });
    const byProfile = await request({ method: 'POST', url: pathOf(other, '/crawl') });
    assert.equal(store.get(byProfile.json().crawlId)?.configs[0].pagesPerSecond, 5);
    const list = (await request(pathOf(other, '/crawl'))).json();
    assert.deepEqual(
      list.crawls.map(({ crawlId }: { crawlId: string }) => crawlId),
      [byProfile.json().crawlId],
    );
  }));

test('what is wrong is refused, and nothing is queued', () =>
  withRoutes(async ({ makeSite, pathOf, request, post, store }) => {
    const site = await makeSite();
    const cases: [string, unknown, number, string][] = [
      [pathOf(site, '/crawl'), begin('ftp://example.org/'), 400, 'malformed-request'],
      [pathOf(site, '/crawl'), begin('https://user:pw@example.org/'), 400, 'malformed-request'],
      [pathOf(site, '/crawl'), { configs: [] }, 400, 'malformed-request'],
      [pathOf(site, '/crawl'), { ...begin(), pageBodyCssSelector: 'p::before' }, 400, 'malformed-request'],
      [pathOf(site, '/crawl'), { ...begin(), pagesPerSecond: -1 }, 400, 'malformed-request'],
      [pathOf(site, '/crawl', begin()), begin(), 400, 'malformed-request'],
      [pathOf(site, '/crawl'), '{', 400, 'malformed-request'],
      [pathOf(site, '/crawl'), { configs: [begin(), begin('https://example.com/')] }, 403, 'pilot-limit'],
      [pathOf({ ...site, siteSecret: 'wrong' }, '/crawl'), begin(), 403, 'wrong-secret'],
      [`/sites/${site.siteId}/crawl`, begin(), 403, 'wrong-secret'],
      [pathOf({ ...site, siteId: '0'.repeat(36) }, '/crawl'), begin(), 404, 'unknown-site'],
    ];
    for (const [url, body, status, code] of cases) {
      const answer = await post(url, body);
      assert.deepEqual([answer.statusCode, answer.json().code], [status, code], JSON.stringify(body));
    }
    const form = await request({
      method: 'POST',
      url: pathOf(site, '/crawl'),
      headers: { 'content-type': 'text/plain' },
      payload: 'x',
    });
    assert.equal(form.statusCode, 415);
    assert.deepEqual(store.active(), []);
  }));

test('a crawl is seen by its own site alone', () =>
  withRoutes(async ({ makeSite, pathOf, post, request }) => {
    const [mine, other] = [await makeSite(), await makeSite()];
    const { crawlId } = (await post(pathOf(mine, '/crawl'), begin())).json();
    assert.equal((await request(pathOf(mine, `/crawl/${crawlId}`))).statusCode, 200);
    for (const path of [`/crawl/${crawlId}`, `/crawl/${crawlId}/events`, '/crawl/nonsense']) {
      const answer = await request(pathOf(other, path));
      assert.deepEqual([answer.statusCode, answer.json().code], [404, 'unknown-crawl'], path);
    }
    const cancelled = await request({ method: 'DELETE', url: pathOf(other, `/crawl/${crawlId}`) });
    assert.equal(cancelled.statusCode, 404);
    assert.equal((await request(pathOf(mine, `/crawl/${crawlId}`))).json().state, 'queued');
  }));

test('what was left out is paged, and a crawl can be cancelled once and again', () =>
  withRoutes(async ({ makeSite, pathOf, post, request, store }) => {
    const site = await makeSite();
    const { crawlId } = (await post(pathOf(site, '/crawl'), begin())).json();
    await store.update(crawlId, (record) => ({ ...record, state: 'running' }));
    const skipped = Array.from({ length: 5 }, (_, i) => ({
      url: `/${i}`,
      reason: 'robots' as const,
      detail: 'd',
    }));
    await store.settle(crawlId, { ...nothing, skipped }, 100);
    const first = (await request(pathOf(site, `/crawl/${crawlId}`, { limit: '3' }))).json();
    assert.deepEqual([first.skipped.length, first.skippedTotal, first.skippedCount], [3, 5, { robots: 5 }]);
    const rest = (
      await request(pathOf(site, `/crawl/${crawlId}`, { limit: '3', after: String(first.next) }))
    ).json();
    assert.deepEqual(
      [rest.skipped, rest.next],
      [skipped.slice(3).map(({ url, reason, detail }) => ({ url, reason, detail })), null],
    );
    for (const query of [{ limit: '0' }, { limit: '1001' }, { after: '-1' }, { after: 'x' }]) {
      assert.equal((await request(pathOf(site, `/crawl/${crawlId}`, query))).statusCode, 400);
    }
    for (let i = 0; i < 2; i++) {
      assert.equal(
        (await request({ method: 'DELETE', url: pathOf(site, `/crawl/${crawlId}`) })).statusCode,
        204,
      );
    }
    const { state, endedAt } = (await request(pathOf(site, `/crawl/${crawlId}`))).json();
    assert.equal(state, 'cancelled');
    assert.ok(endedAt);
    assert.equal((await post(pathOf(site, '/crawl'), begin())).statusCode, 202);
  }));

test('events tell progress and what is left out, end with done, and go on behind the last one seen', () =>
  withRoutes(async ({ makeSite, pathOf, post, request, store }) => {
    const site = await makeSite();
    const { crawlId } = (await post(pathOf(site, '/crawl'), begin())).json();
    const watching = request(pathOf(site, `/crawl/${crawlId}/events`));
    const change = (more: Partial<CrawlRecord>) =>
      store.update(crawlId, (record) => ({ ...record, ...more }));
    await change({ state: 'running' });
    const skipped = ['/a', '/b'].map((url) => ({ url, reason: 'robots' as const, detail: 'd' }));
    await store.settle(crawlId, { ...nothing, skipped }, 100);
    await change({ state: 'done' });
    const answer = await watching;
    assert.match(String(answer.headers['content-type']), /^text\/event-stream/);
    const names = [...answer.body.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);
    assert.equal(names[0], 'progress');
    assert.equal(names.at(-1), 'done');
    assert.equal(names.filter((name) => name === 'skipped').length, 2);
    assert.equal(names.filter((name) => name === 'done').length, 1);
    assert.match(
      answer.body,
      /id: 1\nevent: skipped\ndata: \{"url":"\/b","reason":"robots","detail":"d"\}\n\n/,
    );
    const again = await request({
      url: pathOf(site, `/crawl/${crawlId}/events`),
      headers: { 'last-event-id': '0' },
    });
    assert.deepEqual(
      [...again.body.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name),
      ['skipped', 'done'],
    );
  }));
