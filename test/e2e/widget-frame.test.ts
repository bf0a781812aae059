import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { formWith, heardOn, openWidgetWorld, responsesOn, scriptOf, untilState } from './widget-world.ts';

const PASSPORT = /^[\w-]{95}$/;

let world: Awaited<ReturnType<typeof openWidgetWorld>>;
let script: string;
before(async () => {
  world = await openWidgetWorld();
  script = scriptOf(world.server.url);
});
after(() => world.end());

const errorOn = async (page: Page) => (await heardOn(page)).find(({ type }) => type === 'pow-error')?.detail;

/** What siteverify finds, for a site that has a key of the operator. */
async function verify(response: string): Promise<{ success: boolean }> {
  const answer = await fetch(`${world.server.url}/widget/`, {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify({ 'pow-response': response }),
  });
  return (await answer.json()) as { success: boolean };
}

describe('a page of another origin', () => {
  test('that is allowed gets a passport through the frame, and its form sends it', () =>
    world.onPage(async (page) => {
      await page.goto(world.allowed.put({ body: script + formWith() }));
      await untilState(page, 'solved');
      const [response] = await responsesOn(page);
      assert.match(String(response), PASSPORT);
      // The frame is gone with its workers when the work is done.
      assert.equal(await page.locator('iframe').count(), 0);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.locator('#thanks').waitFor();
      assert.equal(world.allowed.sent.at(-1)?.get('pow-response'), response);
      assert.equal((await verify(String(response))).success, true);
    }));

  test('hears of progress as one of the same origin does', () =>
    world.onPage(async (page) => {
      await page.goto(
        world.allowed.put({ body: script + formWith('<pow-gate data-route="hard"></pow-gate>') }),
      );
      await page.waitForFunction(() =>
        (window as unknown as { heard: { type: string }[] }).heard.some(
          ({ type }) => type === 'pow-progress',
        ),
      );
      // Taken out, the widget takes the frame with it.
      await page.evaluate(() => document.querySelector('pow-gate')?.remove());
      await page.waitForFunction(() => document.querySelector('iframe') === null);
    }));

  test('works under its own strict policy, isolated and with Trusted Types', () =>
    world.onPage(async (page) => {
      const gate = world.server.url;
      await page.goto(
        world.allowed.put({
          body: `${script.replace('<script', '<script crossorigin')}${formWith()}`,
          csp: `default-src 'self'; script-src ${gate}; frame-src ${gate}; require-trusted-types-for 'script'; trusted-types 'none'`,
          headers: {
            'Cross-Origin-Embedder-Policy': 'require-corp',
            'Cross-Origin-Opener-Policy': 'same-origin',
          },
        }),
      );
      await untilState(page, 'solved');
      assert.equal(await page.evaluate(() => crossOriginIsolated), true);
    }));

  test('that is not allowed is refused, and told what its operator must do', () => {
    const told: string[] = [];
    return world.onPage(
      async (page) => {
        page.on('console', (message) => told.push(message.text()));
        await page.goto(world.foreign.put({ body: script + formWith() }));
        await untilState(page, 'error');
        const { code, status, message } = (await errorOn(page)) ?? {};
        assert.deepEqual({ code, status }, { code: 'origin-not-allowed', status: 403 });
        assert.match(String(message), new RegExp(`must add ${world.foreign.url} to ALLOWED_ORIGINS`));
        assert.ok(told.some((line) => line.includes(`must add ${world.foreign.url} to ALLOWED_ORIGINS`)));
        assert.match(String(await page.locator('[part=note]').textContent()), /tell its operator/);
        assert.equal(await page.locator('iframe').count(), 0);
      },
      { expected: /403|ALLOWED_ORIGINS|frame/ },
    );
  });

  test('whose policy forbids the frame is told which policy', () =>
    world.onPage(
      async (page) => {
        const gate = world.server.url;
        const csp = `default-src 'self'; script-src ${gate}; connect-src ${gate}; frame-src 'none'`;
        await page.goto(world.allowed.put({ body: script + formWith(), csp }));
        await untilState(page, 'error');
        const { code, message } = (await errorOn(page)) ?? {};
        assert.equal(code, 'frame-failed');
        assert.match(String(message), /frame-src/);
      },
      { expected: /./ },
    ));

  test('says so where the gate does not answer', () =>
    world.onPage(
      async (page) => {
        await page.goto(
          world.allowed.put({
            body: script + formWith('<pow-gate data-api="http://127.0.0.1:9"></pow-gate>'),
          }),
        );
        await untilState(page, 'error');
        assert.equal((await errorOn(page))?.code, 'unreachable');
      },
      { expected: /./ },
    ));
});

