import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { findSerious } from './accessibility.ts';
import { startHostSite } from './host-site.ts';
import { formWith, heardOn, openWidgetWorld, responsesOn, scriptOf, untilState } from './widget-world.ts';

const PASSPORT = /^[\w-]{95}$/;

let world: Awaited<ReturnType<typeof openWidgetWorld>>;
before(async () => {
  world = await openWidgetWorld();
});
after(() => world.end());

/** Opens a page of a site that has the gate behind itself, so that all is of one origin. */
async function onOwnSite(
  site: { body: string; csp?: string; headers?: Record<string, string>; lang?: string },
  story: (page: Page, sent: URLSearchParams[]) => Promise<void>,
  options: Parameters<typeof world.onPage>[1] = {},
  change?: Parameters<typeof startHostSite>[1],
) {
  const own = await startHostSite(world.server.port, change);
  try {
    await world.onPage(async (page) => {
      await page.goto(own.put(site));
      await story(page, own.sent);
    }, options);
  } finally {
    own.close();
  }
}

const script = scriptOf('');

describe('a form on the page of the demo', () => {
  test('is taken with the work done, and the server says what it found', () =>
    world.onPage(async (page) => {
      await page.goto(`${world.server.url}/widget/`);
      await untilState(page, 'solved');
      await page.getByLabel('Your message').fill('Hello');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('heading', { name: 'The form was taken' }).waitFor();
      assert.match(
        String(await page.locator('[data-part=verdict-body]').textContent()),
        /"difficulty_bits": 10/,
      );
    }));
});

