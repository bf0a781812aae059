import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openEnvironment } from '../../server/store/environment.ts';
import { createLmdbDevices } from '../../server/store/lmdb-devices.ts';
import { DeviceResult } from '../../server/wire/devices.ts';
import { deviceResult } from '../device-result.ts';
import { makeFolder } from '../temporary-folder.ts';
import { findSerious } from './accessibility.ts';
import { launchChromium } from './chromium.ts';
import { entry, type ServerProcess, startServer } from './server-process.ts';

const PATIENCE_MS = 120_000;
const DAY_MS = 86_400_000;
/** As many devices as the server had before the test; enough to be told of. */
const DEVICES = 20;

let browser: Browser;
let server: ServerProcess;
const { folder, remove } = makeFolder();

before(async () => {
  const environment = await openEnvironment(folder);
  const rows = createLmdbDevices(environment);
  for (let i = 0; i < DEVICES; i++) {
    const result = deviceResult(2_000_000 * (i + 1), { system: i % 2 ? 'android' : 'windows' });
    await rows.add({ day: Math.floor(Date.now() / DAY_MS), id: new Uint8Array(8).fill(i), result });
  }
  await environment.close();
  [browser, server] = await Promise.all([launchChromium(), startServer({}, folder)]);
});
after(async () => {
  await browser.close();
  await server.end('SIGKILL');
  remove();
});

type Seen = { noted: string[]; requests: { method: string; path: string; body: string | null }[] };

/** Runs a story on the page in a context of its own, and asserts that the page did nothing that it should not. */
async function onBench(
  story: (page: Page, seen: Seen) => Promise<void>,
  options: BrowserContextOptions = {},
) {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const seen: Seen = { noted: [], requests: [] };
  context.on('console', (message) => {
    if (message.type() === 'error') seen.noted.push(message.text());
  });
  context.on('weberror', (error) => seen.noted.push(String(error.error())));
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== server.url) seen.noted.push(`a request to ${url}`);
    seen.requests.push({ method: request.method(), path: url.pathname, body: request.postData() });
  });
  try {
    const page = await context.newPage();
    await page.goto(`${server.url}/bench?quick`);
    await page.locator('[data-part=start]:enabled').waitFor();
    await story(page, seen);
    assert.deepEqual(seen.noted, []);
  } finally {
    await context.close();
  }
}

async function run(page: Page) {
  await page.locator('[data-part=start]').click();
  await page.locator('#main[data-state=done]').waitFor();
}

const text = async (page: Page, part: string) =>
  String(await page.locator(`[data-part=${part}]`).textContent());
const rows = (page: Page, part: string) => page.locator(`[data-part=${part}] tr`).count();

