import assert from 'node:assert/strict';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { startHostSite } from './host-site.ts';
import { startServer } from './server-process.ts';

/** Pages of a gardening site, in two categories, and enough that mention soil for three pages of results. */
const pages = [
  {
    title: 'Growing tomatoes',
    body: 'Tomatoes want sun, warm soil and a stake. Water the soil, not the leaves, early in the morning, and pinch out the side shoots of cordon tomatoes every week.',
    url: 'https://garden.example/vegetables/tomatoes',
    labels: ['vegetables', 'summer'],
  },
  {
    title: 'Tomato soup <b>& more</b>',
    body: 'Ripe tomatoes, an onion, a little oil; "slowly" is the word. 1 < 2 & 3 > 2.',
    url: 'https://garden.example/kitchen/soup?a=1&b=2',
    labels: ['kitchen'],
  },
  {
    title: 'عشب الحديقة garden',
    body: 'الطماطم والخيار في الحديقة مع التربة الجيدة. tomatoes',
    url: 'https://garden.example/ar/tomatoes',
    labels: ['العربية'],
  },
  ...Array.from({ length: 23 }, (_, at) => ({
    title: `Soil in month ${at + 1}`,
    body: `What soil needs in month ${at + 1}: compost, a cover, and patience. Dig only what must be dug.`,
    url: `https://garden.example/soil/${at + 1}`,
    labels: at % 2 ? ['soil', 'winter'] : ['soil'],
  })),
];

export const GARDEN_PAGES = pages.length;

/** A browser, the real server with a site in its index, and a site of another origin that embeds the bar. */
export async function openFinderWorld() {
  const [host, browser, server] = await Promise.all([startHostSite(), launchChromium(), startServer()]);

  /** Makes a site of these pages and gives its id. */
  async function makeSite(content: readonly object[]): Promise<string> {
    const { siteId, siteSecret } = (await (
      await fetch(`${server.url}/sites`, { method: 'POST' })
    ).json()) as {
      siteId: string;
      siteSecret: string;
    };
    const answer = await fetch(`${server.url}/sites/${siteId}/pages?siteSecret=${siteSecret}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(content),
    });
    assert.equal(answer.status, 200);
    return siteId;
  }

  const siteId = await makeSite(pages);
  const script = `<script type="module" src="${server.url}/finder.js"></script>`;
  const config = (attributes = '', id = siteId) =>
    `<finder-config data-siteId="${id}" ${attributes}></finder-config>`;
  /** As strict as a site can be that lets the bar in. */
  const strictCsp = `default-src 'none'; script-src ${server.url}; connect-src ${server.url}; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;

  /** Runs a story on a fresh page, and asserts that the page complained of nothing but what `expected` matches. */
  async function onPage(
    story: (page: Page) => Promise<void>,
    { expected, ...options }: BrowserContextOptions & { expected?: RegExp } = {},
  ): Promise<void> {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(20_000);
    const noted: string[] = [];
    context.on('weberror', (error) => noted.push(String(error.error())));
    context.on('console', (message) => {
      const isBad = message.type() === 'error' || message.type() === 'warning';
      if (isBad && !expected?.test(message.text())) noted.push(message.text());
    });
    try {
      const page = await context.newPage();
      await page.addInitScript(() => {
        addEventListener('securitypolicyviolation', (event) =>
          console.error(`refused: ${event.violatedDirective}`),
        );
      });
      await story(page);
      assert.deepEqual(noted, []);
    } finally {
      await context.close();
    }
  }

  return {
    server,
    host,
    siteId,
    script,
    config,
    strictCsp,
    makeSite,
    onPage,
    async end() {
      await browser.close();
      await server.end('SIGKILL');
      host.close();
    },
  };
}

export const fieldOf = (page: Page) => page.getByRole('combobox');
export const optionsOf = (page: Page) => page.getByRole('option');

/** Types a query and waits until its results are there. */
export async function search(page: Page, query: string): Promise<void> {
  const answered = page.waitForResponse((answer) => answer.url().includes('/search?'));
  await fieldOf(page).fill(query);
  await answered;
  await page.locator('finder-bar [part=root]:not(.turning)').waitFor();
}
