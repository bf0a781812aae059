import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { PROVIDER_NAMES, type ProviderName } from '../../server/wire/captcha.ts';
import { type ProviderStub, SECRET, SITE_KEY, startProvider } from '../captcha-provider.ts';
import { makeFolder } from '../temporary-folder.ts';
import { findSerious } from './accessibility.ts';
import { launchChromium } from './chromium.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const POLICY = {
  routes: [
    { id: 'steep', paths: ['/demo/*'], difficulty_bits: 32, challenge_ttl_secs: 3_600 },
    { id: 'call', paths: ['/call'], passport_ttl_secs: 0, difficulty_bits: 32 },
  ],
};
const OFFER_MS = 60_000;

let browser: Browser;
let server: ServerProcess;
let provider: ProviderStub;
const temporary = makeFolder();

/** A server that asks this stub, with a script from the stub's own origin. */
function startWith(name: ProviderName, stub: ProviderStub): Promise<ServerProcess> {
  const captcha = {
    provider: name,
    siteKey: SITE_KEY,
    secret: SECRET,
    verifyUrl: `${stub.origin}/siteverify`,
    scriptUrl: `${stub.origin}/api.js`,
    hostname: 'localhost',
  };
  const write = (file: string, value: object) => {
    const path = join(temporary.folder, file);
    writeFileSync(path, JSON.stringify(value));
    return path;
  };
  return startServer({
    GATE_POLICY: write('policy.json', POLICY),
    CAPTCHA_CONFIG: write(`${name}.json`, captcha),
    OUTBOUND_ALLOW: '127.0.0.1',
  });
}

before(async () => {
  provider = await startProvider('turnstile', 'localhost');
  [browser, server] = await Promise.all([launchChromium(), startWith('turnstile', provider)]);
});
after(async () => {
  await browser.close();
  await server.end('SIGKILL');
  provider.close();
  temporary.remove();
});

/** Makes the puzzle in the page one that nobody solves while a test looks on: 32 bits fall to good luck in a second. */
async function makeUnsolvable(page: Page) {
  await page.route('**/demo/**', async (route) => {
    const answer = await route.fetch({ maxRedirects: 0 });
    const body = (await answer.text()).replace(/(?<=challenge&quot;:&quot;)[\w-]{115}/g, (text) => {
      const bytes = Buffer.from(text, 'base64url');
      bytes[4] = 60;
      return bytes.toString('base64url');
    });
    await route.fulfill({ response: answer, body });
  });
}

/** Runs a story in a browser with one processor; nothing may be written to the console as an error but refusals. */
async function onPage(story: (page: Page) => Promise<void>, options: BrowserContextOptions = {}) {
  // What fades in is pale on the way, and axe would measure that.
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(OFFER_MS);
  await context.addInitScript(() => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { value: 1 });
  });
  const noted: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error' && !/status of (401|403|503)/.test(message.text()))
      noted.push(message.text());
  });
  context.on('weberror', (error) => noted.push(String(error.error())));
  try {
    const page = await context.newPage();
    await makeUnsolvable(page);
    await story(page);
    assert.deepEqual(noted, []);
  } finally {
    await context.close();
  }
}

const offer = (page: Page) => page.getByRole('link', { name: 'Use a CAPTCHA instead' });
const box = (page: Page) => page.getByRole('checkbox', { name: 'I am human' });
const isIn = (page: Page) => page.locator('#admission').waitFor();
/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, name: string, role: 'link' | 'checkbox' | 'button') {
  for (let presses = 0; presses < 30; presses++) {
    await page.keyboard.press('Tab');
    const focused = page.getByRole(role, { name });
    if ((await focused.count()) > 0 && (await focused.evaluate((one) => one === document.activeElement)))
      return;
  }
  assert.fail(`${role} ${name} is not reached by Tab`);
}

describe('a device that would solve for minutes', () => {
  test('is offered a CAPTCHA while it solves, and gets in by keyboard alone', () =>
    onPage(async (page) => {
      await page.goto(`${server.url}/demo/?from=here#there`);
      assert.equal(await offer(page).isVisible(), false, 'offered before anything was measured');
      await offer(page).waitFor();
      assert.deepEqual(await findSerious(page), []);
      const tries = () => page.locator('[data-part=tries]').textContent();
      const before = await tries();
      await page.waitForFunction(
        (old) => document.querySelector('[data-part=tries]')?.textContent !== old,
        before,
      );
      await tabTo(page, 'Use a CAPTCHA instead', 'link');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Solve a CAPTCHA' }).waitFor();
      await box(page).waitFor();
      assert.deepEqual(await findSerious(page), []);
      await tabTo(page, 'I am human', 'checkbox');
      await page.keyboard.press('Space');
      await isIn(page);
      assert.equal(page.url(), `${server.url}/demo/?from=here#there`);
      await page.locator('#admission', { hasText: /\b32\b/ }).waitFor();
    }));

  test('is told in German as well', () =>
    onPage(
      async (page) => {
        await page.goto(`${server.url}/demo/`);
        await page.getByRole('link', { name: 'Stattdessen ein CAPTCHA lösen' }).click();
        await page.getByRole('heading', { name: 'Lösen Sie ein CAPTCHA' }).waitFor();
        assert.equal(await page.locator('html').getAttribute('lang'), 'de');
        await box(page).check();
        await isIn(page);
      },
      { locale: 'de-DE' },
    ));

  test('keeps its form: the CAPTCHA is in another tab, and this one hears of it', () =>
    onPage(async (page) => {
      await page.goto(server.url);
      await page.evaluate(() => {
        const form = Object.assign(document.createElement('form'), { method: 'post', action: '/demo/' });
        document.body.append(form);
        form.submit();
      });
      await offer(page).waitFor();
      const [tab] = await Promise.all([page.context().waitForEvent('page'), offer(page).click()]);
      await box(tab).check();
      await tab.getByText(/^Close this tab/).waitFor();
      await page.getByRole('heading', { name: 'Please send your form again' }).waitFor();
    }));
});

