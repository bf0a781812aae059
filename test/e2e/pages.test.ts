import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { makeFolder } from '../temporary-folder.ts';
import { findSerious } from './accessibility.ts';
import { launchChromium } from './chromium.ts';
import { type ServerProcess, startServer } from './server-process.ts';

// A real public challenge has 20 bits. Luck decides how long it takes; this bounds the bad luck, not the speed.
const SOLVE_MS = 120_000;

let browser: Browser;
let server: ServerProcess;
before(async () => {
  [browser, server] = await Promise.all([launchChromium(), startServer()]);
});
after(async () => {
  await browser.close();
  await server.end('SIGKILL');
});

/** A context of its own, in which everything that a page should not do is noted. */
async function openContext(options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(SOLVE_MS);
  const noted: string[] = [];
  context.on('console', (message) => {
    // Chromium reports each 401 and 503 as an error; the gate answers with them by design.
    if (message.type() === 'error' && !/status of (401|503)/.test(message.text())) noted.push(message.text());
  });
  context.on('weberror', (error) => noted.push(String(error.error())));
  context.on('request', (request) => {
    if (!request.url().startsWith(server.url)) noted.push(`a request to ${request.url()}`);
  });
  return { context, noted };
}

/** Runs a story on a fresh page and asserts that nothing was noted. */
async function onPage(
  story: (page: Page, context: BrowserContext) => Promise<void>,
  options?: BrowserContextOptions,
) {
  const { context, noted } = await openContext(options);
  try {
    await story(await context.newPage(), context);
    assert.deepEqual(noted, []);
  } finally {
    await context.close();
  }
}

const passportOf = async (context: BrowserContext) =>
  (await context.cookies(server.url)).find(({ name }) => name === 'pow_passport');

/** Holds the last step of a solve back, so that the page is seen while it works; gives what lets it go on. */
async function holdPassports(page: Page): Promise<() => void> {
  const { promise: isSeen, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/pow/passport', async (route) => {
    await isSeen;
    await route.continue();
  });
  return release;
}

const isIn = (page: Page) => page.locator('#admission').waitFor();

