import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGate } from '../../../server/crawl/gate.ts';
import { createHostPaces, readRetryAfter } from '../../../server/crawl/pace.ts';
import { html, withCrawlWorld } from '../../crawl-world.ts';
import { createEagerTime } from '../../eager-timer.ts';

const never = new AbortController().signal;
const many = Array.from({ length: 12 }, (_, i) => `/p${i}`);
const site = () => ({
  '/': html('Home', 'home', ...many),
  ...Object.fromEntries(many.map((path) => [path, html(path, `text of ${path}`)])),
});
const gaps = (times: readonly number[]) => times.slice(1).map((at, i) => at - times[i]);

test('a host is asked twice a second, as the profile asks, and never faster than robots.txt says', async () => {
  const cases: [object, string, object, number][] = [
    [{}, '', {}, 500],
    [{}, '', { pagesPerSecond: 10 }, 100],
    [{}, '', { pagesPerSecond: 1_000 }, 10],
    [{ CRAWL_RATE: '4', CRAWL_MAX_RATE: '5' }, '', { pagesPerSecond: 1_000 }, 200],
    [{}, 'User-agent: *\nCrawl-delay: 20', { pagesPerSecond: 10 }, 20_000],
    [{}, 'User-agent: *\nCrawl-delay: 9999', {}, 60_000],
  ];
  for (const [env, robots, config, gapMs] of cases) {
    await withCrawlWorld(
      { ...site(), '/robots.txt': robots },
      async ({ crawl, sent }) => {
        const done = await crawl(config);
        assert.equal(done.indexed, 13);
        assert.ok(Math.abs(done.pagesPerSecond - 1000 / gapMs) < 1e-9, `told ${done.pagesPerSecond}`);
        const between = gaps(sent);
        assert.ok(Math.min(...between) >= gapMs - 1e-6, `${gapMs}: ${between}`);
        const total = between.reduce((sum, gap) => sum + gap, 0);
        assert.ok(Math.abs(total - gapMs * 13) < 1, `${gapMs}: ${total} in all`);
      },
      { env: env as Record<string, string> },
    );
  }
});

test('a busy host is left alone as long as it says, and asked more slowly then', () =>
  withCrawlWorld(site(), async ({ crawl, site, sent }) => {
    let refusals = 0;
    const page = site.pages['/p3'] as string;
    site.pages['/p3'] = (_, response) => {
      if (++refusals <= 2) response.writeHead(refusals === 1 ? 429 : 503, { 'retry-after': '120' }).end();
      else response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    };
    const done = await crawl();
    assert.deepEqual([done.indexed, done.reasons], [13, []]);
    assert.equal(gaps(sent).filter((gap) => gap >= 100_000).length, 2);

    site.pages['/p4'] = { status: 503 };
    assert.deepEqual((await crawl()).reasons, ['/p4 server-error']);
    assert.equal(site.paths().filter((path) => path === '/p4').length, 4);
  }));

test('one host does not wait for another, and two crawls of one host share its speed', async () => {
  const { clock, timer } = createEagerTime();
  const paces = createHostPaces(clock, timer);
  const start = clock.nowMs();
  const turns: string[] = [];
  const ask = async (host: string) => {
    await paces.wait(host, 1, never);
    turns.push(`${host} ${clock.nowMs() - start}`);
  };
  await Promise.all(['a', 'a', 'a', 'b', 'b', 'c'].map(ask));
  assert.deepEqual(turns.sort(), ['a 0', 'a 1000', 'a 2000', 'b 0', 'b 1000', 'c 0']);
});

test('a wait that is ended gives way at once', async () => {
  const { clock } = createEagerTime();
  const paces = createHostPaces(clock, { after: () => () => {} });
  const abort = new AbortController();
  await paces.wait('a', 1, abort.signal);
  const waiting = paces.wait('a', 1, abort.signal);
  abort.abort();
  assert.equal(await waiting, false);
});

test('Retry-After is seconds or a date', () => {
  const now = Date.UTC(2026, 0, 1);
  assert.equal(readRetryAfter('120', now), 120_000);
  assert.equal(readRetryAfter('Thu, 01 Jan 2026 00:01:00 GMT', now), 60_000);
  assert.equal(readRetryAfter('Wed, 31 Dec 2025 00:01:00 GMT', now), 0);
  for (const text of [null, 'soon', '-1']) assert.equal(readRetryAfter(text, now), null);
});

test('the gate lets so many through at once, in the order of coming', async () => {
  const gate = createGate(2);
  const ends: (() => void)[] = [];
  const order: number[] = [];
  const tasks = [0, 1, 2, 3].map((number) =>
    gate.enter(async () => {
      order.push(number);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (number === 0) throw new Error('fails');
    }),
  );
  tasks[0].catch(() => {});
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(order, [0, 1]);
  for (let i = 0; i < 4; i++) {
    ends[i]();
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.deepEqual(order, [0, 1, 2, 3]);
  assert.deepEqual(
    (await Promise.allSettled(tasks)).map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
  );
});
