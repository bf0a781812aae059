import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { makeFolder } from '../temporary-folder.ts';
import { solve } from '../test-gate.ts';
import { launchChromium } from './chromium.ts';
import { type Arrival, findPort, startSite } from './proxies.ts';
import { type ServerProcess, startServer } from './server-process.ts';

// Cheap, since the oracle that solves here is slow.
const POLICY = {
  defaults: { difficulty_bits: 12 },
  routes: [
    { id: 'archive', paths: ['/archive/*'] },
    { id: 'form', paths: ['/form'], methods: ['POST'] },
    { id: 'call', paths: ['/call'], passport_ttl_secs: 0 },
  ],
};

/** Ports of this run, and a folder for the proxy's files. */
export type Scene = { port: number; gatehousePort: number; sitePort: number; folder: string };

type Deps = {
  start(scene: Scene): Promise<{ end(): Promise<void> }>;
  /** The status that the proxy gives while Gatehouse does not answer. */
  statusWithoutGatehouse: number;
  /** What is asked from outside instead of the question: nobody, unless the proxy cannot say so, and then the site. */
  questionReaches?: 'site';
};

/** The story of a site behind a proxy that asks Gatehouse: the same for every proxy. */
export function tellBehindProxy({ start, statusWithoutGatehouse, questionReaches }: Deps): void {
  const { folder, remove } = makeFolder();
  let browser: Browser;
  let gatehouse: ServerProcess;
  let site: Awaited<ReturnType<typeof startSite>>;
  let proxy: { end(): Promise<void> } | undefined;
  let port: number;

  before(async () => {
    const policy = join(folder, 'policy.json');
    writeFileSync(policy, JSON.stringify(POLICY));
    [browser, gatehouse, site, port] = await Promise.all([
      launchChromium(),
      startServer({ GATE_POLICY: policy, TRUSTED_PROXIES: '127.0.0.1' }),
      startSite(),
      findPort(),
    ]);
    proxy = await start({ port, gatehousePort: gatehouse.port, sitePort: site.port, folder });
  });
  after(async () => {
    await browser.close();
    await proxy?.end();
    await gatehouse.end('SIGKILL');
    site.server.closeAllConnections();
    site.server.close();
    remove();
  });

  const request = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, init);
  const isSite = async (answer: Response) => (await answer.text()).includes('<h1>The site</h1>');
  const latest = () => site.arrivals.at(-1) as Arrival;

  async function winCookie(): Promise<string> {
    const { challenge } = await (await request('/pow/challenge?route=archive')).json();
    const minted = await request('/pow/passport', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ challenge, answer: solve(challenge) }),
    });
    assert.equal(minted.status, 200);
    return String(minted.headers.get('set-cookie')).split(';')[0];
  }

  /** A request whose target goes out byte by byte as it stands. Gives the status. */
  async function sendRaw(target: string, headers: readonly string[] = []): Promise<number> {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      [`GET ${target} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close', ...headers, '', ''].join('\r\n'),
    );
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
  }

  test('a browser wins a passport at the gated address and stays there', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const statuses: number[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/archive/')) statuses.push(response.status());
    });
    const url = `http://localhost:${port}/archive/a%2Fb?year=1999#end`;
    await page.goto(url);
    await page.getByRole('heading', { name: 'The site' }).waitFor();
    assert.equal(page.url(), url);
    assert.deepEqual(statuses, [401, 200]);
    assert.equal(latest().url, '/archive/a%2Fb?year=1999');
    // The passport opens the next page at once.
    assert.equal((await page.goto(`http://localhost:${port}/archive/2`))?.status(), 200);
    await context.close();
  });

  test('a form that is held back is not sent, and the page says so', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`http://localhost:${port}/open`);
    const before = site.arrivals.length;
    await page.evaluate(() => {
      const form = document.createElement('form');
      form.method = 'post';
      form.action = '/form';
      document.body.append(form);
      form.submit();
    });
    await page.getByRole('heading', { name: 'Please send your form again' }).waitFor();
    assert.equal(site.arrivals.length, before);
    await context.close();
  });

  test('what is not gated reaches the site as it is', async () => {
    const answer = await request('/open?x=1', { method: 'POST', body: 'text' });
    assert.equal(answer.status, 200);
    const { method, url, body } = latest();
    assert.deepEqual({ method, url, body }, { method: 'POST', url: '/open?x=1', body: 'text' });
    assert.ok(await isSite(await request('/form')));
  });

  test('a program gets a challenge, and its proof opens one request', async () => {
    const refused = await request('/call', { method: 'POST', body: 'x'.repeat(300_000) });
    assert.equal(refused.status, 401);
    assert.equal(refused.headers.get('www-authenticate'), 'PoW realm="call", difficulty=12, mode="request"');
    assert.equal(refused.headers.get('content-type'), 'application/problem+json');
    const { challenge } = await refused.json();
    const headers = { pow: `${challenge.challenge}:${solve(challenge.challenge)}` };
    const paid = await request('/call', { method: 'POST', headers, body: 'words' });
    assert.ok(await isSite(paid));
    assert.equal(latest().body, 'words');
    const again = await request('/call', { method: 'POST', headers, body: 'words' });
    assert.equal(again.status, 401);
    assert.match((await again.json()).detail, /challenge-already-used/);
  });

  test('headers of a client change nothing', async () => {
    for (const [path, headers] of [
      ['/archive/', { 'x-original-uri': '/open', 'x-original-method': 'GET' }],
      ['/archive/', { 'x-forwarded-uri': '/open', 'x-forwarded-method': 'GET' }],
      ['/archive/', { 'x-forwarded-for': '203.0.113.1', 'x-real-ip': '127.0.0.1' }],
    ] as const) {
      assert.equal((await request(path, { headers })).status, 401, JSON.stringify(headers));
    }
    // Nor do they close what is open.
    assert.equal((await request('/open', { headers: { 'x-original-uri': '/archive/' } })).status, 200);
    assert.equal((await request('/open', { headers: { 'x-forwarded-uri': '/archive/' } })).status, 200);
  });

  test('a passport is bound to the network that the proxy saw, whatever the client claims', async () => {
    const cookie = await winCookie();
    assert.equal((await request('/archive/', { headers: { cookie } })).status, 200);
    const claimed = await request('/archive/', { headers: { cookie, 'x-forwarded-for': '203.0.113.1' } });
    assert.equal(claimed.status, 200);
  });

  test('no spelling of a gated path reaches the site', async () => {
    const before = site.arrivals.length;
    for (const target of [
      '//archive/',
      '/ARCHIVE/',
      '/%61rchive/',
      '/%2561rchive/',
      '/archive%2f1',
      '/x/../archive/',
      '/x/..%2farchive/',
      '/x/%2e%2e/archive/',
      '/pow/../archive/',
      '/pow/..%2farchive/',
      '/pow/%2e%2e/archive/',
      '/x%5c..%5carchive/',
      '/;a/archive;b/',
      '/archive/../archive/',
      '/archive%3f',
      `http://127.0.0.1:${port}/archive/`,
    ]) {
      const status = await sendRaw(target);
      assert.ok(status >= 400 && status < 500, `${target} gave ${status}`);
    }
    assert.equal(site.arrivals.length, before);
  });

  test('the question itself cannot be asked from outside', async () => {
    for (const path of [
      '/pow/auth',
      '/pow/auth?x',
      '//pow/auth',
      '/pow//auth',
      '/pow/./auth',
      '/pow/%61uth',
    ]) {
      const before = site.arrivals.length;
      const status = await sendRaw(path, ['X-Original-URI: /open', 'X-Forwarded-Uri: /open']);
      const isSites = questionReaches === 'site' && site.arrivals.length > before;
      assert.equal(status, isSites ? 200 : 404, path);
    }
  });

  test('while Gatehouse does not answer nothing is let in', async () => {
    await gatehouse.end('SIGKILL');
    const before = site.arrivals.length;
    for (const path of ['/archive/', '/open'])
      assert.equal((await request(path)).status, statusWithoutGatehouse);
    assert.equal(site.arrivals.length, before);
  });
}