describe('the home page', () => {
  test('looks an address up, draws it, and takes a wrong one for what it is', () =>
    onPage(async (page) => {
      await page.goto(server.url);
      const input = page.getByLabel('IP address');
      await input.fill('84.1.2.3');
      await input.press('Enter');
      const facts = page.locator('[data-part=lookup-facts]');
      await facts.getByText('Budapest, Budapest, Hungary').waitFor();
      assert.ok(await page.locator('[data-part=lookup-mark]').isVisible());
      assert.match(String(await page.locator('[data-part=lookup-attribution]').textContent()), /DB-IP/);
      assert.match(
        String(await page.locator('[data-part=lookup-command]').textContent()),
        /queryIP=84\.1\.2\.3'/,
      );
      await input.fill('');
      await input.press('Enter');
      await facts.getByText('special purpose: loopback').waitFor();
      assert.ok(await page.locator('[data-part=lookup-mark]').isHidden());
      assert.deepEqual(await findSerious(page), []);
    }));

  test('a wrong address is refused in words', async () => {
    const { context } = await openContext();
    try {
      const page = await context.newPage();
      await page.goto(server.url);
      await page.getByLabel('IP address').fill('1.2.3');
      await page.getByRole('button', { name: 'Look up' }).click();
      await page.getByText('Expected one IPv4 or IPv6 address').waitFor();
      assert.ok(await page.locator('[data-part=lookup-result]').isHidden());
      assert.equal(await page.getByLabel('IP address').getAttribute('aria-invalid'), 'true');
    } finally {
      await context.close();
    }
  });

  test('has for each area the command that does the same, and it does', () =>
    onPage(async (page, context) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.goto(server.url);
      for (const [name, status, holds] of [
        ['gate-command', 401, '"proof-required"'],
        ['search-command', 200, '"results":[{'],
        ['lookup-command', 200, '"decision"'],
        ['command', 401, '"challenge"'],
      ] as const) {
        const line = page.locator('.terminal-line').filter({ has: page.locator(`[data-part=${name}]`) });
        await line.getByRole('button', { name: /^Copy/ }).click();
        await line.getByText('Copied').waitFor();
        const copied = await page.evaluate(() => navigator.clipboard.readText());
        const [, url] = /^curl -[si] '?(http:\/\/[^ ']+)'?$/.exec(copied) ?? [];
        const answer = await fetch(url);
        assert.equal(answer.status, status, copied);
        assert.ok((await answer.text()).includes(holds), copied);
      }
    }));

  test('leads to the documentation, the API reference, the bench page and the console, and nowhere in vain', () =>
    onPage(async (page) => {
      await page.goto(server.url);
      await page.locator('#search').waitFor();
      const links = await page
        .locator('a[href]:visible')
        .evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).href));
      for (const path of ['/docs/', '/docs/api', '/bench', '/console'])
        assert.ok(links.includes(server.url + path), path);
      for (const link of new Set(links)) {
        const { origin, pathname, hash } = new URL(link);
        if (origin !== server.url) continue;
        if (pathname === '/' && hash) assert.equal(await page.locator(hash).count(), 1, hash);
        else assert.ok([200, 401].includes((await fetch(link)).status), link);
      }
    }));

  test('lets a visitor win a passport and opens the gated page', () =>
    onPage(async (page, context) => {
      await page.goto(server.url);
      await page.getByRole('button', { name: 'Try the gate' }).click();
      await page.getByRole('link', { name: 'Open the page' }).waitFor();
      const cookie = await passportOf(context);
      assert.equal(cookie?.httpOnly, true);
      assert.equal(cookie?.secure, true);
      assert.equal(cookie?.sameSite, 'Lax');
      await page.getByRole('link', { name: 'Open the page' }).click();
      await isIn(page);
      assert.equal(new URL(page.url()).pathname, '/demo/');
      assert.match(String(await page.locator('#admission').textContent()), /127\.0\.0\.0\/24/);
    }));

  test('shows true progress while it solves, and stops when told', () =>
    onPage(async (page) => {
      // No challenge of this difficulty is solved while the test looks on.
      await page.route('**/pow/challenge*', async (route) => {
        const answer = await route.fetch();
        const body = await answer.json();
        const bytes = Buffer.from(body.challenge, 'base64url');
        bytes[4] = 60;
        await route.fulfill({
          json: { ...body, challenge: bytes.toString('base64url'), difficulty_bits: 60 },
        });
      });
      await page.goto(server.url);
      await page.getByRole('button', { name: 'Try the gate' }).click();
      const tries = page.locator('[data-part=tries]');
      await page.waitForFunction(() =>
        /\d/.test(document.querySelector('[data-part=tries]')?.textContent ?? ''),
      );
      const early = await tries.textContent();
      await page.waitForFunction(
        (old) => document.querySelector('[data-part=tries]')?.textContent !== old,
        early,
      );
      assert.match(String(await page.locator('[data-part=rate]').textContent()), /\d.*hashes\/s/);
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByRole('button', { name: 'Try the gate' }).waitFor();
      // A worker is gone when the browser says so, some frames after the page ended it.
      for (let frames = 0; page.workers().length > 0; frames++) {
        assert.ok(frames < 300, 'the workers go on');
        await page.evaluate(() => new Promise(requestAnimationFrame));
      }
    }));

  test('knows the passport after a reload, in a second tab and on the way back', () =>
    onPage(async (page, context) => {
      await page.goto(server.url);
      await page.getByRole('button', { name: 'Try the gate' }).click();
      await page.getByRole('link', { name: 'Open the page' }).waitFor();
      await page.reload();
      await page.getByRole('link', { name: 'Open the page' }).waitFor();
      const second = await context.newPage();
      await second.goto(server.url);
      await second.getByRole('link', { name: 'Open the page' }).click();
      await isIn(second);
      await second.goBack();
      await second.getByRole('link', { name: 'Open the page' }).waitFor();
    }));

  test('works by keyboard alone', () =>
    onPage(async (page) => {
      await page.goto(server.url);
      const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
      for (let presses = 0; (await focused()) !== 'Try the gate'; presses++) {
        assert.ok(presses < 20, 'Tab does not reach the button');
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Open the page' }).waitFor();
      // The keyboard's place moved on with the controls.
      await page.waitForFunction(() => document.activeElement?.textContent?.trim() === 'Open the page');
      await page.keyboard.press('Enter');
      await isIn(page);
    }));

  test('solves with the CPU slowed six times', () =>
    onPage(async (page, context) => {
      const devtools = await context.newCDPSession(page);
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 });
      await page.goto(server.url);
      await page.getByRole('button', { name: 'Try the gate' }).click();
      await page.getByRole('link', { name: 'Open the page' }).waitFor();
    }));
});

