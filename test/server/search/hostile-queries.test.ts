import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { openIndex } from '../../open-index.ts';
import { createTestSearch } from '../../test-search.ts';

const BYTES = 1_024;
const text = new TextEncoder();

/** `part` again and again, up to 1,024 bytes of UTF-8, without a character cut in two. */
function fill(part: string): string {
  const most = Math.floor(BYTES / text.encode(part).length);
  return part.repeat(most);
}

const WORDS =
  'class function value object error pointer window string file code version time set default'.split(' ');
/** Queries that fill the limit, each of them with what a parser, a segmenter or an index may stumble over. */
const QUERIES: Record<string, string> = {
  wildcards: fill('*'),
  'a word and wildcards': fill('clas* '),
  quotes: fill('"'),
  'quotes that never end': fill('"class '),
  'quotes of all kinds': fill('«class» “value” „code“ '),
  phrases: fill('"class function" '),
  'a phrase of 250 words': `"${fill('of ').slice(0, 1_000)}"`,
  'minus signs': fill('-'),
  exclusions: fill('-class '),
  'excluded phrases': fill('-"class value" '),
  'combining marks': fill('\u0301'),
  'letters with forty marks each': fill(`a${'\u0301'.repeat(40)}`),
  'half of a pair': fill('\ud83d '),
  'right to left': fill('\u202eשלום '),
  'Arabic ligatures': fill('ﷺ '),
  'emoji families': fill('👩‍👩‍👧‍👦'),
  flags: fill('🇩🇪'),
  joiners: fill('\u200d'),
  Chinese: fill('東京都国立大学校正門前駅'),
  Thai: fill('กรุงเทพมหานคร'),
  Korean: fill('서울특별시'),
  Khmer: fill('កម្ពុជា'),
  'mathematical letters': fill('𝕮𝖑𝖆𝖘𝖘 '),
  'dotted capital I': fill('İ'),
  letters: fill('a b c d e f g h i j k l m n o p q r s t u v w x y z '),
  'stop words': fill('the of to in is a and '),
  'unknown words': fill('cqxzvwkjyq '),
  'mistyped words': fill(WORDS.map((word) => `${word[0]}${word[2]}${word[1]}${word.slice(3)} `).join('')),
  joints: fill('std::vector.'),
  hyphens: fill('a-b-'),
  'signs after names': fill('c++ c# '),
  'one word': fill('x'),
  NULs: fill('\0'),
  'marks of the index': fill('\u0001class \u0002class '),
  'a regular expression': fill('(a+)+$'),
  HTML: fill('<b>class</b>'),
  'a prototype': fill('__proto__ constructor '),
};

type World = ReturnType<typeof createTestSearch>;
let world: World;
let site: Awaited<ReturnType<World['makeSite']>>;

before(async () => {
  const { index, close } = await openIndex();
  world = createTestSearch({ wrapIndex: () => index });
  site = await world.makeSite();
  const pages = Array.from({ length: 40 }, (_, n) => ({
    title: `${WORDS[n % WORDS.length]} ${n}`,
    body: `The ${WORDS[(n * 3) % WORDS.length]} of a ${WORDS[(n * 5) % WORDS.length]} is <b>not</b> & to be. 東京都 กรุงเทพ 서울 👩‍👩‍👧‍👦`,
    url: `https://example.org/${n}`,
    labels: n % 2 === 0 ? ['even', '\u202eodd?'] : [],
    ...(n % 3 === 0 && { published: `2024-01-${String(1 + (n % 28)).padStart(2, '0')}T00:00:00Z` }),
  }));
  await world.putPages(site, pages);
  process.once('beforeExit', close);
});

const ask = async (path: string, query: string, more = '') =>
  world.request(`/sites/${site.siteId}/${path}?query=${encodeURIComponent(query.toWellFormed())}${more}`);

const plain = (html: string) => html.replaceAll('<span class="pf-highlight">', '').replaceAll('</span>', '');

for (const [name, query] of Object.entries(QUERIES)) {
  test(`a query that is all ${name} gets an answer that holds together`, async () => {
    assert.ok(text.encode(query.toWellFormed()).length > 960);
    const first = await ask('search', query, '&limit=1000');
    assert.equal(first.statusCode, 200, first.body);
    const { total, results } = first.json();
    assert.equal(total, results.length);
    for (const { title, body, url } of results) {
      for (const html of [title, body, url]) assert.doesNotMatch(plain(html), /[<>\u202a-\u202e]/);
    }
    const byDate = (await ask('search', query, '&limit=1000&sort=date')).json();
    const ids = (found: { id: string }[]) => found.map(({ id }) => id).sort();
    assert.deepEqual(ids(byDate.results), ids(results), 'another order, the same pages');
    const beyond = (await ask('search', query, '&page=9999999&limit=1000')).json();
    assert.deepEqual([beyond.total, beyond.results], [total, []]);
    const completed = await ask('autocomplete', query);
    assert.equal(completed.statusCode, 200, completed.body);
  });
}

describe('labels', () => {
  const count = async (...labels: string[]) => {
    const more = labels.map((label) => `&label=${encodeURIComponent(label)}`).join('');
    const answer = await ask('search', 'the of class', more);
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json().total;
  };

  test('a label that no page has, or that is none, filters all', async () => {
    assert.ok((await count('even')) > 0);
    for (const label of ['', 'EVEN', '\u0001even', '\u0002', '__proto__', 'x'.repeat(10_000), '*', '%']) {
      assert.equal(await count(label), 0, label.slice(0, 20));
    }
  });

  test('64 times the same one is the same as once', async () => {
    assert.equal(await count(...Array<string>(64).fill('even')), await count('even'));
  });
});

test('synonyms that lead to one another, and to themselves, end', async () => {
  const group = (i: number) => [
    WORDS[i % WORDS.length],
    WORDS[(i + 1) % WORDS.length],
    `the ${WORDS[i % 5]}`,
  ];
  const synonyms = [
    ...Array.from({ length: 500 }, (_, i) => group(i)),
    ['class', 'class'],
    ['\u0301', 'class'],
    ['a b', 'b a'],
    ['-class', '"value"'],
  ];
  const put = await world.request({
    method: 'PUT',
    url: world.pathOf(site, '/profile'),
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ synonyms }),
  });
  assert.equal(put.statusCode, 200, put.body);
  for (const query of ['class ', 'a b ', fill(`${WORDS.join(' ')} `), '\u0301', '-class']) {
    assert.equal((await ask('search', query)).statusCode, 200);
  }
});
