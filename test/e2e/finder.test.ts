import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { findSerious } from './accessibility.ts';
import { fieldOf, openFinderWorld, optionsOf, search } from './finder-world.ts';

let world: Awaited<ReturnType<typeof openFinderWorld>>;
before(async () => {
  world = await openFinderWorld();
});
after(() => world.end());

/** Opens a page of another origin, and the bar in it. */
async function open(page: Page, body = world.script + world.config(), more: object = {}): Promise<void> {
  await page.goto(world.host.put({ body, ...more }));
  await fieldOf(page).waitFor();
}

const titleOf = (page: Page, at: number) => optionsOf(page).nth(at).locator('[part=title]').textContent();
const barsOf = (page: Page) => page.locator('finder-bar').count();

/** Lets an answer of the search come when the test says so: resolves, when it is asked for, to what lets it. */
async function holdAnswer(page: Page, query: string): Promise<() => void> {
  const isAsked = Promise.withResolvers<() => void>();
  await page.route(`**/search?query=${query}&*`, async (route) => {
    const isLet = Promise.withResolvers<void>();
    isAsked.resolve(isLet.resolve);
    await isLet.promise;
    // Where it was cancelled there is nothing to go on with.
    await route.continue().catch(() => {});
  });
  return isAsked.promise;
}