async function untilNoWorkers(page: Page) {
  // A worker is gone when the browser says so, some frames after the page ended it.
  for (let frames = 0; page.workers().length > 0; frames++) {
    assert.ok(frames < 300, 'the workers go on');
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

describe('a run', () => {
  test('does not start by itself, and then measures every kernel and number of workers', () =>
    onBench(async (page) => {
      assert.equal(page.workers().length, 0);
      assert.equal(await text(page, 'readout'), '–');
      await run(page);
      await untilNoWorkers(page);
      assert.match(await text(page, 'readout'), /^[\d,]{7,}$/);
      assert.match(await text(page, 'message'), /20 bits.* takes this device .*(ms|s) in the median/);
      const kernels = await page.locator('.meter-value').allTextContents();
      assert.equal(kernels.length, 3);
      for (const rate of kernels) assert.match(rate, /hashes\/s$/);
      const threads = await page.evaluate(() => navigator.hardwareConcurrency);
      assert.ok((await rows(page, 'workers-table')) >= Math.min(2, threads));
      assert.equal(await rows(page, 'time-table'), 9);
      assert.match(String(await page.locator('[data-part=time-plot]').getAttribute('aria-label')), /20 bits/);
      // Something is drawn, and not only the frame.
      const isPainted = await page.locator('[data-part=time-plot] canvas').evaluate((canvas) => {
        const { width, height } = canvas as HTMLCanvasElement;
        const { data } = (
          (canvas as HTMLCanvasElement).getContext('2d') as CanvasRenderingContext2D
        ).getImageData(0, 0, width, height);
        return data.some((value) => value > 0);
      });
      assert.ok(isPainted);
      assert.match(await text(page, 'report'), /Gatehouse \/bench · chromium \d+ · Linux/);
    }));

  test('stops at once when told, and says so', () =>
    onBench(async (page) => {
      await page.goto(`${server.url}/bench`);
      await page.locator('[data-part=start]:enabled').click();
      await page.waitForFunction(() =>
        /\d/.test(document.querySelector('[data-part=readout]')?.textContent ?? ''),
      );
      assert.ok(page.workers().length > 0);
      await page.locator('[data-part=stop]').click();
      await untilNoWorkers(page);
      assert.equal(await text(page, 'title'), 'Stopped');
      await page.waitForFunction(() =>
        document.querySelector('[data-part=status]')?.textContent?.startsWith('Stopped'),
      );
      assert.equal(await page.locator('[data-part=send]').isEnabled(), false);
    }));

  test('pauses while the tab is hidden, and goes on', () =>
    onBench(async (page) => {
      const hide = (state: string) =>
        page.evaluate((value) => {
          Object.defineProperty(document, 'visibilityState', { value, configurable: true });
          document.dispatchEvent(new Event('visibilitychange'));
        }, state);
      await page.goto(`${server.url}/bench`);
      await page.locator('[data-part=start]:enabled').click();
      await page.locator('#main[data-state=running]').waitFor();
      await hide('hidden');
      await page.locator('#main[data-state=paused]').waitFor();
      await untilNoWorkers(page);
      await hide('visible');
      await page.locator('#main[data-state=running]').waitFor();
      await page.locator('[data-part=stop]').click();
    }));

  test('keeps the page quick, and says how quick, with units and in words', () =>
    onBench(async (page) => {
      await page.locator('[data-part=start]').click();
      await page.locator('[data-part=press]').click();
      await page.locator('#main[data-state=done]').waitFor();
      assert.match(await text(page, 'press'), /\(1\)/);
      await page.locator('[data-part=inp-rating][data-rating]').waitFor();
      for (const vital of ['inp', 'blocking', 'frame']) {
        assert.match(await text(page, vital), /\d\s(ms|s)/);
        assert.match(await text(page, `${vital}-rating`), /^(good|needs improvement|poor)$/);
      }
    }));

  test('tells screen readers at most once a second', () =>
    onBench(async (page) => {
      await page.evaluate(() => {
        const said: number[] = [];
        Object.assign(window, { said });
        new MutationObserver(() => said.push(performance.now())).observe(
          document.querySelector('[data-part=status]') as Element,
          { childList: true },
        );
      });
      await run(page);
      await page.waitForFunction(() =>
        document.querySelector('[data-part=status]')?.textContent?.startsWith('Done'),
      );
      const said = await page.evaluate(() => (window as unknown as { said: number[] }).said);
      assert.ok(said.length >= 2);
      // Timers may come a little early by the page's clock.
      for (let i = 1; i < said.length; i++) assert.ok((said[i] as number) - (said[i - 1] as number) > 950);
    }));

  test('without v128 or a canvas shows what runs, and the tables', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    await page.route('**/solver-*.wasm', (route) => route.fulfill({ status: 404 }));
    await page.goto(`${server.url}/bench?quick`);
    await page.locator('[data-part=start]:enabled').waitFor();
    await run(page);
    const kernels = await page.locator('.meter-value').allTextContents();
    assert.deepEqual(kernels.slice(0, 2), Array(2).fill('does not run in this browser'));
    assert.match(kernels[2] ?? '', /hashes\/s/);
    assert.equal(await page.locator('[data-part=workers-plot]').isVisible(), false);
    assert.equal(await page.locator('[data-part=workers-table]').isVisible(), true);
    assert.match(await text(page, 'sent'), /"simd": null, "scalar": null/);
    await context.close();
  });

  test('says what is missing where no worker can be started', () =>
    onBench(async (page) => {
      await page.evaluate(() => {
        Object.assign(window, {
          Worker: class {
            constructor() {
              throw new TypeError('no module workers');
            }
          },
        });
      });
      await page.locator('[data-part=start]').click();
      await page.locator('#main[data-state=failed]').waitFor();
      assert.match(await text(page, 'message'), /module workers/);
    }));
});

describe('the comparison', () => {
  test('asks nothing before a button is pressed, then sends exactly what it showed, and shows the others', () =>
    onBench(async (page, { requests }) => {
      await run(page);
      const isTalk = ({ path }: { path: string }) =>
        /^\/(bench\/results|pow\/(challenge|passport))/.test(path);
      assert.deepEqual(requests.filter(isTalk), []);
      const shown = await text(page, 'sent');
      assert.deepEqual(DeviceResult.parse(JSON.parse(shown)), JSON.parse(shown));

      await page.locator('[data-part=send]').click();
      await page.locator('[data-part=others]').waitFor();
      const posts = requests.filter(({ method }) => method === 'POST');
      assert.deepEqual(posts, [{ method: 'POST', path: '/bench/results', body: shown }]);
      assert.match(await text(page, 'rank'), /^(Faster than \d+%|Among the slowest 5%)$/);
      assert.match(await text(page, 'rank-caption'), new RegExp(`of ${DEVICES + 1} devices`));
      assert.match(await text(page, 'others-message'), /Sent\. It is deleted on .* 20\d\d/);
      assert.equal(await rows(page, 'others-table'), 19);
      assert.ok((await rows(page, 'systems-table')) >= 2);
      // Once is enough.
      assert.equal(await page.locator('[data-part=send]').isEnabled(), false);
      assert.deepEqual(await page.context().cookies(), []);
    }));

  test('can be looked at without a run and without sending anything', () =>
    onBench(async (page, { requests }) => {
      await page.locator('[data-part=look]').click();
      await page.locator('[data-part=others]').waitFor();
      assert.match(await text(page, 'rank-caption'), /is the median of \d+ devices/);
      assert.deepEqual(
        requests.filter(({ method }) => method !== 'GET'),
        [],
      );
    }));

  test('tells what went wrong, and lets one try again', () =>
    onBench(async (page, { noted }) => {
      let isBroken = true;
      await page.route('**/bench/results', async (route) => {
        if (!isBroken) return route.continue();
        isBroken = false;
        await route.fulfill({ status: 429, json: { code: 'throttled', detail: 'too many' } });
      });
      await page.locator('[data-part=look]').click();
      await page.getByText('Try again in an hour.').first().waitFor();
      await page.locator('[data-part=look]').click();
      await page.locator('[data-part=others]').waitFor();
      assert.equal(noted.splice(0).filter((line) => !/status of 429/.test(line)).length, 0);
    }));
});

test('the whole page works by keyboard alone', () =>
  onBench(async (page) => {
    const focused = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.part);
    const tabTo = async (part: string) => {
      for (let presses = 0; (await focused()) !== part; presses++) {
        assert.ok(presses < 40, `Tab does not reach ${part}`);
        await page.keyboard.press('Tab');
      }
    };
    await tabTo('start');
    await page.keyboard.press('Enter');
    await page.locator('#main[data-state=done]').waitFor();
    // The keyboard's place came back with the button.
    await page.waitForFunction(() => (document.activeElement as HTMLElement).dataset.part === 'start');
    await tabTo('look');
    await page.keyboard.press('Enter');
    await page.locator('[data-part=others]').waitFor();
    await tabTo('copy-text');
  }));