describe('the verifying page', () => {
  test('asks for worker and Wasm before its script has come', () =>
    onPage(async (page, context) => {
      const { promise: isSeen, resolve: release } = Promise.withResolvers<void>();
      await page.route('**/pow/assets/verify-*.js', async (route) => {
        await isSeen;
        await route.continue();
      });
      const asked = [/\/worker-worker-[^/]+\.js$/, /\/solver-simd-[^/]+\.wasm$/].map((url) =>
        context.waitForEvent('request', (request) => url.test(request.url())),
      );
      await page.goto(`${server.url}/demo/`, { waitUntil: 'commit' });
      await Promise.all(asked);
      release();
      await isIn(page);
    }));

  test('comes with 401, solves by itself, and leads to the same address', () =>
    onPage(async (page) => {
      await page.goto(server.url);
      const entries = await page.evaluate(() => history.length);
      const answer = await page.goto(`${server.url}/demo/?from=a#there`);
      assert.equal(answer?.status(), 401);
      assert.equal(answer?.headers()['cache-control'], 'no-store');
      await isIn(page);
      assert.equal(page.url(), `${server.url}/demo/?from=a#there`);
      assert.equal(await page.evaluate(() => history.length), entries + 1);
    }));

  test('is not where the back button leads', () =>
    onPage(async (page) => {
      await page.goto(server.url);
      await page.goto(`${server.url}/demo/`);
      await isIn(page);
      await page.goBack();
      await page.locator('#gate-title').waitFor();
      assert.equal(new URL(page.url()).pathname, '/');
      await page.goForward();
      await isIn(page);
    }));

  test('opens in two tabs at once', () =>
    onPage(async (page, context) => {
      const second = await context.newPage();
      await Promise.all([page.goto(`${server.url}/demo/`), second.goto(`${server.url}/demo/`)]);
      await Promise.all([isIn(page), isIn(second)]);
    }));

  test('solves in JavaScript where a host forbids Wasm', async () => {
    const host = await forbidWasm(server.port);
    try {
      const context = await browser.newContext();
      const page = await context.newPage();
      page.setDefaultTimeout(SOLVE_MS);
      const kernels: string[] = [];
      await page.exposeFunction('noteKernel', (text: string) => kernels.push(text));
      await page.addInitScript(() => {
        addEventListener('DOMContentLoaded', () => {
          const kernel = document.querySelector('[data-part=kernel]') as HTMLElement;
          new MutationObserver(() => {
            (window as unknown as { noteKernel(text: string): void }).noteKernel(kernel.textContent ?? '');
          }).observe(kernel, { childList: true, characterData: true, subtree: true });
        });
      });
      await page.goto(`${host.url}/demo/`);
      await isIn(page);
      assert.ok(
        kernels.some((text) => /JavaScript/.test(text)),
        `solved by ${kernels}`,
      );
      assert.ok(!kernels.some((text) => /Wasm|SIMD/i.test(text)), `solved by ${kernels}`);
      await context.close();
    } finally {
      host.close();
    }
  });

  test('tells that a busy server is waited for, and gets in once it is not', () =>
    onPage(async (page) => {
      let isBusy = true;
      await page.route('**/pow/passport', async (route) => {
        if (!isBusy) return route.continue();
        isBusy = false;
        await route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, json: { code: 'overloaded' } });
      });
      const told = page.getByText('The server is busy. Trying again in 1 second.').first().waitFor();
      await page.goto(`${server.url}/demo/`);
      await told;
      await isIn(page);
    }));

  test('keeps the place of the keyboard while it tries again', () =>
    onPage(async (page) => {
      let fails = 2;
      await page.route('**/pow/passport', async (route) => {
        if (fails-- <= 0) return route.continue();
        await route.fulfill({ status: 503, json: { code: 'overloaded' } });
      });
      await page.goto(`${server.url}/demo/`);
      const retry = page.getByRole('button', { name: 'Try again' });
      await retry.waitFor();
      await retry.focus();
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
      await retry.waitFor();
      await page.keyboard.press('Tab');
      await page.waitForFunction(() => document.activeElement?.textContent === 'Try again');
      await page.keyboard.press('Enter');
      await isIn(page);
    }));

  test('never loses a form in silence', () =>
    onPage(async (page) => {
      await page.goto(server.url);
      await page.evaluate(() => {
        const form = document.createElement('form');
        form.method = 'post';
        form.action = '/demo/';
        document.body.append(form);
        form.submit();
      });
      await page.getByRole('heading', { name: 'Please send your form again' }).waitFor();
      await page.getByRole('button', { name: 'Go back' }).click();
      await page.locator('#gate-title').waitFor();
    }));

  test('speaks German to who prefers it', () =>
    onPage(
      async (page) => {
        const release = await holdPassports(page);
        await page.goto(`${server.url}/demo/`);
        await page.getByRole('heading', { name: 'Ihr Browser wird geprüft' }).waitFor();
        assert.equal(await page.evaluate(() => document.documentElement.lang), 'de');
        release();
        await isIn(page);
      },
      { locale: 'de-DE' },
    ));

  test('says what is missing where scripts are off', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${server.url}/demo/`);
    assert.match(String(await page.locator('body').textContent()), /needs JavaScript/);
    await context.close();
  });

  test('stops after two tries where the browser drops the cookie, and says why', async () => {
    // On plain HTTP and a name that is not localhost, a Secure cookie is dropped.
    const own = await launchChromium(['--host-resolver-rules=MAP gate.example 127.0.0.1']);
    try {
      const page = await own.newPage();
      page.setDefaultTimeout(SOLVE_MS);
      let minted = 0;
      page.on('response', (response) => {
        if (response.url().endsWith('/pow/passport')) minted++;
      });
      await page.goto(`http://gate.example:${server.port}/demo/`);
      await page.getByRole('heading', { name: 'This page does not open yet' }).waitFor();
      assert.match(String(await page.locator('#gate').textContent()), /plain HTTP/);
      assert.equal(minted, 2);
    } finally {
      await own.close();
    }
  });

  test('tells a browser that a route in per-request mode is for programs', async () => {
    const { folder, remove } = makeFolder();
    const policy = join(folder, 'policy.json');
    writeFileSync(
      policy,
      JSON.stringify({ routes: [{ id: 'call', paths: ['/demo/*'], passport_ttl_secs: 0 }] }),
    );
    const own = await startServer({ GATE_POLICY: policy });
    const page = await browser.newPage();
    await page.goto(`${own.url}/demo/`);
    await page.getByRole('heading', { name: 'This address is for programs' }).waitFor();
    await page.close();
    await own.end('SIGKILL');
    remove();
  });
});