describe('a page of another origin', () => {
  test('under the strictest policy and Trusted Types searches, and shows what it must show as text', () =>
    world.onPage(async (page) => {
      await open(page, undefined, {
        csp: world.strictCsp,
        headers: { 'Cross-Origin-Embedder-Policy': 'require-corp' },
      });
      await search(page, 'tomatoes');
      assert.equal(await optionsOf(page).count(), 3);
      assert.equal(await page.locator('finder-bar b').count(), 0);
      const titles = await page.locator('[part=title]').allTextContents();
      assert.ok(titles.includes('Tomato soup <b>& more</b>'), String(titles));
      const first = optionsOf(page).first();
      assert.equal(await first.getAttribute('href'), 'https://garden.example/vegetables/tomatoes');
      assert.equal(await first.locator('[part=title] .pf-highlight').textContent(), 'tomatoes');
      // Its looks need no exception for styles.
      const shown = await fieldOf(page).evaluate((input) => getComputedStyle(input).fontSize);
      assert.equal(shown, '16px');
    }));

  for (const [title, body] of [
    [
      'that calls init, then init_finder',
      'const finder = await import(at); await finder.default(); finder.init_finder();',
    ],
    [
      'that calls them without waiting',
      'import(at).then((f) => { f.init().then(f.init_finder); f.init_finder(); f.init_finder(); });',
    ],
    [
      'that loads the script twice',
      "await Promise.all([import(at), import(at + '?again')]).then((all) => all.map((f) => f.init_finder()));",
    ],
  ] as const) {
    test(`${title} has one bar`, () =>
      world.onPage(async (page) => {
        await open(
          page,
          `${world.script}${world.config()}<script type="module">const at = '${world.server.url}/finder.js'; ${body} document.body.dataset.done = ''</script>`,
        );
        await page.locator('body[data-done]').waitFor();
        await page.evaluate(() => new Promise(requestAnimationFrame));
        assert.equal(await barsOf(page), 1);
      }));
  }

  test('that makes the element later needs to call nothing, and its place may come later still', () =>
    world.onPage(
      async (page) => {
        await page.goto(world.host.put({ body: world.script }));
        await page.waitForFunction(() => customElements.get('finder-config'));
        await page.evaluate((id) => {
          const config = document.createElement('finder-config');
          config.dataset.siteId = id;
          config.setAttribute('data-append-as-child-to', '#late');
          document.body.append(config);
        }, world.siteId);
        assert.equal(await page.locator('finder-config + finder-bar').count(), 1);
        await page.evaluate(async (at) => {
          document.body.append(Object.assign(document.createElement('div'), { id: 'late' }));
          (await import(at)).init_finder();
        }, `${world.server.url}/finder.js`);
        assert.equal(await page.locator('#late > finder-bar').count(), 1);
        await search(page, 'tomatoes');
        assert.equal(await barsOf(page), 1);
        await page.evaluate(() => document.querySelector('finder-config')?.remove());
        assert.equal(await barsOf(page), 0);
      },
      { expected: /nothing is #late/ },
    ));

  test('that writes attributes anew keeps what was typed, and has another bar when they say something else', () =>
    world.onPage(async (page) => {
      await open(page);
      await search(page, 'tomatoes');
      const write = (name: string, value: string) =>
        page.evaluate(
          ([name, value]) => document.querySelector('finder-config')?.setAttribute(name, value),
          [name, value],
        );
      await write('data-siteId', world.siteId);
      await write('class', 'painted');
      await page.evaluate(() => document.body.prepend(document.querySelector('finder-config') as Element));
      assert.equal(await fieldOf(page).inputValue(), 'tomatoes');
      await write('data-lang', 'de');
      await page.getByLabel('Suchen').waitFor();
      assert.equal(await fieldOf(page).inputValue(), '');
      assert.equal(await barsOf(page), 1);
    }));

  test('is told in the console what it forgot, and goes on', () =>
    world.onPage(
      async (page) => {
        const told: string[] = [];
        page.on('console', (message) => told.push(message.text()));
        await page.goto(
          world.host.put({
            body: `<finder-config></finder-config>${world.config('data-append-as-child-to="p>>"')}${world.config()}${world.script}`,
          }),
        );
        await fieldOf(page).waitFor();
        assert.equal(await barsOf(page), 1);
        assert.match(told[0], /<finder-config>: data-siteId is missing/);
        assert.match(told[1], /not a valid selector/);
      },
      { expected: /<finder-config>/ },
    ));

  test('styles the bar and its results, and reaches no more of them', () =>
    world.onPage(async (page) => {
      const hostile =
        '<style>* { all: unset } div, a, p, finder-bar { display: none; color: red !important; font-size: 50px } ' +
        'input, button { visibility: hidden } body { text-transform: uppercase; visibility: hidden; letter-spacing: 9px }</style>';
      await open(
        page,
        `${hostile}${world.script}${world.config('data-search-style="border-width: 4px; background: rgb(1, 2, 3)" data-results-style="padding: 33px"')}`,
      );
      await search(page, 'tomatoes');
      const styleOf = (part: string) =>
        page
          .locator(`finder-bar [part=${part}]`)
          .first()
          .evaluate((element) => {
            const {
              display,
              visibility,
              fontSize,
              textTransform,
              letterSpacing,
              borderTopWidth,
              paddingTop,
            } = getComputedStyle(element);
            return [display, visibility, fontSize, textTransform, letterSpacing, borderTopWidth, paddingTop];
          });
      assert.deepEqual(await styleOf('bar'), ['flex', 'visible', '16px', 'none', 'normal', '4px', '0px']);
      assert.deepEqual(await styleOf('panel'), ['block', 'visible', '16px', 'none', 'normal', '1px', '33px']);
      assert.equal(await fieldOf(page).isVisible(), true);
    }));

  test('whose header cuts off what is too large for it shows the whole panel', () =>
    world.onPage(async (page) => {
      await open(
        page,
        `<header style="height: 60px; overflow: hidden; transform: scale(1); position: relative" id="top"></header>
        <div style="position: relative; z-index: 99999; background: white; height: 900px">Page</div>
        ${world.config('data-append-as-child-to="top"')}${world.script}`,
      );
      await search(page, 'tomatoes');
      const at = await optionsOf(page).last().boundingBox();
      const hit = await page.evaluate(
        ([x, y]) => document.elementFromPoint(x, y)?.localName,
        [(at?.x ?? 0) + 20, (at?.y ?? 0) + 10],
      );
      assert.equal(hit, 'finder-bar');
    }));

  test('with the cookie override-site searches the other site', () =>
    world.onPage(async (page) => {
      const other = await world.makeSite([
        { title: 'Tomatoes elsewhere', body: '', url: 'https://other.example/' },
      ]);
      await page.context().addCookies([{ name: 'override-site', value: other, url: world.host.url }]);
      await open(page);
      await search(page, 'tomatoes');
      assert.deepEqual(await page.locator('[part=title]').allTextContents(), ['Tomatoes elsewhere']);
    }));

  test('keeps its own shortcuts, of which typing in the bar sets off none', () =>
    world.onPage(async (page) => {
      await open(
        page,
        `${world.script}${world.config()}<script>heard = []; addEventListener('keydown', (event) => heard.push(event.key))</script>`,
      );
      await fieldOf(page).press('s');
      await fieldOf(page).press('Control+k');
      await fieldOf(page).press('Tab');
      const heard = await page.evaluate(() => (window as unknown as { heard: string[] }).heard);
      assert.deepEqual(heard, ['Control', 'k', 'Tab']);
    }));

  test('is asked for nothing by anybody else: no cookie, no referrer, no third party', () =>
    world.onPage(async (page) => {
      const asked: { url: string; headers: Record<string, string> }[] = [];
      page.on('request', async (request) => {
        const headers = await request.allHeaders().catch(() => ({}));
        asked.push({ url: request.url(), headers });
      });
      await page.context().addCookies([{ name: 'who', value: 'me', url: world.server.url }]);
      await open(page);
      await search(page, 'soil');
      const ours = asked.filter(({ url }) => !url.startsWith(world.host.url));
      assert.ok(ours.every(({ url }) => url.startsWith(world.server.url)));
      const query = ours.find(({ url }) => url.includes('/search?'));
      assert.equal(query?.headers.cookie, undefined);
      assert.equal(query?.headers.referer, undefined);
    }));
});

describe('the home page', () => {
  /** The home page as a server would send it whose demo searches the site of this id. */
  const withSite = (page: Page, siteId: string) =>
    page.route(`${world.server.url}/`, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/data-site="[^"]*"/, `data-site="${siteId}"`);
      await route.fulfill({ response, body });
    });

  test('of a server without a site to show says nothing of search, and loads nothing for it', () =>
    world.onPage(async (page) => {
      await withSite(page, '');
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.goto(`${world.server.url}/`, { waitUntil: 'networkidle' });
      assert.equal(await page.locator('#search').isVisible(), false);
      assert.ok(!asked.some((url) => url.endsWith('/finder.js')));
    }));

  test('of one that has a site searches it, under its own policy', () =>
    world.onPage(async (page) => {
      await withSite(page, world.siteId);
      await page.goto(`${world.server.url}/`);
      await search(page, 'tomatoes');
      assert.equal(await optionsOf(page).count(), 3);
      assert.deepEqual(await findSerious(page), []);
      const embed = page.locator('[data-part=embed]');
      assert.match(
        String(await embed.textContent()),
        /^<finder-config data-siteId="[\w-]{36}"><\/finder-config>\n<script/,
      );
    }));

  test('of the demo searches the documentation', () =>
    world.onPage(async (page) => {
      await page.goto(`${world.server.url}/`);
      await page.locator('[data-part=crawl-state]', { hasText: 'found by the crawler' }).waitFor();
      await search(page, 'siteverify');
      assert.ok((await optionsOf(page).count()) > 0);
    }));
});

