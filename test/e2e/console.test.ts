import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { solveInWasm } from '../../server/solve-command.ts';
import { html, openSite } from '../crawl-world.ts';
import { findSerious } from './accessibility.ts';
import { launchChromium } from './chromium.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const PATIENCE_MS = 30_000;
const KEY = 'an-admin-key-of-the-console';
const TABS = ['Gate', 'Sites', 'Crawls', 'Queries', 'Keys', 'IP', 'System'];
// The server crawls itself here, which it does to no other address of its own.
const ENV = { ADMIN_KEY: KEY, OUTBOUND_ALLOW: 'localhost,127.0.0.1,::1', CRAWL_RATE: '10' };
const EVIL = '<img src=x onerror="document.title=`owned`">';

let browser: Browser;
let server: ServerProcess;

before(async () => {
  [browser, server] = await Promise.all([launchChromium(), startServer(ENV)]);
});
after(async () => {
  await browser.close();
  await server.end('SIGKILL');
});

/** Runs a story on the console in a context of its own, and asserts that the page did nothing that it should not. */
async function onConsole(story: (page: Page) => Promise<void>, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const noted: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') noted.push(message.text());
  });
  context.on('weberror', (error) => noted.push(String(error.error())));
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== server.url) noted.push(`a request to ${url}`);
    if (request.url().includes(KEY)) noted.push('the key in a URL');
  });
  try {
    const page = await context.newPage();
    await page.goto(`${server.url}/console`);
    await story(page);
    assert.deepEqual(noted, []);
  } finally {
    await context.close();
  }
}

async function signIn(page: Page) {
  await page.getByLabel('Admin key').fill(KEY);
  await page.keyboard.press('Enter');
  await tab(page, 'Gate').waitFor();
  await page.getByText('live', { exact: true }).waitFor();
}

async function signInByKeyboard(page: Page) {
  // The field may have the focus by itself, or be the first thing that Tab reaches behind the links.
  await tabTo(page, page.getByLabel('Admin key'));
  await page.keyboard.type(KEY);
  await page.keyboard.press('Enter');
  await page.getByText('live', { exact: true }).waitFor();
  await tabTo(page, tab(page, 'Gate'));
}

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, target: Locator) {
  for (let presses = 0; presses < 60; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab does not reach ${target}`);
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });

const openTab = async (page: Page, name: string) => {
  await tab(page, name).click();
  await page.getByRole('tabpanel', { name, exact: true }).waitFor();
};

/** Calls the API as a program does. */
const call = async (method: string, path: string, body?: unknown) => {
  const answer = await fetch(server.url + path, {
    method,
    headers: {
      authorization: `Bearer ${KEY}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return answer.status === 204 ? null : answer.json();
};

/** The number under a label of the gate. */
const figure = async (page: Page, label: string) =>
  Number(
    await page
      .locator('#gate .figures > div')
      .filter({ has: page.getByText(label, { exact: true }) })
      .locator('.figure-value')
      .textContent(),
  );

describe('the door', () => {
  test('opens with the key, keeps open over a reload, and shuts again', () =>
    onConsole(async (page) => {
      await signIn(page);
      const [cookie] = await page.context().cookies(`${server.url}/console`);
      assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.path], [true, 'Strict', '/console']);
      assert.deepEqual(
        await page.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length]),
        ['', 0, 0],
      );
      await page.reload();
      await tab(page, 'Gate').waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByText('Signed out.').waitFor();
      assert.equal(await page.getByRole('tab').count(), 0);
      await page.reload();
      await page.getByLabel('Admin key').waitFor();
    }));

  test('stays shut for another key, and says so', async () => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${server.url}/console`);
    await page.getByLabel('Admin key').fill('a-key-that-is-wrong');
    await page.getByRole('button', { name: 'Open the console' }).click();
    await page.getByText('This is not the admin key.').waitFor();
    assert.equal(
      await page.getByLabel('Admin key').evaluate((input) => input === document.activeElement),
      true,
    );
    await page.context().close();
  });

  test('a session that ends elsewhere takes what was on the screen with it', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${server.url}/console`);
    await signIn(page);
    await context.clearCookies();
    await tab(page, 'Keys').click();
    await page.getByText('The session is over. Sign in again.').waitFor();
    assert.equal(await page.getByRole('tabpanel').count(), 0);
    await context.close();
  });
});