describe('a form of the same origin', () => {
  test('sends one passport, and the events tell how it was won', () =>
    onOwnSite({ body: script + formWith() }, async (page, sent) => {
      await untilState(page, 'solved');
      const [response, ...more] = await responsesOn(page);
      assert.match(String(response), PASSPORT);
      assert.deepEqual(more, []);
      const [first, second, third] = await heardOn(page);
      assert.deepEqual(first, {
        type: 'pow-statechange',
        detail: { state: 'solving', previous: 'unsolved' },
      });
      assert.deepEqual(second, { type: 'pow-statechange', detail: { state: 'solved', previous: 'solving' } });
      assert.equal(third?.type, 'pow-solve');
      const { expiresAt, elapsedMs, tries, ...rest } = third?.detail ?? {};
      assert.deepEqual(rest, { response, difficultyBits: 10, workers: rest.workers, kernel: 'simd' });
      const leftMs = Number(expiresAt) - (await page.evaluate(() => Date.now()));
      assert.ok(leftMs > 1_700_000 && leftMs <= 1_800_000, `${leftMs} ms left`);
      assert.ok(Number(elapsedMs) > 0 && Number(tries) > 0);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.locator('#thanks').waitFor();
      assert.deepEqual(sent[0]?.getAll('pow-response'), [response]);
    }));

  test('tells the progress of a long search', () =>
    onOwnSite({ body: script + formWith('<pow-gate data-route="hard"></pow-gate>') }, async (page) => {
      type Progress = { type: string; detail: Record<string, number> };
      const heard = await page.waitForFunction(
        () =>
          (window as unknown as { heard: Progress[] }).heard.filter(({ type }) => type === 'pow-progress')[2],
      );
      const { detail } = (await heard.jsonValue()) as Progress;
      assert.deepEqual(Object.keys(detail).sort(), [
        'elapsedMs',
        'etaSecs',
        'kernel',
        'probability',
        'ratePerSec',
        'tries',
        'workers',
      ]);
      assert.ok(detail.probability > 0 && detail.probability < 1);
      const bar = page.getByRole('progressbar');
      assert.match(String(await bar.getAttribute('aria-valuetext')), /^\d+% likely/);
      assert.match(
        String(await page.locator('[part=note]').textContent()),
        /^About \d+ (second|minute|hour)s? to go$/,
      );
      // What may not be sent yet is told by the browser itself.
      const validity = await page.evaluate(() => {
        const gate = document.querySelector('pow-gate') as HTMLElement & { validationMessage: string };
        return [document.forms[0]?.checkValidity(), gate.validationMessage];
      });
      assert.deepEqual(validity, [false, 'Please wait until the check is done.']);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      assert.equal(await page.locator('#thanks').count(), 0);
    }));

  test('is emptied by a reset, and wins another passport', () =>
    onOwnSite({ body: script + formWith() }, async (page) => {
      await untilState(page, 'solved');
      const [before] = await responsesOn(page);
      await page.getByRole('button', { name: 'Reset' }).click();
      await untilState(page, 'solved');
      await page.waitForFunction(
        (old) =>
          ![old, ''].includes((document.querySelector('[name=pow-response]') as HTMLInputElement).value),
        before as string,
      );
      const states = (await heardOn(page))
        .filter(({ type }) => type === 'pow-statechange')
        .map(({ detail }) => detail.state);
      assert.deepEqual(states, ['solving', 'solved', 'unsolved', 'solving', 'solved']);
    }));

  test('loses its passport shortly before its end, and wins another', () =>
    world.onPage(async (page) => {
      await page.clock.install();
      await page.goto(`${world.server.url}/widget/`);
      await untilState(page, 'solved');
      const [before] = await responsesOn(page);
      await page.clock.fastForward(1_771_000);
      await page.waitForFunction(
        (old) =>
          ![old, ''].includes((document.querySelector('[name=pow-response]') as HTMLInputElement).value),
        before as string,
      );
      const types = (await heardOn(page)).map(({ type, detail }) => detail.state ?? type);
      assert.deepEqual(types, [
        'solving',
        'solved',
        'pow-solve',
        'expired',
        'pow-expire',
        'solving',
        'solved',
        'pow-solve',
      ]);
    }));

  test('that sends on the check holds the submit and sends it by the same button', () =>
    onOwnSite(
      {
        body: `${script}${formWith('<pow-gate data-auto="onsubmit"></pow-gate>')}`,
      },
      async (page, sent) => {
        await untilState(page, 'unsolved');
        // A listener of the page's own sees the one submit that goes through.
        await page.evaluate(() => {
          document.forms[0]?.addEventListener('submit', (event) => {
            const { value } = (event as SubmitEvent).submitter as HTMLButtonElement;
            sessionStorage.setItem('seen', `${sessionStorage.getItem('seen') ?? ''}${value} `);
          });
        });
        await page.getByLabel('Name').fill('Ada');
        await page.getByRole('button', { name: 'Send otherwise' }).click();
        await page.locator('#thanks').waitFor();
        assert.equal(sent.length, 1);
        assert.equal(sent[0]?.get('by'), 'second');
        assert.equal(sent[0]?.get('who'), 'Ada');
        assert.match(String(sent[0]?.get('pow-response')), PASSPORT);
        assert.equal(await page.evaluate(() => sessionStorage.getItem('seen')), 'second ');
      },
    ));

  test('that asks the browser not to check it is held all the same', () =>
    onOwnSite({ body: script + formWith().replace('<form', '<form novalidate') }, async (page, sent) => {
      const { promise: isSent, resolve: send } = Promise.withResolvers<void>();
      await page.route('**/pow/passport', async (route) => {
        await isSent;
        await route.continue();
      });
      await page.reload();
      await untilState(page, 'solving');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByText('Your form is sent right after.').first().waitFor();
      send();
      await page.locator('#thanks').waitFor();
      assert.match(String(sent[0]?.get('pow-response')), PASSPORT);
    }));

  test('keeps what was typed, and its passport, for a visitor who comes back', () =>
    onOwnSite({ body: script + formWith() }, async (page) => {
      await untilState(page, 'solved');
      const before = await responsesOn(page);
      await page.getByLabel('Name').fill('Ada');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.locator('#thanks').waitFor();
      await page.goBack();
      await untilState(page, 'solved');
      assert.equal(await page.getByLabel('Name').inputValue(), 'Ada');
      assert.deepEqual(await responsesOn(page), before);
    }));

  test('in a shadow tree works as anywhere', () =>
    onOwnSite(
      {
        body: `${script}<div id="tree"><template shadowrootmode="open">${formWith('<pow-gate data-auto="onsubmit"></pow-gate>')}</template></div>`,
      },
      async (page, sent) => {
        await page.waitForFunction(() => customElements.get('pow-gate'));
        await page.getByRole('button', { name: 'Send', exact: true }).click();
        await page.locator('#thanks').waitFor();
        assert.match(String(sent[0]?.get('pow-response')), PASSPORT);
      },
    ));

  test('that waits for the first touch does nothing before', () =>
    onOwnSite({ body: script + formWith('<pow-gate data-auto="onfocus"></pow-gate>') }, async (page) => {
      await untilState(page, 'unsolved');
      assert.deepEqual(await heardOn(page), []);
      await page.getByLabel('Name').focus();
      await untilState(page, 'solved');
    }));

  test('can be filled in and sent by keyboard alone, where the check waits for its button', () =>
    onOwnSite({ body: script + formWith('<pow-gate data-auto="off"></pow-gate>') }, async (page, sent) => {
      await untilState(page, 'unsolved');
      const inner = () =>
        page.evaluate(() => {
          const active = document.activeElement;
          return (active?.shadowRoot?.activeElement ?? active)?.textContent;
        });
      await page.getByLabel('Name').focus();
      await page.keyboard.press('Tab');
      assert.equal(await inner(), 'Check');
      await page.keyboard.press('Enter');
      await untilState(page, 'solved');
      // The place of the keyboard is still in the widget.
      assert.equal(await page.evaluate(() => document.activeElement?.localName), 'pow-gate');
      await page.keyboard.press('Tab');
      assert.equal(await inner(), 'Send');
      await page.keyboard.press('Enter');
      await page.locator('#thanks').waitFor();
      assert.match(String(sent[0]?.get('pow-response')), PASSPORT);
    }));

  test('of two widgets wins one passport for both, and the script may come twice', () =>
    onOwnSite(
      {
        body: `${script}${script.replace('.js', '.js?again')}${formWith()}<form>${'<pow-gate></pow-gate>'}</form>`,
      },
      async (page) => {
        const minted: string[] = [];
        page.on('response', (answer) => answer.url().endsWith('/pow/passport') && minted.push(answer.url()));
        await page.reload();
        await untilState(page, 'solved', 0);
        await untilState(page, 'solved', 1);
        assert.equal(minted.length, 1);
        const values = await page.evaluate(() =>
          [...document.querySelectorAll('pow-gate')].map((gate) => (gate as HTMLInputElement).value),
        );
        assert.equal(values[0], values[1]);
      },
    ));

  test('keeps its widget when it is moved, and frees it when it is taken out', () =>
    onOwnSite(
      { body: `${script}${formWith('<pow-gate data-route="hard"></pow-gate>')}<div id="else"></div>` },
      async (page) => {
        await untilState(page, 'solving');
        const state = () =>
          page.evaluate(async () => {
            await new Promise(requestAnimationFrame);
            return (window as unknown as { gate: { state: string } }).gate.state;
          });
        await page.evaluate(() => {
          const gate = document.querySelector('pow-gate') as HTMLElement;
          Object.assign(window, { gate });
          document.querySelector('#else')?.append(gate);
        });
        assert.equal(await state(), 'solving');
        await page.evaluate(() => document.querySelector('pow-gate')?.remove());
        assert.equal(await state(), 'unsolved');
        for (let frames = 0; page.workers().length > 0; frames++) {
          assert.ok(frames < 300, 'the workers go on');
          await page.evaluate(() => new Promise(requestAnimationFrame));
        }
      },
    ));

  test('whose fields are disabled sends nothing and does no work', () =>
    onOwnSite(
      { body: `${script}${formWith('<fieldset disabled><pow-gate></pow-gate></fieldset>')}` },
      async (page) => {
        await untilState(page, 'unsolved');
        assert.deepEqual(await responsesOn(page), []);
        await page.evaluate(() => document.querySelector('fieldset')?.toggleAttribute('disabled'));
        await untilState(page, 'solved');
        assert.match(String((await responsesOn(page))[0]), PASSPORT);
      },
    ));

  test('speaks German on a German page, and the words that a page brings', () =>
    onOwnSite(
      {
        lang: 'de',
        body: `${script}${formWith()}<pow-gate id="own" data-lang="fr" data-texts='{"solved": "Vérifié", "solvedNote": "", "nonsense": 1}'></pow-gate>`,
      },
      async (page) => {
        await untilState(page, 'solved');
        await untilState(page, 'solved', 1);
        assert.deepEqual(await page.locator('[part=label]').allTextContents(), ['Geprüft', 'Vérifié']);
        assert.equal(await page.locator('#own [part=box]').getAttribute('lang'), 'fr');
      },
    ));
});