describe('analytics', () => {
  const page = (tracking = 'data-analyticsTrackingId="G-1"') =>
    `<script>told = []; gtag = (...all) => told.push(all)</script>${world.script}${world.config(tracking)}`;
  const toldOn = (on: Page) =>
    on.evaluate(() =>
      (window as unknown as { told: [string, string, { page_location: string }][] }).told.map(
        ([command, event, view]) => [command, event, new URL(view.page_location).search],
      ),
    );

  test('hear of a query once, when its visitor has done with it', () =>
    world.onPage(async (on) => {
      await open(on, page());
      await search(on, 'tomat');
      await search(on, 'tomatoes');
      await fieldOf(on).press('Enter');
      await on.waitForFunction(() => (window as unknown as { told: unknown[] }).told.length > 0);
      await fieldOf(on).press('Enter');
      assert.deepEqual(await toldOn(on), [['event', 'page_view', '?query=tomatoes']]);
    }));

  test('hear of it when a visitor just reads the results', () =>
    world.onPage(async (on) => {
      await on.clock.install();
      await open(on, page());
      const answered = on.waitForResponse('**/search?*');
      await fieldOf(on).fill('soil');
      await on.clock.runFor(200);
      await answered;
      await optionsOf(on).first().waitFor();
      assert.deepEqual(await toldOn(on), []);
      await on.clock.runFor(2000);
      assert.deepEqual(await toldOn(on), [['event', 'page_view', '?query=soil']]);
    }));

  test('that throw, or that were not asked for, change nothing', () =>
    world.onPage(
      async (on) => {
        await open(on, page(''));
        await search(on, 'soil');
        await fieldOf(on).press('Enter');
        assert.deepEqual(await toldOn(on), []);
        await open(
          on,
          `<script>gtag = () => { throw new Error('no') }</script>${page().replace(/told = .*?\)<\/script>/, '</script>')}`,
        );
        await search(on, 'soil');
        await fieldOf(on).press('Enter');
        assert.equal(await optionsOf(on).count(), 10);
      },
      { expected: /not reported/ },
    ));
});

