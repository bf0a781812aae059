import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Addresses, renderMarkdown } from '../../../server/docs/markdown.ts';

const nowhere: Addresses = { link: (href) => href, image: () => null };
const render = (text: string, addresses = nowhere) => renderMarkdown(text, addresses);

describe('hostile Markdown is shown, and does nothing', () => {
  for (const text of [
    '<script>alert(1)</script>',
    'a <img src=x onerror=alert(1)> b',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](&#106;avascript:alert(1))',
    '[x](vbscript:x)',
    '[x](data:text/html,<script>alert(1)</script>)',
    '![x](javascript:alert(1))',
    '![" onerror="alert(1)](a.png)',
    '```"><script>alert(1)</script>\n</code></pre><script>alert(1)</script>\n```',
    '    </code><script>alert(1)</script>',
    '# <script>alert(1)</script> "x" onclick="y"',
    '| <script>alert(1)</script> |\n|---|\n| [x](javascript:alert(1)) |',
    '`<script>`',
    '<https://example.org/"onclick="alert(1)>',
    '[x](https://example.org "\\"onclick=alert(1) ")',
  ]) {
    test(JSON.stringify(text), () => {
      const { html } = render(text);
      assert.doesNotMatch(
        html,
        /<script|<img[^>]*onerror|<[^>]*\sonclick\s*=|(href|src)="(javascript|vbscript|data)/i,
      );
    });
  }

  test('however deep or long it is', () => {
    for (const text of [
      '>'.repeat(50_000),
      '['.repeat(50_000),
      '*a_'.repeat(20_000),
      `${'- '.repeat(5_000)}x`,
    ]) {
      assert.equal(typeof render(text).html, 'string');
    }
  });
});

test('headings have anchors as GitHub names them, each its own', () => {
  const { title, headings, html } = render(
    '# A title\n\n## `POST /x`, and *more*\n\n## Same\n\n### Same\n\n## Über C++',
  );
  assert.equal(title, 'A title');
  assert.deepEqual(
    headings.map(({ level, id }) => [level, id]),
    [
      [2, 'post-x-and-more'],
      [2, 'same'],
      [3, 'same-1'],
      [2, 'über-c'],
    ],
  );
  assert.match(html, /<h2 id="same">Same <a class="anchor" href="#same"/);
});

test('the first paragraph describes the page, in plain text and not too long', () => {
  assert.equal(render('# A\n\nOne `two` [three](x.md)\nfour.\n\nFive.').description, 'One two three four.');
  const long = render(`# A\n\n${'word '.repeat(100)}`).description;
  assert.ok(long.length <= 161 && long.endsWith('word…'), long);
});

test('a link that leads nowhere keeps its text, with what stands in it, and is none', () => {
  const { html } = render('see [the **source** `x`](../server/main.ts), [this](a.md) too', {
    ...nowhere,
    link: (href) => (href === 'a.md' ? '/docs/a' : null),
  });
  assert.equal(
    html,
    '<p>see <span>the <strong>source</strong> <code>x</code></span>, <a href="/docs/a">this</a> too</p>\n',
  );
});

test('a picture is laid out before it is there; one that is not served leaves its words', () => {
  const image = (src: string) =>
    src === 'a.png' ? { src: '/docs/images/a.png', width: 3, height: 2 } : null;
  const { html } = render('![one](a.png) ![two](b.png)', { ...nowhere, image });
  assert.match(html, /<img src="\/docs\/images\/a\.png" alt="one" width="3" height="2" loading="lazy"> two/);
});

test('tables and code can be scrolled by keyboard', () => {
  const { html } = render('| a |\n|---|\n| b |\n\n```js\nx < y\n```');
  assert.match(html, /<div class="wide" role="group" aria-label="Table" tabindex="0"><table>/);
  assert.match(html, /<pre tabindex="0"><code>x &lt; y\n<\/code><\/pre>/);
});
