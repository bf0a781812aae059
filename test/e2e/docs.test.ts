import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { findSerious } from './accessibility.ts';
import { launchChromium } from './chromium.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const phone = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };

let server: ServerProcess;
let browser: Browser;
before(async () => {
  [server, browser] = await Promise.all([startServer(), launchChromium()]);
});
after(async () => {
  await browser?.close();
  await server?.end('SIGTERM');
});

async function onPage(options: BrowserContextOptions, use: (page: Page, told: string[]) => Promise<void>) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const told: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') told.push(message.text());
  });
  page.on('pageerror', (error) => told.push(String(error)));
  await use(page, told);
  await context.close();
}

describe('axe finds nothing serious, nothing scrolls sideways, nothing breaks the policy', () => {
  for (const [title, options] of [
    ['light, desk', { colorScheme: 'light' }],
    ['dark, desk', { colorScheme: 'dark' }],
    ['light, phone of 320 px', { colorScheme: 'light', ...phone }],
    ['dark, phone of 320 px', { colorScheme: 'dark', ...phone }],
  ] as const) {
    for (const path of ['/docs/', '/docs/gate', '/docs/bench', '/docs/configuration', '/docs/api']) {
      test(`${path}: ${title}`, () =>
        onPage(options, async (page, told) => {
          await page.goto(server.url + path);
          assert.deepEqual(await findSerious(page), []);
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
          assert.deepEqual(told, []);
        }));
    }
  }
});

test('one reads from page to page, by keyboard', () =>
  onPage({}, async (page) => {
    await page.goto(`${server.url}/`);
    await page.getByRole('link', { name: 'Docs', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Documentation' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'main');
    await page.getByRole('link', { name: 'Next: Quick start' }).click();
    await page.getByRole('heading', { level: 1, name: 'Quick start' }).waitFor();
    const here = page.getByRole('navigation', { name: 'All pages' }).locator('[aria-current=page]');
    assert.equal(await here.textContent(), 'Quick start');
  }));

test('a picture comes, and its place is kept before it does', () =>
  onPage({}, async (page) => {
    await page.goto(`${server.url}/docs/bench`);
    const image = page.locator('main img').first();
    await image.scrollIntoViewIfNeeded();
    await page.waitForFunction(() => document.querySelector('img')?.complete);
    const [natural, shown] = await image.evaluate((element) => {
      const { naturalWidth, naturalHeight, clientWidth, clientHeight } = element as HTMLImageElement;
      return [naturalHeight / naturalWidth, clientHeight / clientWidth];
    });
    assert.ok(Math.abs(natural - shown) < 0.02, `${natural} is shown as ${shown}`);
  }));

test('what a table has beside the screen can be scrolled to by keyboard', () =>
  onPage(phone, async (page) => {
    await page.goto(`${server.url}/docs/configuration`);
    const table = page.locator('.wide').first();
    await table.focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => (document.querySelector('.wide')?.scrollLeft ?? 0) > 0);
  }));

/** How the demo's site stands, once its crawl has ended. */
async function crawledSite(origin: string): Promise<{ siteId: string; state: string; pages: number }> {
  for (;;) {
    const answer = await fetch(`${origin}/demo-search.json`);
    const found = answer.status === 404 ? null : await answer.json();
    if (found && found.state !== 'filling') return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test('the demo crawls its documentation from itself, and searches it', async () => {
  const { siteId, state, pages } = await crawledSite(server.url);
  assert.equal(state, 'ready', server.output());
  const sitemap = await (await fetch(`${server.url}/docs/sitemap.xml`)).text();
  assert.equal(pages, sitemap.split('<loc>').length - 1);
  const answer = await fetch(`${server.url}/sites/${siteId}/search?query=passport`);
  const { results, labels } = (await answer.json()) as {
    results: { urlRaw: string }[];
    labels: { label: string }[];
  };
  assert.ok(results.length > 0);
  assert.ok(labels.some(({ label }) => label === 'Gate'));
  for (const { urlRaw } of results) assert.equal((await fetch(urlRaw)).status, 200, urlRaw);
});

test('the home page tells how far the crawl is, and searches what is there', () =>
  onPage({}, async (page, told) => {
    const states = ['filling', 'filling', 'ready'];
    await page.route('**/demo-search.json', async (route) => {
      const response = await route.fetch();
      const json = { ...(await response.json()), state: states.shift() ?? 'ready', pages: 5 - states.length };
      await route.fulfill({ response, json });
    });
    await page.goto(`${server.url}/`);
    const note = page.locator('[data-part=crawl-state]');
    await note.filter({ hasText: 'is reading the documentation: 3 pages so far' }).waitFor();
    await note.filter({ hasText: '5 pages, found by the crawler' }).waitFor();
    await page.locator('#finder').getByRole('combobox').fill('siteverify');
    await page.locator('#finder').getByRole('option').first().waitFor();
    assert.deepEqual(told, []);
  }));

test('a restart crawls nothing, whichever of its processes leads', () =>
  withTemporaryFolder(async (folder) => {
    const ended = (output: string) => output.split('"a crawl ended"').length - 1;
    const first = await startServer({ WORKERS: '2' }, folder);
    const { siteId, state } = await crawledSite(first.url);
    assert.equal(state, 'ready');
    const port = String(first.port);
    await first.end('SIGTERM');
    assert.equal(ended(first.output()), 1);
    const second = await startServer({ WORKERS: '2', PORT: port }, folder);
    assert.deepEqual((await crawledSite(second.url)).siteId, siteId);
    const { total } = await (await fetch(`${second.url}/sites/${siteId}/search?query=passport`)).json();
    assert.ok(total > 0);
    await second.end('SIGTERM');
    assert.equal(ended(second.output()), 0);
  }));
