import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { html, openSite } from '../crawl-world.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { entry, startServer } from './server-process.ts';

const paths = Array.from({ length: 30 }, (_, i) => `/p${i}`);
const pages = () => ({
  '/': html('Home', 'home', ...paths),
  ...Object.fromEntries(paths.map((path) => [path, html(`Title ${path}`, `honey number ${path}`)])),
});
const allow = { OUTBOUND_ALLOW: '127.0.0.1', LOG_LEVEL: 'warn' };

type Crawl = { state: string; fetched: number; indexed: number };

async function beginCrawl(origin: string, url: string) {
  const { siteId, siteSecret } = await (await fetch(`${origin}/sites`, { method: 'POST' })).json();
  const secret = `siteSecret=${siteSecret}`;
  const begun = await fetch(`${origin}/sites/${siteId}/crawl?${secret}&url=${encodeURIComponent(url)}`, {
    method: 'POST',
  });
  assert.equal(begun.status, 202);
  const { crawlId } = await begun.json();
  return { siteId, path: `/sites/${siteId}/crawl/${crawlId}`, secret };
}

/** Reads the events until `isEnough`, and gives the last state. */
async function watch(url: string, isEnough: (name: string, state: Crawl) => boolean): Promise<Crawl> {
  const answer = await fetch(url);
  let text = '';
  for await (const part of answer.body ?? []) {
    text += Buffer.from(part).toString();
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const [, name, data] = /event: (\w+)\ndata: (.*)/.exec(event) ?? [];
      if (name === undefined || name === 'skipped') continue;
      const state = JSON.parse(data) as Crawl;
      if (isEnough(name, state)) return state;
    }
  }
  throw new Error('the events ended before');
}

test('a crawl that was killed goes on where it was, and asks for no page twice but those under way', async () => {
  const site = await openSite(pages());
  await withTemporaryFolder(async (folder) => {
    const env = { ...allow, CRAWL_RATE: '20' };
    const first = await startServer(env, folder);
    const { siteId, path, secret } = await beginCrawl(first.url, site.url());
    await watch(`${first.url}${path}/events?${secret}`, (_, { indexed }) => indexed >= 5);
    await first.end('SIGKILL');
    const before = site.asked.length;

    const second = await startServer(env, folder);
    const done = await watch(`${second.url}${path}/events?${secret}`, (name) => name === 'done');
    assert.deepEqual([done.state, done.indexed], ['done', 31]);
    const found = await (await fetch(`${second.url}/sites/${siteId}/search?query=honey&limit=100`)).json();
    assert.equal(found.total, 30);
    await second.end('SIGTERM');
    const asked = site.paths().filter((one) => /^\/(p\d+)?$/.test(one));
    assert.ok(before < 31, `${before} before the end`);
    // Eight under way, and twice as many that wait to be written, where the disk is slow.
    assert.ok(asked.length - 31 <= 24, `${asked.length - 31} pages twice`);
  });
  await site.close();
});

test('of several processes one crawls, whichever is asked', async () => {
  const site = await openSite(pages());
  const server = await startServer({ ...allow, CRAWL_RATE: '50', WORKERS: '2' });
  const crawls = await Promise.all([1, 2, 3, 4].map(() => beginCrawl(server.url, site.url())));
  for (const { path, secret } of crawls) {
    const { state, indexed } = await watch(
      `${server.url}${path}/events?${secret}`,
      (name) => name === 'done',
    );
    assert.deepEqual([state, indexed], ['done', 31]);
  }
  assert.equal(site.paths().filter((path) => path === '/p7').length, 4);
  await server.end('SIGTERM');
  await site.close();
});

test('a server that is stopped under way lets go at once, and tells the crawl to the next', async () => {
  const site = await openSite({ ...pages(), '/robots.txt': 'User-agent: *\nCrawl-delay: 60' });
  await withTemporaryFolder(async (folder) => {
    const server = await startServer(allow, folder);
    const { path, secret } = await beginCrawl(server.url, site.url());
    await watch(`${server.url}${path}/events?${secret}`, (_, { state }) => state === 'running');
    assert.equal(await server.end('SIGTERM'), 0);
    assert.doesNotMatch(server.output(), /"level":50/);
    const next = await startServer(allow, folder);
    const { state } = await (await fetch(`${next.url}${path}?${secret}`)).json();
    assert.equal(state, 'running');
    assert.equal((await fetch(`${next.url}${path}?${secret}`, { method: 'DELETE' })).status, 204);
    await watch(
      `${next.url}${path}/events?${secret}`,
      (name, crawl) => name === 'done' && crawl.state === 'cancelled',
    );
    await next.end('SIGTERM');
  });
  await site.close();
});

const run = (env: Record<string, string>, ...args: string[]) => start(env, args).ended;

function start(env: Record<string, string>, args: readonly string[]) {
  const child = spawn(process.execPath, [entry, ...args], { env: { PATH: process.env.PATH, ...env } });
  const ended = new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) => {
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (part) => {
      stdout += part;
    });
    child.stderr.on('data', (part) => {
      stderr += part;
    });
    child.on('close', (status) => resolve({ status, stdout, stderr }));
  });
  return { child, ended };
}

test('gatehouse crawl tells what is found and what is left out', async () => {
  const site = await openSite({ '/': html('Home', 'home', '/a', '/q?x=1', '/gone'), '/a': html('A', 'a') });
  const { status, stdout } = await run({ ...allow, CRAWL_RATE: '50' }, 'crawl', site.url());
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^2 pages taken of 3 asked for/);
  assert.match(stdout, /left out, query-string: 1\n {2}\S+\/q\?x=1 \(allowUrlWithQuery is not set\)/);
  const refused = await run({}, 'crawl', site.url());
  assert.equal(refused.status, 1);
  assert.match(refused.stdout, /no page was taken: \d × refused-address/);
  assert.match(
    (await run({}, 'crawl', 'nonsense')).stderr,
    /^gatehouse: nonsense: expected an absolute http\(s\) URL/,
  );
  await site.close();
});

test('gatehouse crawl that is interrupted tells what it found, leaves nothing behind, and ends as interrupted', () =>
  withTemporaryFolder(async (folder) => {
    const site = await openSite(pages());
    const env = { ...allow, CRAWL_RATE: '10', TMPDIR: folder };
    const { child, ended } = start(env, ['crawl', site.url()]);
    while (site.paths().filter((path) => path.startsWith('/p')).length < 5) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    child.kill('SIGINT');
    const { status, stdout, stderr } = await ended;
    assert.equal(status, 130, stderr);
    assert.match(stdout, /^stopped: \d+ pages taken of \d+ asked for/);
    assert.deepEqual(readdirSync(folder), []);
    await site.close();
  }));