describe('a strict site', () => {
  const strict = "default-src 'self'; base-uri 'none'; require-trusted-types-for 'script'; ";

  for (const [title, csp, expected] of [
    ['that knows our policy for worker addresses', `${strict}trusted-types gatehouse`, undefined],
    [
      'that admits no policy at all',
      `${strict}trusted-types 'none'`,
      /Content Security Policy|TrustedTypePolicy/,
    ],
    [
      'that forbids workers',
      `${strict}trusted-types gatehouse; worker-src 'none'`,
      /worker|Content Security Policy/i,
    ],
  ] as const) {
    test(`${title} gets its passport`, () =>
      onOwnSite(
        { body: script + formWith(), csp },
        async (page) => {
          await untilState(page, 'solved');
          // Its looks need no exception for styles.
          assert.equal(
            await page.locator('pow-gate').evaluate((gate) => getComputedStyle(gate).display),
            'inline-block',
          );
        },
        expected ? { expected } : {},
      ));
  }

  test('that forbids workers and frames is told that the browser could not do it', () =>
    onOwnSite(
      {
        body: script + formWith(),
        csp: `${strict}trusted-types gatehouse; worker-src 'none'; frame-src 'none'`,
      },
      async (page) => {
        await untilState(page, 'error');
        const { detail } = (await heardOn(page)).find(({ type }) => type === 'pow-error') ?? {};
        assert.equal(detail?.code, 'solver-failed');
        await page.getByRole('button', { name: 'Try again' }).waitFor();
      },
      { expected: /./ },
    ));

  test('that forbids Wasm has it solved in JavaScript', () =>
    onOwnSite(
      { body: script + formWith() },
      async (page) => {
        await untilState(page, 'solved');
        const { detail } = (await heardOn(page)).find(({ type }) => type === 'pow-solve') ?? {};
        assert.equal(detail?.kernel, 'javascript');
      },
      {},
      (headers) => {
        const policy = headers['content-security-policy'];
        if (policy) headers['content-security-policy'] = String(policy).replace(" 'wasm-unsafe-eval'", '');
      },
    ));
});