describe('the frame', () => {
  test('is shown by no page of an origin that is not allowed', () =>
    world.onPage(
      async (page) => {
        const { server, allowed, foreign } = world;
        // The server's answer names an allowed origin, so that the browser alone keeps it out of this page.
        const frame = `${server.url}/pow/frame?origin=${encodeURIComponent(allowed.url)}#nonce`;
        const listening =
          '<script>addEventListener("message", (e) => { document.title = "heard " + e.origin })</script>';
        await page.goto(foreign.put({ body: `${listening}<iframe src="${frame}"></iframe>` }));
        await page.waitForFunction(() => document.querySelector('iframe')?.contentDocument === null);
        assert.equal(await page.title(), 'A site');
        await page.goto(allowed.put({ body: `${listening}<iframe src="${frame}"></iframe>` }));
        await page.waitForFunction((gate) => document.title === `heard ${gate}`, server.url);
      },
      { expected: /frame-ancestors|refused|denied|blocked/i },
    ));

  test('answers nobody but the page that it was made for', () =>
    world.onPage(async (page) => {
      const { server, allowed } = world;
      const frame = `${server.url}/pow/frame?origin=${encodeURIComponent(allowed.url)}#right`;
      await page.goto(
        allowed.put({
          body:
            '<script>window.got = []; addEventListener("message", (e) => got.push(e.data))</script>' +
            `<iframe id="frame" src="${frame}"></iframe><iframe id="other" srcdoc="<p>other</p>"></iframe>`,
        }),
      );
      const got = () =>
        page.evaluate(() => (window as unknown as { got: { type: string }[] }).got.map(({ type }) => type));
      await page.waitForFunction(() => (window as unknown as { got: unknown[] }).got.length === 1);
      await page.evaluate((gate) => {
        const ask = (nonce: string) => ({ type: 'passport', gatehouse: nonce });
        const { contentWindow } = document.querySelector('#frame') as HTMLIFrameElement;
        contentWindow?.postMessage(ask('wrong'), gate);
        contentWindow?.postMessage('passport', gate);
        contentWindow?.postMessage(null, gate);
        // Of the same origin, but not the parent.
        const other = document.querySelector('#other') as HTMLIFrameElement;
        const stranger = other.contentWindow as unknown as { eval(code: string): void };
        stranger.eval(
          `parent.frames[0].postMessage({ type: 'passport', gatehouse: 'right' }, ${JSON.stringify(gate)})`,
        );
      }, server.url);
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)));
      assert.deepEqual(await got(), ['ready']);
      await page.evaluate((gate) => {
        const { contentWindow } = document.querySelector('#frame') as HTMLIFrameElement;
        contentWindow?.postMessage({ type: 'passport', gatehouse: 'right' }, gate);
      }, server.url);
      await page.waitForFunction(() =>
        (window as unknown as { got: { type: string }[] }).got.some(({ type }) => type === 'passport'),
      );
    }));

  test('says what it is where somebody opens it', () =>
    world.onPage(async (page) => {
      await page.goto(`${world.server.url}/pow/frame`);
      await page.getByText('works for the one that frames it').waitFor();
    }));
});
