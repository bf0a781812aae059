import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makePostings } from '../../server/search/core/page-postings.ts';
import type { IndexPage } from '../../server/search/core/ports.ts';
import { createTextTools } from '../../server/search/text/text-tools.ts';
import { makePage, request } from '../index-pages.ts';
import { openIndex } from '../open-index.ts';

const nasty = fc.constantFrom(
  '\ud800',
  '\udc00',
  '\u202e',
  '\u2066',
  '\0',
  '\u0001',
  '\u0002',
  '<script>',
  '&lt;',
  '"',
  '-',
  '""',
  '-"',
  '😀',
  'ß',
  'ﬁ',
  'İ',
  '\u0301',
  'C++',
  '..',
  '::',
  '__',
  '日本語',
  'ไทย',
  '한국어',
  'é',
  'a'.repeat(70),
  '１２',
  'ｶﾞ',
  '\ufeff',
  '\u200d',
  '\r\n',
  '𝒳',
  '𠀀',
  '/',
  '\\',
  '%',
  '*',
  '(',
  '[',
);
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.oneof(nasty, fc.string({ maxLength: 6 })), { maxLength: 20 }).map((parts) => parts.join('')),
);

test('no text of a page and no query throws, and marks lie within their text', async () => {
  const { index, close } = await openIndex();
  let n = 0;
  await fc.assert(
    fc.asyncProperty(
      text,
      text,
      text,
      fc.array(text, { maxLength: 3 }),
      text,
      async (title, body, heading, labels, query) => {
        const given: Partial<IndexPage> = { title, body, headings: [heading], labels };
        await index.put('s', [makePage(String(n++ % 50), given)], 1_000);
        for (const asked of [query, body.slice(0, 40), `"${title}"`]) {
          const answer = await index.search('s', request(asked, { synonyms: [[query, title]] }));
          for (const hit of answer.hits) {
            for (const { text: marked, ranges } of [hit.title, hit.snippet, hit.url]) {
              let last = 0;
              for (const [start, end] of ranges) {
                assert.ok(
                  start >= last && end > start && end <= marked.length,
                  JSON.stringify([marked, ranges]),
                );
                last = end;
              }
            }
            assert.ok(hit.snippet.text.length <= 260);
          }
          await index.autocomplete('s', asked, 8);
        }
      },
    ),
    { numRuns: 150 },
  );
  await close();
});

const tools = createTextTools();
const MEBIBYTE = 1024 * 1024;

test('one token of 1 MiB is cut, in every kind of script', () => {
  for (const character of ['a', 'A', '-a', 'aB', '漢', 'ก', '한', '.', '\u0301', '"', 'a.', '😀']) {
    const body = character.repeat(MEBIBYTE / Buffer.byteLength(character));
    const { terms, bytes } = makePostings(makePage('a', { body }), tools);
    for (const term of terms) assert.ok(term.length <= 200, `${character}: ${term.length}`);
    assert.ok(bytes.length < 200_000, `${character}: ${bytes.length} bytes`);
  }
});

test('a hundred thousand distinct words do no harm: the first thirty thousand are found, and go with their page', async () => {
  const { index, close } = await openIndex();
  const body = Array.from({ length: 100_000 }, (_, n) => `w${n.toString(36)}`).join(' ');
  const page = makePage('a', { body });
  await index.put('s', [page], 10);
  assert.equal((await index.search('s', request(`w${(27_777).toString(36)} `))).total, 1);
  assert.equal(await index.remove('s', [page.id]), 1);
  assert.equal((await index.search('s', request(`w${(27_777).toString(36)} `))).total, 0);
  await close();
});
