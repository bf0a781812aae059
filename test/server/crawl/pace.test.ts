import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGate } from '../../../server/crawl/gate.ts';
import { createHostPaces, readRetryAfter } from '../../../server/crawl/pace.ts';
import { runCrawl } from '../../../server/crawl/run-crawl.ts';
import { defaults, html, withCrawlWorld } from '../../crawl-world.ts';
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
        const between = gaps(sent());
        assert.ok(Math.min(...between) >= gapMs - 1e-6, `${gapMs}: ${between}`);
        const total = between.reduce((sum, gap) => sum + gap, 0);
        assert.ok(Math.abs(total - gapMs * 13) < 1, `${gapMs}: ${total} in all`);
      },
      { env: env as Record<string, string> },
    );
  }
});

test('a site above 10,000 pages is asked faster, up to 100 a second and more where the operator lets it', async () => {
  const urls = Array.from({ length: 12_000 }, (_, i) => `/p${i}`);
  const cases: [object, object, number, number][] = [
    // Twice a second by the square of 1.2, the size in ten thousands.
    [{}, {}, 60, 1000 / 2.88],
    [{}, { pagesPerSecond: 250 }, 200, 10],
    [{ CRAWL_MAX_RATE: '250' }, { pagesPerSecond: 250 }, 200, 4],
  ];
  for (const [env, config, enough, gapMs] of cases) {
    await withCrawlWorld(
      { '*': (request, response) => void response.end(html(`T ${request.url}`, `text ${request.url}`)) },
      async ({ crawls, deps, site, siteId, sent, store }) => {
        site.pages['/robots.txt'] = { status: 404 };
        site.pages['/sitemap.xml'] =
          `<urlset>${urls.map((path) => `<url><loc>${site.url(path)}</loc></url>`).join('')}</urlset>`;
        const { crawlId } = await crawls.start(siteId, [
          { ...defaults, url: site.url(), sitemapsOnly: true, ...config },
        ]);
        const abort = new AbortController();
        const { requestOf } = deps;
        deps.requestOf = (id) => (url, options) => {
          if (site.asked.length >= enough) abort.abort();
          return requestOf(id)(url, options);
        };
        await runCrawl(deps, crawlId, abort.signal);
        // The first pages were asked for before the crawl knew how many there are.
        const between = gaps(sent().slice(20));
        const mean = between.reduce((sum, gap) => sum + gap, 0) / between.length;
        assert.ok(Math.abs(mean - gapMs) < gapMs / 50, `${mean} instead of ${gapMs}`);
        assert.ok(Math.min(...between) >= gapMs / 2);
        const told = store.get(crawlId)?.pagesPerSecond ?? 0;
        assert.ok(Math.abs(told - 1000 / gapMs) < 0.01, `told ${told}`);
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
    assert.equal(gaps(sent()).filter((gap) => gap >= 100_000).length, 2);

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

test('who leaves the line leaves no gap behind, and who stands in it obeys a host that gets busy', async () => {
  const { clock, timer } = createEagerTime();
  const paces = createHostPaces(clock, timer);
  const start = clock.nowMs();
  const turns: string[] = [];
  const ask = async (name: string, signal = never) => {
    if (await paces.wait('a', 0.1, signal)) turns.push(`${name} ${clock.nowMs() - start}`);
  };
  const abort = new AbortController();
  const asked = [ask('first'), ask('leaves', abort.signal), ask('leaves', abort.signal), ask('second')];
  const third = ask('third');
  abort.abort();
  await Promise.all(asked);
  paces.slowDown('a', '3600');
  await third;
  assert.deepEqual(turns, ['first 0', 'second 10000', 'third 610000']);
});

test('a timer that is late by little costs no speed, and a long stall is not caught up at once', async () => {
  let nowMs = 0;
  const turns: number[] = [];
  const paces = createHostPaces(
    { nowMs: () => nowMs },
    {
      after(ms, run) {
        setImmediate(() => {
          // As on a busy machine: each is late by 3 ms, one by half a second.
          nowMs += ms + (turns.length === 50 ? 500 : 3);
          run();
        });
        return () => {};
      },
    },
  );
  await Promise.all(
    Array.from({ length: 200 }, async () => {
      await paces.wait('a', 100, never);
      turns.push(nowMs);
    }),
  );
  assert.ok(Math.abs((turns[49] - turns[0]) / 49 - 10) < 0.5, `${turns.slice(0, 50)}`);
  assert.ok(Math.min(...gaps(turns)) >= 5, `${gaps(turns)}`);
  assert.ok(turns[199] - turns[0] < 1_990 + 500 + 10, `${turns[199] - turns[0]} ms for 200 turns`);
});

test('the gate lets everyone have one task, and gives what else is free to who has the fewest', async () => {
  const gate = createGate(2);
  const order: string[] = [];
  const ends = new Map<string, () => void>();
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const enter = (owner: string, name: string) =>
    gate.enter(owner, async () => {
      order.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      if (name === 'a1') throw new Error('fails');
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await turn();
    return order.splice(0).join(' ');
  };
  const tasks = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'b3', 'c1'].map((name) => enter(name[0], name));
  tasks[0].catch(() => {});
  await turn();
  assert.equal(order.splice(0).join(' '), 'a1 a2 a3 b1 c1');
  assert.equal(await end('a1'), 'b2');
  assert.equal(await end('b1'), 'b3');
  assert.equal(await end('a2'), 'a4');
  assert.equal(await end('a3'), 'a5');
  for (const name of ['a4', 'a5', 'b2', 'b3', 'c1']) assert.equal(await end(name), '');
  assert.deepEqual(
    (await Promise.allSettled(tasks)).map(({ status }) => status),
    ['rejected', ...Array(8).fill('fulfilled')],
  );
});

test('turns that no timer can tell apart are taken together, and not one too many', async () => {
  let nowMs = Date.UTC(2026, 0, 1);
  const due: { atMs: number; run: () => void }[] = [];
  const paces = createHostPaces(
    { nowMs: () => nowMs },
    {
      after(ms, run) {
        // As the event loop has it: a millisecond is the least.
        const one = { atMs: nowMs + Math.max(1, Math.floor(ms)), run };
        due.push(one);
        return () => void due.splice(due.indexOf(one), 1);
      },
    },
  );
  let turns = 0;
  const all = Array.from({ length: 1_000 }, () => paces.wait('a', 20_000, never).then(() => turns++));
  await Promise.resolve();
  for (let ms = 0; turns < 1_000; ms++, nowMs++) {
    while (due.length > 0 && due[0].atMs <= nowMs) due.shift()?.run();
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(Math.abs(turns - 20 * (ms + 1)) <= 1, `${turns} turns in ${ms} ms`);
  }
  await Promise.all(all);
});
