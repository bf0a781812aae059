import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readHighlighted } from '../../../browser/finder/highlighted.ts';
import { highlight } from '../../../server/search/core/highlight.ts';

const MARK = '<span class="pf-highlight">';

for (const [html, pieces] of [
  ['', []],
  ['plain', [['plain', false]]],
  [
    `a ${MARK}b</span> c`,
    [
      ['a ', false],
      ['b', true],
      [' c', false],
    ],
  ],
  ['&lt;b&gt; &amp; &quot;x&quot; &#39;y&#39;', [['<b> & "x" \'y\'', false]]],
  // Read once only: what was escaped twice stays escaped once.
  ['&amp;lt;', [['&lt;', false]]],
  ['&nbsp;&#60;', [['&nbsp;&#60;', false]]],
  [`${MARK}open to the end`, [['open to the end', true]]],
  ['</span></span>a', [['a', false]]],
  ['<script>alert(1)</script>', [['<script>alert(1)</script>', false]]],
  ['<img src=x onerror=alert(1)>', [['<img src=x onerror=alert(1)>', false]]],
  ['<span class="pf-highlight" onclick="x">a', [['<span class="pf-highlight" onclick="x">a', false]]],
  ['<SPAN CLASS="pf-highlight">a', [['<SPAN CLASS="pf-highlight">a', false]]],
] as [string, [string, boolean][]][]) {
  test(`reads ${JSON.stringify(html)}`, () => {
    assert.deepEqual(
      readHighlighted(html),
      pieces.map(([text, isMarked]) => ({ text, isMarked })),
    );
  });
}

test('gives back what the server marked, whatever the text', () => {
  // Bidi controls and halves of surrogate pairs are the server's to take out.
  const text = fc.string({
    unit: fc.constantFrom('a', '<', '>', '&', '"', "'", ';', 'lt', '#39', '</span>', MARK, ' '),
  });
  fc.assert(
    fc.property(text, fc.nat(30), fc.nat(30), (whole, from, length) => {
      const start = Math.min(from, whole.length);
      const end = Math.min(start + length, whole.length);
      const pieces = readHighlighted(highlight({ text: whole, ranges: [[start, end]] }));
      assert.equal(pieces.map((piece) => piece.text).join(''), whole);
      assert.equal(
        pieces
          .filter(({ isMarked }) => isMarked)
          .map((piece) => piece.text)
          .join(''),
        whole.slice(start, end),
      );
    }),
  );
});