describe('by keyboard alone', () => {
  test('a result is found, chosen and opened', () =>
    world.onPage(async (page) => {
      await page.route('https://garden.example/**', (route) => route.fulfill({ body: 'There' }));
      await open(page);
      await page.keyboard.press('Tab');
      await page.keyboard.type('soil');
      await optionsOf(page).first().waitFor();
      const field = fieldOf(page);
      assert.equal(await field.getAttribute('aria-expanded'), 'true');
      const active = async () => [
        await field.getAttribute('aria-activedescendant'),
        await page.locator('[aria-selected=true]').count(),
      ];
      assert.deepEqual(await active(), [null, 0]);
      await page.keyboard.press('ArrowDown');
      assert.deepEqual(await active(), ['result-0', 1]);
      await page.keyboard.press('End');
      assert.deepEqual(await active(), ['result-9', 1]);
      const inSight = await page.locator('[aria-selected=true]').evaluate((option) => {
        const panel = option.closest('[part=panel]')?.getBoundingClientRect();
        return option.getBoundingClientRect().bottom <= (panel?.bottom ?? 0);
      });
      assert.equal(inSight, true);
      await page.keyboard.press('ArrowDown');
      assert.deepEqual(await active(), [null, 0]);
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Home');
      assert.deepEqual(await active(), ['result-0', 1]);
      const href = await page.locator('[aria-selected=true]').getAttribute('href');
      await page.keyboard.press('Enter');
      await page.waitForURL(String(href));
    }));

  test('a result opens in a new tab as a link does', () =>
    world.onPage(async (page) => {
      const there = world.host.put({ body: 'There' });
      const site = await world.makeSite([{ title: 'There', body: '', url: there }]);
      await open(page, world.script + world.config('', site));
      await search(page, 'there');
      await page.keyboard.press('ArrowDown');
      const opened = page.context().waitForEvent('page');
      await page.keyboard.press('Control+Enter');
      await (await opened).waitForURL(there);
      assert.notEqual(page.url(), there);
    }));

  test('categories, more results and the way out are reached by Tab', () =>
    world.onPage(async (page) => {
      await open(page, `${world.script}${world.config()}<a href="#end">Behind</a>`);
      await search(page, 'soil');
      const inner = () =>
        page.evaluate(
          () =>
            document.activeElement?.shadowRoot?.activeElement?.textContent ??
            document.activeElement?.textContent,
        );
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      assert.equal(await inner(), 'soil 23');
      await page.keyboard.press('Tab');
      assert.equal(await inner(), 'winter 11');
      const answered = page.waitForResponse(/label=winter/);
      await page.keyboard.press('Space');
      await answered;
      await page.getByText('11 results').first().waitFor();
      // The keyboard is still where it was.
      assert.equal(await inner(), 'winter 11');
      assert.equal(await page.locator('[part=category][aria-pressed=true]').textContent(), 'winter 11');
      await page.keyboard.press('Tab');
      assert.equal(await inner(), 'More results');
      await page.keyboard.press('Enter');
      await optionsOf(page).nth(10).waitFor();
      assert.equal(await optionsOf(page).count(), 11);
      await page.keyboard.press('Escape');
      assert.equal(await optionsOf(page).first().isVisible(), false);
      assert.equal(await fieldOf(page).inputValue(), 'soil');
      await page.keyboard.press('Escape');
      assert.equal(await fieldOf(page).inputValue(), '');
      await page.keyboard.press('Tab');
      assert.equal(await inner(), 'Behind');
    }));

  test('who leaves the bar leaves no panel open', () =>
    world.onPage(async (page) => {
      await open(page, `${world.script}<button>Before</button>${world.config()}`);
      await search(page, 'soil');
      await page.keyboard.press('Shift+Tab');
      await page.locator('[part=panel]').waitFor({ state: 'hidden' });
      await fieldOf(page).click();
      await page.locator('[part=panel]').waitFor({ state: 'visible' });
      await page.locator('h1').click();
      await page.locator('[part=panel]').waitFor({ state: 'hidden' });
    }));

  test('what an input method composes is its own', () =>
    world.onPage(async (page) => {
      await open(page);
      await search(page, 'soil');
      await fieldOf(page).dispatchEvent('keydown', { key: 'ArrowDown', isComposing: true });
      assert.equal(await page.locator('[aria-selected=true]').count(), 0);
      await fieldOf(page).dispatchEvent('keydown', { key: 'ArrowDown', isComposing: false });
      assert.equal(await page.locator('[aria-selected=true]').count(), 1);
    }));
});