describe('the tabs', () => {
  test('are reached by keyboard alone, and by back', () =>
    onConsole(async (page) => {
      await signIn(page);
      await tab(page, 'Gate').focus();
      for (const name of TABS.slice(1)) {
        await page.keyboard.press('ArrowRight');
        await page.getByRole('tabpanel', { name, exact: true }).waitFor();
      }
      await page.keyboard.press('ArrowRight');
      assert.equal(await tab(page, 'Gate').getAttribute('aria-selected'), 'true');
      await page.keyboard.press('End');
      assert.equal(await tab(page, 'System').getAttribute('aria-selected'), 'true');
      await page.goBack();
      assert.equal(await tab(page, 'Gate').getAttribute('aria-selected'), 'true');
    }));

  test('numbers of the gate change by themselves once a challenge was solved', () =>
    onConsole(async (page) => {
      await signIn(page);
      await page.waitForFunction(() =>
        /\d/.test(document.querySelector('#gate .figure-value')?.textContent ?? ''),
      );
      const before = [await figure(page, 'Issued'), await figure(page, 'Solved')];
      const { challenge } = (await (await fetch(`${server.url}/pow/challenge`)).json()) as {
        challenge: string;
      };
      const answer = String(await solveInWasm(challenge));
      const paid = await fetch(`${server.url}/pow/passport`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ challenge, answer }),
      });
      assert.equal(paid.status, 200);
      await page.waitForFunction(
        (least) => Number(document.querySelectorAll('#gate .figure-value')[1]?.textContent) >= least,
        before[1] + 1,
      );
      assert.ok((await figure(page, 'Issued')) > before[0]);
      const [plot] = await page.locator('#gate [role=img]').all();
      assert.match(String(await plot.getAttribute('aria-label')), /[1-9]\d* solved/);
      await page.locator('#gate summary').first().click();
      assert.equal(await page.locator('#gate details[open] tbody tr').count(), 12);
    }));

  test('a site is created, filled, searched, set and deleted', () =>
    onConsole(async (page) => {
      await signIn(page);
      await openTab(page, 'Sites');
      const sites = page.getByRole('tabpanel', { name: 'Sites' });
      await sites.getByRole('textbox', { name: 'Tenant' }).fill('Shop');
      await sites.getByRole('button', { name: 'Create' }).click();
      const box = sites.getByRole('region', { name: 'The new site' });
      await box.waitFor();
      const [siteId, siteSecret, embed] = await box.locator('pre').allTextContents();
      assert.equal(
        embed,
        `<finder-config data-siteId="${siteId}"></finder-config>\n<script type="module" src="${server.url}/finder.js"></script>`,
      );
      const put = await fetch(`${server.url}/sites/${siteId}/pages?siteSecret=${siteSecret}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify([{ title: EVIL, body: `A puzzle ${EVIL}`, url: 'https://shop.example.org/a' }]),
      });
      assert.equal(put.status, 200);
      await fetch(`${server.url}/sites/${siteId}/search?query=${encodeURIComponent(EVIL)}`);

      await box.getByRole('button', { name: /put it away/ }).click();
      assert.ok(!(await page.content()).includes(siteSecret));
      await openTab(page, 'Sites');
      await sites.getByRole('button', { name: 'Open shop.example.org' }).click();
      await sites.getByLabel('Try a search').fill('puzle');
      await sites.getByRole('button', { name: 'Search' }).click();
      await sites.getByText('1 result. Likely meant: puzzle').waitFor();
      assert.equal(await sites.locator('mark').textContent(), 'puzzle');
      assert.equal(await sites.locator('.results a').textContent(), EVIL);

      await sites.getByText('Settings').click();
      await sites.getByLabel('Synonyms').fill('car, auto');
      await sites.getByRole('button', { name: 'Save' }).click();
      await sites.getByText('Saved.').waitFor();
      assert.deepEqual((await call('GET', `/console/api/sites/${siteId}/profile`)).synonyms, [
        ['car', 'auto'],
      ]);

      await openTab(page, 'Queries');
      const queries = page.getByRole('tabpanel', { name: 'Queries' });
      await queries.getByLabel('Site').selectOption(siteId);
      // What a visitor typed stands there as a text.
      await queries.getByText(EVIL.toLowerCase()).first().waitFor();
      assert.match(await page.title(), /^Console/);
      assert.equal(await page.locator('img').count(), 0);

      await openTab(page, 'Sites');
      await sites.getByRole('button', { name: 'Delete the site' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await sites.getByRole('button', { name: 'Open shop.example.org' }).waitFor({ state: 'detached' });
      assert.deepEqual(
        (await call('GET', '/console/api/sites')).sites.map(({ tenant }: { tenant: string }) => tenant),
        ['Gatehouse demo'],
      );
    }));

  test('the demo site is crawled, from the door to the end of the crawl, by keyboard alone', () =>
    onConsole(async (page) => {
      await signInByKeyboard(page);
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      const crawls = page.getByRole('tabpanel', { name: 'Crawls', exact: true });
      await crawls.waitFor();
      await crawls.locator('option').first().waitFor({ state: 'attached' });
      // The server crawls its documentation by itself when it starts.
      await crawls.getByRole('status').getByText('No crawl goes on.').waitFor();
      await tabTo(page, crawls.getByLabel('Start address'));
      await page.keyboard.type(`${server.url}/docs/`);
      await page.keyboard.press('Enter');
      const view = crawls.getByRole('region', { name: /^Crawl of / });
      await view.waitFor();
      // The heading of what was opened is where the keyboard is.
      assert.match(String(await page.evaluate(() => document.activeElement?.textContent)), /^Crawl of /);
      assert.deepEqual(await findSerious(page), []);
      await view.getByText('done', { exact: true }).waitFor();
      const values = (await view.locator('.figure-value').allTextContents()).map(Number);
      const [asked, taken, unchanged, waiting, left] = values;
      assert.ok(asked >= 20 && asked >= taken + unchanged, String(values));
      assert.equal(waiting, 0);
      // Every address that was left out is told with its reason.
      const rows = view.getByRole('region', { name: 'Addresses that were left out' }).locator('tbody tr');
      assert.equal(left === 0 ? 0 : await rows.count(), left);
      await crawls.getByRole('status').getByText('No crawl goes on.').waitFor();
      assert.deepEqual(await findSerious(page), []);

      await tabTo(page, crawls.getByRole('button', { name: /^Open the crawl of/ }).first());
      await page.keyboard.press('Enter');
      await view.getByText('done', { exact: true }).waitFor();
    }));

  test('a crawl tells what it leaves out while it goes on, and is cancelled only after a yes', async () => {
    const links = Array.from({ length: 200 }, (_, i) => `/p${i}`);
    const site = await openSite({
      '/': html('Home', 'home', '/secret', '/gone', ...links),
      '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /secret' },
      '/gone': { status: 404 },
      '*': (request, response) => {
        response.setHeader('content-type', 'text/html');
        response.end(html(EVIL, `page ${request.url}`));
      },
    });
    try {
      const { siteId } = await call('POST', '/console/api/sites', { tenant: 'Long' });
      await onConsole(async (page) => {
        await signIn(page);
        await openTab(page, 'Crawls');
        const crawls = page.getByRole('tabpanel', { name: 'Crawls', exact: true });
        await crawls.getByLabel('Site', { exact: true }).selectOption(siteId);
        await crawls.getByText('The site was never crawled.').waitFor();
        await crawls.getByLabel('Start address').fill(site.url());
        await crawls.getByRole('button', { name: 'Crawl now' }).click();
        const view = crawls.getByRole('region', { name: /^Crawl of / });
        await view.getByText('robots.txt disallows it for our token').waitFor();
        await view.getByRole('rowheader', { name: site.url('/gone') }).waitFor();
        await crawls.getByText('1 crawl on now.').waitFor();
        await page.waitForFunction(() => document.querySelector('#crawls canvas') !== null);
        assert.deepEqual(await findSerious(page), []);
        const cancel = view.getByRole('button', { name: 'Cancel the crawl' });
        await cancel.click();
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        assert.ok(await cancel.isVisible());
        await cancel.click();
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel the crawl' }).click();
        await view.getByText('cancelled', { exact: true }).waitFor();
        assert.ok(await cancel.isHidden());
        await crawls.getByRole('cell', { name: 'cancelled' }).waitFor();
        assert.equal(await page.locator('img').count(), 0);
      });
      const { crawls } = await call('GET', `/console/api/sites/${siteId}/crawls`);
      assert.equal(crawls[0].state, 'cancelled');
      await call('DELETE', `/console/api/sites/${siteId}`);
    } finally {
      await site.close();
    }
  });

  test('a key is issued, shown once, and revoked only after a yes', () =>
    onConsole(async (page) => {
      await signIn(page);
      await openTab(page, 'Keys');
      const keys = page.getByRole('tabpanel', { name: 'Keys' });
      await keys.getByLabel('Tenant').fill('Reader & Co.');
      assert.equal(
        await keys.getByLabel('Tenant').evaluate((input) => (input as HTMLInputElement).validity.valid),
        false,
      );
      await keys.getByLabel('Tenant').fill('Reader');
      await keys.getByRole('button', { name: 'Issue' }).click();
      const key = String(
        await keys.getByRole('region', { name: 'The new key' }).locator('pre').textContent(),
      );
      const look = async () =>
        (await fetch(`${server.url}/whois.json?queryIP=9.9.9.9`, { headers: { 'x-api-key': key } })).status;
      assert.equal(await look(), 200);
      await openTab(page, 'Keys');
      await keys.getByText('1 IP look-ups of 100,000').waitFor();

      const revoke = keys.getByRole('button', { name: `Revoke ${key.split('_')[1]}` });
      await revoke.click();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.equal(await look(), 200);
      await revoke.click();
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Cancel');
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await revoke.waitFor({ state: 'detached' });
      assert.equal(await look(), 401);
      await page.reload();
      await keys.getByText('revoked').waitFor();
      assert.ok(!(await page.content()).includes(key));
    }));

  test('an address is looked up, and the system tells its sizes and the age of its data', () =>
    onConsole(async (page) => {
      await signIn(page);
      await openTab(page, 'IP');
      await page.getByLabel('IP address').fill('8.8.8.8');
      await page.keyboard.press('Enter');
      await page.getByText('AS15169').waitFor();
      await openTab(page, 'System');
      const system = page.getByRole('tabpanel', { name: 'System' });
      await system
        .getByText(/\d days/)
        .first()
        .waitFor();
      const values = await system.locator('.figure-value').allTextContents();
      for (const [i, form] of [/\d+ s/, /[\d.]+ [kMG]B/, /[\d.]+ [MGT]B/, /[\d.]+ MB/].entries()) {
        assert.match(values[i], form);
      }
    }));
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [320, 1280]) {
    test(`every tab is accessible and fits at ${width} pixels, ${colorScheme}`, () =>
      onConsole(
        async (page) => {
          assert.deepEqual(await findSerious(page), []);
          await signIn(page);
          for (const name of TABS) {
            await openTab(page, name);
            if (name === 'Gate')
              await page.waitForFunction(() => document.querySelector('#gate canvas') !== null);
            assert.deepEqual(await findSerious(page), [], name);
            const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            assert.ok(over <= 0, `${name} is ${over} pixels too wide`);
          }
          for (const button of await page.locator('[role=tab], [data-part=sign-out]').all()) {
            assert.ok(Number((await button.boundingBox())?.height) >= 44);
          }
        },
        { colorScheme, viewport: { width, height: 700 } },
      ));
  }
}

test('the server stops at once though a console is open', async () => {
  const other = await startServer({ ADMIN_KEY: KEY });
  const stream = await fetch(`${other.url}/console/api/live`, {
    headers: { authorization: `Bearer ${KEY}` },
  });
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
  assert.match(new TextDecoder().decode((await reader.read()).value), /^data: \{"gate":/);
  const startedMs = performance.now();
  assert.equal(await other.end('SIGTERM'), 0);
  // Without it the grace of eight seconds would pass.
  assert.ok(performance.now() - startedMs < 7_000);
});