describe('the CAPTCHA page', () => {
  const url = () => `${server.url}/pow/captcha?route=steep&return_to=%2Fdemo%2F`;

  test('says aloud what went wrong, keeps the keyboard, and lets it be done again', () =>
    onPage(async (page) => {
      await page.goto(url());
      await box(page).waitFor();
      const alert = page.getByRole('alert');
      await page.getByRole('button', { name: 'Continue' }).click();
      await alert.getByText('Solve the CAPTCHA first').waitFor();

      provider.answerWith((response) => response.writeHead(500).end());
      await box(page).check();
      await alert.getByText('cannot be asked').waitFor();
      assert.deepEqual(await findSerious(page), []);

      provider.answerWith((response) =>
        response.end('{"success":false,"error-codes":["timeout-or-duplicate"]}'),
      );
      await page.getByRole('button', { name: 'Continue' }).click();
      await alert.getByText('run out or was already used').waitFor();
      const again = page.getByRole('button', { name: 'Load a new CAPTCHA' });
      assert.ok(await again.evaluate((button) => button === document.activeElement));

      provider.answerWith(null);
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.querySelector('[role=alert]')?.textContent === '');
      await box(page).check();
      await isIn(page);
    }));

  test('works by its form alone where our script does not come', () =>
    onPage(async (page) => {
      await page.route('**/pow/assets/captcha-*.js', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: '' }),
      );
      await page.goto(url());
      await page.evaluate(() => {
        const field = document.createElement('input');
        Object.assign(field, { type: 'hidden', name: 'cf-turnstile-response', value: 'good-by-hand' });
        document.forms[0].append(field);
      });
      await page.getByRole('button', { name: 'Continue' }).click();
      await isIn(page);
      assert.equal(new URL(page.url()).pathname, '/demo/');
    }));

  test("says so where the provider's script does not come", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.route(`${provider.origin}/**`, (route) => route.abort());
    await page.goto(url());
    await page.getByRole('alert').getByText('did not load').waitFor();
    await page.getByRole('link', { name: 'Back to the calculation' }).click();
    await page.getByRole('heading', { name: 'Checking your browser' }).waitFor();
    await context.close();
  });

  test('admits nobody but the provider', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const refused: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') refused.push(message.text());
    });
    await page.goto(url());
    await box(page).waitFor();
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.src = 'http://127.0.0.1:9/evil.js';
      document.head.append(script);
      return new Promise((resolve) => script.addEventListener('error', resolve));
    });
    assert.match(refused.join('\n'), /Content Security Policy/);
    await context.close();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [320, 1280]) {
      test(`fits and is readable: ${colorScheme}, ${width} pixels`, () =>
        onPage(
          async (page) => {
            await page.goto(url());
            await box(page).waitFor();
            assert.deepEqual(await findSerious(page), []);
            const overflow = await page.evaluate(
              () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
            );
            assert.equal(overflow, 0);
          },
          { colorScheme, viewport: { width, height: 800 } },
        ));
    }
  }
});

for (const name of PROVIDER_NAMES.filter((one) => one !== 'turnstile')) {
  test(`the widget of ${name} finds its place and is heard`, async () => {
    const stub = await startProvider(name, 'localhost');
    const own = await startWith(name, stub);
    try {
      await onPage(async (page) => {
        await page.goto(`${own.url}/pow/captcha?route=steep&return_to=%2Fdemo%2F`);
        await box(page).check();
        await isIn(page);
      });
    } finally {
      await own.end('SIGKILL');
      stub.close();
    }
  });
}

describe('where scripts are off', () => {
  const texts = async (path: string) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${server.url}${path}`);
    const links = await page.getByRole('link', { name: 'Use a CAPTCHA instead' }).count();
    const main = await page.locator('main').innerText();
    const href =
      links > 0 ? await page.getByRole('link', { name: 'Use a CAPTCHA instead' }).getAttribute('href') : null;
    await context.close();
    return { links, main, href };
  };

  test('the verifying page has a plain link, and the CAPTCHA page says what it needs', async () => {
    const { href } = await texts('/demo/?a=b');
    assert.equal(href, '/pow/captcha?route=steep&return_to=%2Fdemo%2F%3Fa%3Db');
    const { main } = await texts(String(href));
    assert.match(main, /A CAPTCHA needs JavaScript/);
    assert.match(main, /Ein CAPTCHA braucht JavaScript/);
  });

  test('no link stands where a CAPTCHA opens nothing', async () => {
    assert.equal((await texts('/call')).links, 0);
  });
});

test('nothing that the server wrote holds the secret', () => {
  assert.doesNotMatch(server.output(), new RegExp(SECRET));
});