describe('answers', () => {
  test('that come late are of no account, and their requests are cancelled', () =>
    world.onPage(async (page) => {
      await open(page);
      const hold = { soil: holdAnswer(page, 'soil'), tomatoes: holdAnswer(page, 'tomatoes') };
      const cancelled = page.waitForEvent('requestfailed');
      await fieldOf(page).fill('soil');
      const letSoil = await hold.soil;
      await fieldOf(page).fill('tomatoes');
      assert.match((await cancelled).url(), /query=soil&/);
      const letTomatoes = await hold.tomatoes;
      letSoil();
      letTomatoes();
      await optionsOf(page).first().waitFor();
      await page.locator('finder-bar [part=root]:not(.turning)').waitFor();
      assert.equal(await optionsOf(page).count(), 3);
    }));

  test('of what is typed in one breath are asked for once', () =>
    world.onPage(async (page) => {
      await open(page);
      const asked: string[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/search?'))
          asked.push(String(new URL(request.url()).searchParams.get('query')));
      });
      await fieldOf(page).pressSequentially('tomatoes');
      await optionsOf(page).first().waitFor();
      await page.locator('[part=root]:not(.turning)').waitFor();
      assert.equal(asked.at(-1), 'tomatoes');
      assert.ok(asked.length < 8, String(asked));
    }));

  test('are told to screen readers when the typing is over', () =>
    world.onPage(async (page) => {
      await open(page);
      await page.evaluate(() => {
        const status = document
          .querySelector('finder-bar')
          ?.shadowRoot?.querySelector('[role=status]') as Node;
        const said: string[] = [];
        Object.assign(window, { said });
        new MutationObserver(() => status.textContent && said.push(status.textContent)).observe(status, {
          childList: true,
        });
      });
      await search(page, 'so');
      await search(page, 'soil');
      const said = () => page.evaluate(() => (window as unknown as { said: string[] }).said);
      await page.waitForFunction(() => (window as unknown as { said: string[] }).said.length > 0);
      assert.deepEqual(await said(), ['24 results']);
    }));

  test('hold no result, or none in a category, and say what helps', () =>
    world.onPage(async (page) => {
      await open(page);
      await search(page, 'xylophones');
      await page.getByText('Nothing found for “xylophones”').first().waitFor();
      assert.equal(await fieldOf(page).getAttribute('aria-expanded'), 'false');
      await search(page, 'soil');
      await page.getByRole('button', { name: 'winter 11' }).click();
      await page.getByRole('button', { name: 'winter 11', pressed: true }).waitFor();
      await search(page, 'soup');
      await page.getByText('Nothing found for “soup”').first().waitFor();
      // It can be given up again.
      await page.getByRole('button', { name: 'winter 0', pressed: true }).click();
      await optionsOf(page).first().waitFor();
      assert.equal(await titleOf(page, 0), 'Tomato soup <b>& more</b>');
    }));

  test('that suggest other words are asked again with them', () =>
    world.onPage(async (page) => {
      await open(page);
      await search(page, 'tomatoees');
      const suggestion = page.locator('[part=suggestion]');
      await suggestion.waitFor();
      assert.equal(await suggestion.textContent(), 'Did you mean tomatoes?');
      await suggestion.click();
      await page.locator('[part=suggestion]').waitFor({ state: 'hidden' });
      assert.equal(await fieldOf(page).inputValue(), 'tomatoes');
      assert.equal(await optionsOf(page).count(), 3);
    }));

  test('that do not come can be asked for again', () =>
    world.onPage(
      async (page) => {
        await open(page);
        await page.route('**/search?*', (route) => route.abort(), { times: 1 });
        await fieldOf(page).fill('soil');
        await page.getByText('The search cannot be reached. Are you online?').first().waitFor();
        await page.getByRole('button', { name: 'Try again' }).click();
        await optionsOf(page).first().waitFor();
        await page.route('**/search?*', (route) => route.fulfill({ status: 503, body: '{}' }), { times: 1 });
        await page.getByRole('button', { name: 'More results' }).click();
        await page.getByText('does not work right now').first().waitFor();
        assert.equal(await optionsOf(page).count(), 10);
        await page.getByRole('button', { name: 'Try again' }).click();
        await optionsOf(page).nth(19).waitFor();
      },
      { expected: /ERR_FAILED|CORS|503/ },
    ));

  test('of a site that is unknown are the operator’s, who is told in the console', () =>
    world.onPage(
      async (page) => {
        const told: string[] = [];
        page.on('console', (message) => told.push(message.text()));
        const unknown = '00000000-0000-4000-8000-000000000000';
        await open(page, world.script + world.config('', unknown));
        await fieldOf(page).fill('soil');
        await page.getByText('does not work right now').first().waitFor();
        assert.equal(await page.getByRole('button', { name: 'Try again' }).isVisible(), false);
        assert.ok(told.some((line) => line.includes(`no site ${unknown}`)));
      },
      { expected: /404|no site/ },
    ));
});