test('every page has a policy, and none of them lets in a script or a style that stands in the text', async () => {
  const html = { accept: 'text/html' };
  for (const path of ['/', '/demo/', '/bench', '/widget/', '/docs/', '/docs/api', '/docs/gate', '/console']) {
    const answer = await fetch(server.url + path, { headers: html });
    const policy = answer.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src '(self|none)'/, path);
    assert.doesNotMatch(policy, /unsafe-inline|(?<!wasm-)unsafe-eval/, path);
    assert.doesNotMatch(policy, /https?:|\*/, path);
  }
});

describe('a page whose script does not come', () => {
  for (const [path, script] of [
    ['/', 'home'],
    ['/demo/', 'verify'],
  ] as const) {
    test(`says so after a while: ${path}`, async () => {
      // The page fades in, and axe would measure the contrast of what is half there.
      const context = await browser.newContext({ reducedMotion: 'reduce' });
      const page = await context.newPage();
      await page.route(`**/${script}-*.js`, (route) => route.fulfill({ status: 404 }));
      await page.goto(server.url + path);
      const late = page.locator('.late');
      assert.equal(await late.isVisible(), false);
      const delaysMs = await late.evaluate((element) =>
        element.getAnimations().map((animation) => {
          const { delay } = animation.effect?.getTiming() ?? {};
          animation.finish();
          return delay;
        }),
      );
      assert.deepEqual(delaysMs, [15_000]);
      assert.equal(await late.isVisible(), true);
      assert.match(String(await late.textContent()), /Reload the page/);
      assert.deepEqual(await findSerious(page), []);
      await context.close();
    });
  }

  test('is told from one whose script came', () =>
    onPage(async (page) => {
      await page.goto(server.url);
      await page.locator('[data-part=try]:enabled').waitFor();
      assert.equal(await page.locator('.late').count(), 0);
      const release = await holdPassports(page);
      await page.goto(`${server.url}/demo/`);
      assert.equal(await page.locator('.late').count(), 0);
      release();
      await isIn(page);
    }));
});

describe('axe finds nothing serious', () => {
  const phone = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };
  for (const [title, options] of [
    ['light, desk', { colorScheme: 'light' }],
    ['dark, desk', { colorScheme: 'dark' }],
    ['light, phone of 320 px', { colorScheme: 'light', ...phone }],
    ['dark, phone of 320 px', { colorScheme: 'dark', ...phone }],
  ] as const) {
    test(`on home, verifying and gated page: ${title}`, () =>
      onPage(
        async (page) => {
          await page.goto(server.url);
          assert.deepEqual(await findSerious(page), []);
          const release = await holdPassports(page);
          await page.goto(`${server.url}/demo/`);
          assert.deepEqual(await findSerious(page), []);
          assert.ok(
            await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
            'it scrolls sideways',
          );
          release();
          await isIn(page);
          assert.deepEqual(await findSerious(page), []);
        },
        { ...options, reducedMotion: 'reduce' },
      ));
  }
});

/** A reverse proxy whose host allows no Wasm: it takes `'wasm-unsafe-eval'` out of every policy. */
async function forbidWasm(port: number): Promise<{ url: string; close(): void }> {
  const proxy = createServer((incoming, outgoing) => {
    const { url, method, headers } = incoming;
    const passed = httpRequest({ port, host: '127.0.0.1', path: url, method, headers }, (answer) => {
      const policy = answer.headers['content-security-policy'];
      if (policy)
        answer.headers['content-security-policy'] = String(policy).replace(" 'wasm-unsafe-eval'", '');
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address() as { port: number };
  return {
    url: `http://localhost:${address.port}`,
    close() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
