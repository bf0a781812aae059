import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fetched } from '../../../server/crawl/request.ts';
import { runCrawls } from '../../../server/crawl/run-crawls.ts';
import { defaults, html, type openCrawlWorld, withCrawlWorld } from '../../crawl-world.ts';

type World = Awaited<ReturnType<typeof openCrawlWorld>>;
/** What a site answers, and how long its pages `/p…` take. */
type Site = { latencyMs: number; pages: Record<string, string> };

/** Sites without a network: answers come as the clock goes. */
function serveSites({ deps, time }: World, sites: Record<string, Site>) {
  const asked: { host: string; path: string; atMs: number }[] = [];
  const startMs = time.clock.nowMs();
  deps.requestOf =
    () =>
    async (url, { signal }) => {
      const { host, pathname } = new URL(url);
      const site = sites[host];
      signal?.throwIfAborted();
      asked.push({ host, path: pathname, atMs: time.clock.nowMs() - startMs });
      await new Promise<void>((resolve) => {
        const end = () => resolve(cancel());
        const cancel = time.timer.after(/^\/p\d/.test(pathname) ? site.latencyMs : 1, end);
        signal?.addEventListener('abort', end);
      });
      signal?.throwIfAborted();
      const body = site.pages[pathname];
      if (body === undefined) return { kind: 'refused', reason: 'not-found', detail: '404' };
      const type = pathname.endsWith('.xml') ? 'application/xml' : 'text/html';
      const headers = new Headers({ 'content-type': type });
      return { kind: 'body', status: 200, headers, bytes: Buffer.from(body) } satisfies Fetched;
    };
  return asked;
}

const linked = (count: number, more: Record<string, string> = {}): Record<string, string> => {
  const paths = Array.from({ length: count }, (_, i) => `/p${i}`);
  const texts = paths.map((path) => [path, html(path, `text of ${path}`)]);
  return { '/': html('Home', 'home', ...paths), ...Object.fromEntries(texts), ...more };
};

const listed = (host: string, count: number): Record<string, string> => ({
  ...linked(0),
  '/sitemap.xml': `<urlset>${Array.from({ length: count }, (_, i) => `<url><loc>http://${host}/p${i}</loc></url>`).join('')}</urlset>`,
  ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`/p${i}`, html(`T ${i}`, `text ${i}`)])),
});

/** Begins a crawl of each host, runs until `isEnough`, and gives when each crawl was seen to have ended. */
async function runUntil(
  world: World,
  hosts: readonly string[],
  pagesPerSecond: (host: string) => number | null,
  isEnough: (ended: ReadonlyMap<string, number>) => boolean,
): Promise<Map<string, number>> {
  const { crawls, deps, search, store, time } = world;
  const startMs = time.clock.nowMs();
  const ids = new Map<string, string>();
  for (const host of hosts) {
    const { siteId } = await search.make('acme');
    const config = { ...defaults, url: `http://${host}/`, pagesPerSecond: pagesPerSecond(host) };
    ids.set(host, (await crawls.start(siteId, [config])).crawlId);
  }
  const ended = new Map<string, number>();
  const stop = runCrawls(deps);
  await new Promise<void>((resolve) => {
    const look = () => {
      for (const [host, id] of ids) {
        if (store.get(id)?.state === 'done' && !ended.has(host))
          ended.set(host, time.clock.nowMs() - startMs);
      }
      if (isEnough(ended)) resolve();
      else time.timer.after(100, look);
    };
    look();
  });
  await stop();
  return ended;
}

const hour = 3_600_000;

test('slow sites and a huge one take nothing from small ones, and the huge one keeps its speed', () =>
  withCrawlWorld(
    {},
    async (world) => {
      const slow = Array.from({ length: 10 }, (_, i) => `slow-${i}.test`);
      const small = Array.from({ length: 6 }, (_, i) => `small-${i}.test`);
      const asked = serveSites(world, {
        ...Object.fromEntries(slow.map((host) => [host, { latencyMs: 29_000, pages: linked(40) }])),
        'huge.test': { latencyMs: 50, pages: listed('huge.test', 900) },
        ...Object.fromEntries(small.map((host) => [host, { latencyMs: 100, pages: linked(9) }])),
      });
      // The small ones come last, when the others have all that they may have.
      const speed = (host: string) => (host === 'huge.test' ? 40 : 2);
      const first = runUntil(world, [...slow, 'huge.test'], speed, () => world.time.clock.nowMs() > until);
      const until = world.time.clock.nowMs() + 9_000;
      await first;
      const before = asked.filter(({ host }) => host === 'huge.test').length;
      const sinceMs = world.time.clock.nowMs();
      const ended = await runUntil(world, small, speed, ({ size }) => size === small.length);
      const tookMs = world.time.clock.nowMs() - sinceMs;
      // Ten pages at two a second; robots.txt and the look for what is queued aside.
      for (const [host, ms] of ended) assert.ok(ms < 7_500, `${host} took ${ms} ms`);
      const after = asked.filter(({ host }) => host === 'huge.test').length;
      assert.ok(after - before > 0.8 * 40 * (tookMs / 1000 - 1), `${after - before} in ${tookMs} ms`);
    },
    { env: { CRAWL_MAX_RATE: '200' } },
  ));

test('crawls that never end give way to those that wait, and all get on', () =>
  withCrawlWorld({}, async (world) => {
    const patient = Array.from({ length: 40 }, (_, i) => `patient-${i}.test`);
    const robots = { '/robots.txt': 'User-agent: *\nCrawl-delay: 60' };
    const asked = serveSites(world, {
      ...Object.fromEntries(patient.map((host) => [host, { latencyMs: 10, pages: linked(60, robots) }])),
      'small.test': { latencyMs: 10, pages: linked(3) },
    });
    const ended = await runUntil(
      world,
      [...patient, 'small.test'],
      () => null,
      (done) => done.has('small.test') && asked.length > 400,
    );
    assert.ok((ended.get('small.test') as number) < 0.1 * hour, `${ended.get('small.test')} ms`);
    const counts = patient.map(
      (host) => asked.filter((one) => one.host === host && one.path.startsWith('/p')).length,
    );
    assert.ok(Math.min(...counts) * 3 > Math.max(...counts), `${counts}`);
    for (const host of patient) {
      const times = asked.filter((one) => one.host === host && one.path !== '/robots.txt');
      const gaps = times.slice(1).map(({ atMs }, i) => atMs - times[i].atMs);
      assert.ok(Math.min(...gaps) >= 60_000 - 1, `${host}: ${gaps}`);
    }
  }));
