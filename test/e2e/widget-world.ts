import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { makeFolder } from '../temporary-folder.ts';
import { launchChromium } from './chromium.ts';
import { type HostSite, startHostSite } from './host-site.ts';
import { type ServerProcess, startServer } from './server-process.ts';

// Bounds bad luck and a busy machine, not the speed.
const SOLVE_MS = 60_000;

/** An event of the widget, as a page hears it. */
export type Heard = { type: string; detail: Record<string, unknown> };

/** A browser, a gate with cheap puzzles, a site that it allows and one that it does not. */
export async function openWidgetWorld() {
  const { folder, remove } = makeFolder();
  const policy = join(folder, 'policy.json');
  const routes = [
    { id: 'hard', paths: ['/hard'], difficulty_bits: 32, challenge_ttl_secs: 3600 },
    { id: 'gated', paths: ['/demo/*'], difficulty_bits: 9 },
    { id: 'call', paths: ['/widget/'], methods: ['PUT'], passport_ttl_secs: 0 },
  ];
  writeFileSync(policy, JSON.stringify({ defaults: { difficulty_bits: 10 }, routes }));
  const [allowed, foreign, browser] = await Promise.all([startHostSite(), startHostSite(), launchChromium()]);
  const server = await startServer({
    GATE_POLICY: policy,
    ALLOWED_ORIGINS: allowed.url,
    THROTTLE_CHALLENGE: '10000/60',
  });

  /** Runs a story on a fresh page, and asserts that the page complained of nothing but what `expected` matches. */
  async function onPage(
    story: (page: Page) => Promise<void>,
    { expected, ...options }: BrowserContextOptions & { expected?: RegExp } = {},
  ): Promise<void> {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(SOLVE_MS);
    const noted: string[] = [];
    context.on('weberror', (error) => noted.push(String(error.error())));
    context.on('console', (message) => {
      const isBad = message.type() === 'error' || message.type() === 'warning';
      if (isBad && !expected?.test(message.text())) noted.push(message.text());
    });
    try {
      const page = await context.newPage();
      await page.addInitScript(() => {
        const heard: Heard[] = [];
        Object.assign(window, { heard });
        for (const type of ['statechange', 'progress', 'solve', 'expire', 'error']) {
          addEventListener(`pow-${type}`, (event) =>
            heard.push({ type: event.type, detail: (event as CustomEvent).detail }),
          );
        }
      });
      await story(page);
      assert.deepEqual(noted, []);
    } finally {
      await context.close();
    }
  }

  return {
    browser,
    server: server as ServerProcess,
    allowed,
    foreign,
    onPage,
    async end() {
      await (browser as Browser).close();
      await server.end('SIGKILL');
      for (const site of [allowed, foreign] as HostSite[]) site.close();
      remove();
    },
  };
}

/** Waits until the nth widget of the page is in that state. */
export const untilState = (page: Page, state: string, nth = 0) =>
  page.waitForFunction(
    ([wanted, at]) =>
      (document.querySelectorAll('pow-gate')[at as number] as { state?: string } | undefined)?.state ===
      wanted,
    [state, nth] as const,
  );

/** What the page has heard of the widget so far; progress, of which there may be any, is left out. */
export const heardOn = async (page: Page): Promise<Heard[]> =>
  (await page.evaluate(() => (window as unknown as { heard: Heard[] }).heard)).filter(
    ({ type }) => type !== 'pow-progress',
  );

/** The passports that the page's first form would send. */
export const responsesOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => new FormData(document.forms[0]).getAll('pow-response').map(String));

export const scriptOf = (gate: string) => `<script type="module" src="${gate}/pow/widget.js"></script>`;

/** A form with the widget in it. */
export const formWith = (widget = '<pow-gate></pow-gate>') =>
  `<form method="post" action="/sent"><label>Name <input name="who"></label>${widget}` +
  '<button name="by" value="first">Send</button> <button name="by" value="second">Send otherwise</button> ' +
  '<button type="reset">Reset</button></form>';
