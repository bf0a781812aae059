import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCrawls } from '../../../server/crawl/run-crawls.ts';
import { fault } from '../../../server/wire/problem.ts';
import { defaults, html, type openCrawlWorld, withCrawlWorld } from '../../crawl-world.ts';

type World = Awaited<ReturnType<typeof openCrawlWorld>>;

/** Runs a crawl whose store fails as `plant` says at each attempt, until it ends. Gives the seconds of the attempts. */
async function runBroken(
  { crawls, deps, site, siteId, store, time }: World,
  plant: (attempt: number) => void,
) {
  const startMs = time.clock.nowMs();
  const attempts: number[] = [];
  const { next, update } = deps.store;
  let isBeginning = false;
  deps.store = {
    ...deps.store,
    // Each run begins with an update.
    update: (...args) => {
      isBeginning = true;
      return update(...args);
    },
    next(...args) {
      if (isBeginning) attempts.push(Math.round((time.clock.nowMs() - startMs) / 1000));
      isBeginning = false;
      plant(attempts.length);
      return next(...args);
    },
  };
  const { crawlId } = await crawls.start(siteId, [{ ...defaults, url: site.url() }]);
  const problems = new Set<string | null>();
  const stop = runCrawls(deps);
  await new Promise<void>((resolve) => {
    const look = () => {
      const record = store.get(crawlId);
      problems.add(record?.problem ?? null);
      if (record?.endedAtSecs !== null) resolve();
      else time.timer.after(250, look);
    };
    look();
  });
  await stop();
  return { attempts, problems, record: store.get(crawlId) };
}

const pages = { '/': html('Home', 'home', '/a'), '/a': html('A', 'a') };

test('a crawl that breaks off again and again is tried less and less often, fails in the end, and says why', () =>
  withCrawlWorld(pages, async (world) => {
    const { attempts, record } = await runBroken(world, () => {
      throw new Error('planted: /etc/secret');
    });
    const pauses = attempts.slice(1).map((at, i) => at - attempts[i]);
    assert.deepEqual(
      pauses.map((secs) => Math.floor(secs / 5) * 5),
      [5, 20, 80, 320, 600],
    );
    assert.equal(record?.state, 'failed');
    assert.match(record?.problem ?? '', /unexpected error of this server broke it off, 6 of 6 times/);
    assert.doesNotMatch(record?.problem ?? '', /secret/);
    const told = world.lines.filter(({ level }) => level === 'error');
    assert.deepEqual(
      told.map(({ message }) => message),
      [...Array(5).fill('a crawl broke off; it is taken up again'), 'a crawl broke off and has failed'],
    );
    // It is over: another one may begin, and gets on.
    world.deps.store = { ...world.deps.store, next: world.store.next };
    assert.equal((await world.crawl()).state, 'done');
  }));

test('a crawl that breaks off and gets on again ends as any other', () =>
  withCrawlWorld(pages, async (world) => {
    const { attempts, problems, record } = await runBroken(world, (attempt) => {
      if (attempt <= 2) throw new Error('planted');
    });
    assert.equal(attempts.length, 3);
    assert.deepEqual([record?.state, record?.indexed, record?.problem], ['done', 2, null]);
    assert.equal(problems.size, 3, 'the state told of both while it waited');
  }));

test('a store that cannot be written for long is waited for, and ends no crawl', () =>
  withCrawlWorld(pages, async (world) => {
    const { attempts, record } = await runBroken(world, (attempt) => {
      if (attempt <= 20) throw fault('store-unavailable', 'planted');
    });
    assert.ok(attempts.length > 20);
    assert.ok(attempts[20] - attempts[0] >= 20 * 5);
    assert.deepEqual([record?.state, record?.indexed], ['done', 2]);
  }));