test('it speaks German to who prefers it', () =>
  onBench(
    async (page) => {
      assert.equal(await page.locator('h1').textContent(), 'Wie schnell ist dieses Gerät?');
      await run(page);
      assert.match(await text(page, 'message'), /20 Bit/);
      assert.match(await text(page, 'frame-rating'), /^(gut|verbesserungswürdig|schlecht)$/);
    },
    { locale: 'de-DE' },
  ));

describe('axe finds nothing serious, and nothing scrolls sideways', () => {
  const phone = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };
  for (const [title, options] of [
    ['light, desk', { colorScheme: 'light' }],
    ['dark, desk', { colorScheme: 'dark' }],
    ['light, phone of 320 px', { colorScheme: 'light', ...phone }],
    ['dark, phone of 320 px, German', { colorScheme: 'dark', locale: 'de-DE', ...phone }],
  ] as const) {
    test(title, () =>
      onBench(async (page) => {
        const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        assert.deepEqual(await findSerious(page), []);
        assert.equal(await isWide(), false);
        await run(page);
        await page.locator('[data-part=look]').click();
        await page.locator('[data-part=others]').waitFor();
        for (const details of await page.locator('details').all()) {
          await details.evaluate((element) => {
            (element as HTMLDetailsElement).open = true;
          });
        }
        assert.deepEqual(await findSerious(page), []);
        assert.equal(await isWide(), false);
      }, options),
    );
  }
});

test('the operator forgets all devices with one command, while the server runs', async () => {
  const own = makeFolder();
  const environment = await openEnvironment(own.folder);
  const rows = createLmdbDevices(environment);
  for (let i = 0; i < 3; i++)
    await rows.add({ day: i, id: new Uint8Array(8).fill(i), result: deviceResult() });
  await environment.close();
  const running = await startServer({}, own.folder);
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [entry, 'devices', 'clear'], {
      env: { PATH: process.env.PATH, DATA_DIR: own.folder },
    });
    assert.deepEqual(JSON.parse(stdout), { forgotten: 3 });
    assert.equal((await (await fetch(`${running.url}/bench/results`)).json()).devices, 0);
  } finally {
    await running.end('SIGKILL');
    own.remove();
  }
});

test('is not there without the demo, unless the operator wants it', async () => {
  for (const [env, status] of [
    [{ DEMO: '0' }, 404],
    [{ DEMO: '0', BENCH_PAGE: '1' }, 200],
  ] as const) {
    const own = await startServer(env);
    try {
      assert.equal((await fetch(`${own.url}/bench`)).status, status);
      assert.equal((await fetch(`${own.url}/bench/results`)).status, status);
      assert.equal((await fetch(`${own.url}/`)).status, 404);
    } finally {
      await own.end('SIGKILL');
    }
  }
});