describe('looks', () => {
  const inTheDark = '<meta name="color-scheme" content="light dark">';
  for (const [title, options, attributes] of [
    ['in the light', {}, ''],
    ['in the dark', { colorScheme: 'dark' }, ''],
    ['on a small phone', { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }, ''],
    ['from right to left, with little motion', { reducedMotion: 'reduce' }, 'data-lang="ar"'],
    ['with forced colours', { forcedColors: 'active' }, ''],
    ['dark on a light page', {}, 'data-theme="dark"'],
  ] as const) {
    test(`${title} are without serious barriers in every state`, () =>
      world.onPage(
        async (page) => {
          await open(
            page,
            `${inTheDark}<meta name="viewport" content="width=device-width">${world.script}${world.config(attributes)}`,
          );
          const check = async (state: string) => assert.deepEqual(await findSerious(page), [], state);
          await check('empty');
          for (const query of ['tomatoes', 'soil', 'tomatoees', 'xylophones']) {
            await search(page, query);
            await check(query);
            const { isWide, left, right } = await page.evaluate(() => {
              const panel = document.querySelector('finder-bar')?.shadowRoot?.querySelector('[part=panel]');
              const { left = 0, right = 0 } = panel?.getBoundingClientRect() ?? {};
              const { scrollWidth, clientWidth } = document.documentElement;
              return { isWide: scrollWidth > clientWidth, left, right: clientWidth - right };
            });
            assert.equal(isWide, false);
            assert.ok(left >= 0 && right >= 0, `${left}, ${right}`);
          }
          await search(page, 'soil');
          await fieldOf(page).press('ArrowDown');
          await page.locator('[part=category]').first().click();
          await page.locator('[part=category][aria-pressed=true]').waitFor();
          await fieldOf(page).press('ArrowDown');
          await check('chosen');
          await page.route('**/search?*', (route) => route.abort());
          await fieldOf(page).fill('failing');
          await page.locator('[part=retry]').waitFor();
          await check('failed');
        },
        { ...options, expected: /ERR_FAILED|CORS/ },
      ));
  }

  test('follow the page: dark only where the page is', () =>
    world.onPage(
      async (page) => {
        const background = () =>
          page.locator('[part=bar]').evaluate((bar) => getComputedStyle(bar).backgroundColor);
        await open(page);
        assert.equal(await background(), 'rgb(255, 255, 255)');
        await open(page, inTheDark + world.script + world.config());
        assert.equal(await background(), 'rgb(24, 29, 26)');
      },
      { colorScheme: 'dark' },
    ));

  test('run as the text of the page around them does', () =>
    world.onPage(async (page) => {
      await open(page, `${world.script}<div dir="rtl">${world.config()}</div>`);
      await search(page, 'soil');
      const [field, icon] = await Promise.all(
        ['input', 'icon'].map((part) => page.locator(`[part=${part}]`).boundingBox()),
      );
      assert.ok((icon?.x ?? 0) > (field?.x ?? 0));
    }));

  for (const [language, label, direction] of [
    ['de', 'Suchen', 'ltr'],
    ['fr', 'Rechercher', 'ltr'],
    ['es', 'Buscar', 'ltr'],
    ['ar', 'بحث', 'rtl'],
  ] as const) {
    test(`speak ${language} where the page does`, () =>
      world.onPage(async (page) => {
        await open(page, undefined, { lang: language });
        assert.equal(await fieldOf(page).getAttribute('aria-label'), label);
        const shown = await page.locator('[part=root]').evaluate((root) => getComputedStyle(root).direction);
        assert.equal(shown, direction);
      }));
  }
});
