import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { solveInWasm } from '../../server/solve-command.ts';
import { launchChromium } from './chromium.ts';
import { type ServerProcess, startServer } from './server-process.ts';

// Takes the pictures of docs/images anew, of the real thing: `npm run pictures`, or with names for some of them. The
// console shows what visitors did in some minutes before, so it takes those; `--minutes` says how many.

const KEY = 'an-admin-key-of-the-pictures';
const WAIT_MS = 120_000;
const { values, positionals } = parseArgs({
  options: { minutes: { type: 'string', default: '4' } },
  allowPositionals: true,
});
const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url));

type Picture = (page: Page, server: ServerProcess) => Promise<void>;

const PICTURES: Record<string, Picture> = {
  async home(page, { url }) {
    await page.goto(url);
    await page.getByRole('button', { name: 'Try the gate' }).click();
    await page.getByRole('link', { name: 'Open the page' }).waitFor();
    await page.mouse.move(0, 0);
  },
  async search(page, { url }) {
    await page.goto(url);
    await page.locator('#search').scrollIntoViewIfNeeded();
    await page.locator('#search').evaluate((section) => section.scrollIntoView({ block: 'start' }));
    await page.getByRole('combobox').first().fill('pasport');
    await page.getByRole('option').first().waitFor();
    await page.locator('finder-bar [part=root]:not(.turning)').waitFor();
    await page.keyboard.press('ArrowDown');
  },
  async bench(page, { url }) {
    await page.goto(`${url}/bench`);
    await page.locator('[data-part=start]').click();
    await page.locator('[data-part=press]').click();
    await page.locator('#main[data-state=done]').waitFor();
    await page.locator('[data-part=inp-rating][data-rating]').waitFor();
    await page
      .locator('.cards')
      .first()
      .evaluate((cards) => cards.scrollIntoView({ block: 'center' }));
  },
  async console(page, { url }) {
    await signIn(page, url);
    await page.waitForFunction(() => document.querySelector('#gate canvas') !== null);
  },
  async crawl(page, { url }) {
    const made = await fetch(`${url}/console/api/sites`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ tenant: 'Our own site' }),
    });
    const { siteId } = (await made.json()) as { siteId: string };
    await signIn(page, url);
    await page.getByRole('tab', { name: 'Crawls' }).click();
    const crawls = page.getByRole('tabpanel', { name: 'Crawls', exact: true });
    await crawls.getByLabel('Site', { exact: true }).selectOption(siteId);
    await crawls.getByLabel('Start address').fill(`${url}/`);
    await crawls.getByRole('button', { name: 'Crawl now' }).click();
    const view = crawls.getByRole('region', { name: /^Crawl of / });
    await view.getByText('done', { exact: true }).waitFor();
    await view.evaluate((region) => region.scrollIntoView({ block: 'start' }));
  },
};

const HEIGHTS: Record<string, number> = { home: 880, search: 760, bench: 1000, console: 1560, crawl: 1400 };

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/console`);
  await page.getByLabel('Admin key').fill(KEY);
  await page.keyboard.press('Enter');
  await page.getByText('live', { exact: true }).waitFor();
}

/** What visitors do: some give up, some pay, some come without a proof, and programs send what does not hold. */
async function visit(url: string, number: number): Promise<void> {
  const json = { 'content-type': 'application/json' };
  await fetch(`${url}/demo/`, { headers: { accept: 'text/html' } });
  if (number % 7 === 3) await fetch(`${url}/demo/`, { headers: { authorization: 'PoW AQEBAAAU:1' } });
  if (number % 3 === 0) return;
  const { challenge } = (await (await fetch(`${url}/pow/challenge?route=demo`)).json()) as {
    challenge?: string;
  };
  if (challenge === undefined) return;
  const answer = String(await solveInWasm(challenge));
  // Pages of ours say what solved it, most programs do not.
  const body = JSON.stringify({ challenge, answer, ...(number % 2 === 0 && { solver: 'simd' }) });
  const minted = await fetch(`${url}/pow/passport`, { method: 'POST', headers: json, body });
  const { passport } = (await minted.json()) as { passport?: string };
  for (let i = 0; i < number % 4; i++)
    await fetch(`${url}/demo/`, { headers: { cookie: `pow_passport=${passport}` } });
}

async function sendVisitors(url: string, browser: Browser, minutes: number): Promise<void> {
  const endMs = performance.now() + minutes * 60_000;
  for (let number = 0; performance.now() < endMs; number++) {
    await visit(url, number);
    // A browser as well, whose pages say what kind of solver they have.
    if (number % 10 === 0) {
      const page = await browser.newPage();
      await page.goto(`${url}/demo/`);
      await page.locator('#admission').waitFor({ timeout: WAIT_MS });
      await page.close();
    }
    // Busier and quieter, as days are.
    await new Promise((resolve) => setTimeout(resolve, 1_200 * (1 + Math.sin(number / 6))));
  }
}

const names = positionals.length > 0 ? positionals : Object.keys(PICTURES);
const env = { ADMIN_KEY: KEY, OUTBOUND_ALLOW: 'localhost,127.0.0.1,::1', CRAWL_RATE: '10' };
const [browser, server] = await Promise.all([launchChromium(), startServer(env)]);
try {
  if (names.includes('console')) await sendVisitors(server.url, browser, Number(values.minutes));
  for (const name of names) {
    const picture = PICTURES[name];
    if (!picture) throw new Error(`expected names of ${Object.keys(PICTURES).join(', ')}, got ${name}`);
    const context = await browser.newContext({
      viewport: { width: 1280, height: HEIGHTS[name] },
      reducedMotion: 'reduce',
      colorScheme: name === 'search' ? 'dark' : 'light',
    });
    context.setDefaultTimeout(WAIT_MS);
    const page = await context.newPage();
    await picture(page, server);
    await page.waitForTimeout(1_000);
    await page.screenshot({ path: `${folder}${name}.png` });
    await context.close();
    console.log(`${name}.png`);
  }
} finally {
  await browser.close();
  await server.end('SIGKILL');
}
