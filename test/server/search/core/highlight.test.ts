import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { escapeHtml, highlight } from '../../../../server/search/core/highlight.ts';

const OPEN = '<span class="pf-highlight">';

/** What a reader sees: without our spans, and with the escapes undone. Shares no code with what is tested. */
const shownBy = (html: string) =>
  html
    .replaceAll(OPEN, '')
    .replaceAll('</span>', '')
    .replace(
      /&(lt|gt|quot|#39|amp);/g,
      (_, name) => ({ lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' })[name as string] as string,
    );

const withoutBidi = (text: string) =>
  text.toWellFormed().replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');

// Pieces that an attack or a bug is made of, mixed with any text there is.
const piece = fc.oneof(
  fc.constantFrom(
    '<',
    '>',
    '&',
    '"',
    "'",
    '&lt;',
    '&amp;lt;',
    OPEN,
    '</span>',
    '<script>',
    '<!--',
    ']]>',
    '\0',
    '`',
    '=',
  ),
  fc.constantFrom(
    '\u202e',
    '\u2066',
    '\u200f',
    '\ud83d\ude00',
    '\ud800',
    '\udc00',
    'שלום',
    '👩‍👩‍👧',
    'e\u0301',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
const orderedRanges = (length: number) =>
  fc.uniqueArray(fc.nat(length), { maxLength: 8 }).map((cuts) => {
    const sorted = cuts.sort((a, b) => a - b);
    return Array.from(
      { length: Math.floor(sorted.length / 2) },
      (_, i) => [sorted[2 * i], sorted[2 * i + 1]] as const,
    );
  });
const marked = text.chain((given) => orderedRanges(given.length).map((ranges) => ({ text: given, ranges })));
const wild = text.chain((given) =>
  fc
    .array(fc.tuple(fc.integer({ min: -5, max: 40 }), fc.integer({ min: -5, max: 40 })))
    .map((ranges) => ({ text: given, ranges })),
);

describe('a marked text as HTML', () => {
  test('has no markup but our spans, balanced and not nested', () =>
    fc.assert(
      fc.property(fc.oneof(marked, wild), (given) => {
        const tags = highlight(given).match(/<[^>]*>?/g) ?? [];
        for (const [i, tag] of tags.entries()) assert.equal(tag, i % 2 === 0 ? OPEN : '</span>');
        assert.equal(tags.length % 2, 0);
        assert.doesNotMatch(highlight(given).replaceAll(OPEN, ''), /["']|&(?!(lt|gt|quot|#39|amp);)/);
      }),
      { numRuns: 2_000 },
    ));

  test('shows the text, without bidi controls', () =>
    fc.assert(
      fc.property(fc.oneof(marked, wild), (given) => {
        assert.equal(shownBy(highlight(given)), withoutBidi(given.text));
      }),
      { numRuns: 2_000 },
    ));

  test('marks what the ranges name', () =>
    fc.assert(
      fc.property(marked, ({ text: given, ranges }) => {
        const spans = [
          ...highlight({ text: given, ranges }).matchAll(/<span class="pf-highlight">(.*?)<\/span>/gs),
        ];
        assert.ok(spans.length <= ranges.length);
        const isWhole = ranges.every(
          ([from, to]) => given.isWellFormed() && given.slice(from, to).isWellFormed(),
        );
        if (isWhole) {
          assert.deepEqual(
            spans.map(([, inner]) => shownBy(inner)),
            ranges.map(([from, to]) => withoutBidi(given.slice(from, to))),
          );
        }
      }),
      { numRuns: 1_000 },
    ));

  test('never tears a pair', () => {
    assert.equal(highlight({ text: 'a😀b', ranges: [[2, 3]] }), `a${OPEN}😀</span>b`);
    assert.equal(highlight({ text: 'a😀b', ranges: [[0, 2]] }), `${OPEN}a😀</span>b`);
    assert.equal(
      highlight({
        text: '😀😀',
        ranges: [
          [0, 1],
          [1, 3],
        ],
      }),
      `${OPEN}😀</span>${OPEN}😀</span>`,
    );
  });
});

test('the guard notices a tag that is let through', () => {
  const careless = ({ text: given }: { text: string }) => escapeHtml(given).replaceAll('&lt;', '<');
  assert.throws(() =>
    fc.assert(
      fc.property(marked, (given) => assert.equal((careless(given).match(/<[^>]*>?/g) ?? []).length, 0)),
    ),
  );
});