describe('axe finds nothing serious', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`on the page of the demo, before and after: ${colorScheme}`, () =>
      world.onPage(
        async (page) => {
          await page.goto(`${world.server.url}/widget/`);
          await untilState(page, 'solved');
          assert.deepEqual(await findSerious(page), []);
          await page.getByLabel('Your message').fill('Hello');
          await page.getByRole('button', { name: 'Send' }).click();
          await page.getByRole('heading', { name: 'The form was taken' }).waitFor();
          assert.deepEqual(await findSerious(page), []);
          assert.ok(
            await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
            'it scrolls sideways',
          );
        },
        { colorScheme, reducedMotion: 'reduce', viewport: { width: 320, height: 640 } },
      ));

    test(`in any state: ${colorScheme}`, () =>
      onOwnSite(
        {
          body:
            script +
            formWith() +
            [
              'data-route="hard"',
              'data-auto="off"',
              'data-api="nonsense:"',
              'data-theme="dark"',
              'dir="rtl" lang="de"',
            ]
              .map((attributes) => `<pow-gate ${attributes}></pow-gate>`)
              .join(''),
        },
        async (page) => {
          await untilState(page, 'solved');
          await untilState(page, 'solving', 1);
          await untilState(page, 'error', 3);
          assert.deepEqual(await findSerious(page), []);
        },
        {
          colorScheme,
          reducedMotion: 'reduce',
          viewport: { width: 320, height: 900 },
          expected: /invalid-api/,
        },
      ));
  }
});
