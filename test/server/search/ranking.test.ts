import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { IndexBackend, IndexPage } from '../../../server/search/core/ports.ts';
import { makePage, request } from '../../index-pages.ts';
import { openIndex } from '../../open-index.ts';

const filler =
  'Some more text stands here so that pages have a length of their own, as pages of a real site do. ';

// The corpus: name of the page, and what it holds.
const CORPUS: [name: string, given: Partial<IndexPage>][] = [
  ['cpp', { title: 'C++', body: `The language C++ and its standard library. ${filler}` }],
  ['csharp', { title: 'C#', body: `The language C# on .NET. ${filler}` }],
  ['c', { title: 'C', body: `The language C is older than its children. ${filler}` }],
  ['node', { title: 'Node.js guide', body: `How to serve with node.js and snake_case names. ${filler}` }],
  [
    'vector',
    {
      title: 'Containers',
      body: `A std::vector grows; parseHttpHeader does not. UTF-8 and IPv6 are there. ${filler}`,
    },
  ],
  ['hamlet', { title: 'Hamlet', body: `To be, or not to be, that is the question. ${filler}` }],
  [
    'notes',
    { title: 'Notes', body: `It is not that there is to be an answer; or to whom. ${filler}${filler}` },
  ],
  ['receive', { title: 'How to receive parcels', body: `You receive a parcel at the counter. ${filler}` }],
  ['running', { title: 'Running shoes', body: `Shoes for runners who run. ${filler}` }],
  [
    'strasse',
    {
      title: 'Straße und Häuser',
      body: `Die Straße ist lang und die Häuser sind alt, und der Weg ist nicht weit. ${filler}`,
      language: 'de',
    },
  ],
  ['tokyo', { title: '東京都の案内', body: '東京都には多くの人が住んでいます。電車で行きます。' }],
  ['bangkok', { title: 'กรุงเทพ', body: 'กรุงเทพเป็นเมืองหลวงของประเทศไทย' }],
  ['seoul', { title: '서울 안내', body: '서울에서 지하철을 타고 갑니다.' }],
  ['ele', { title: 'Éléphant', body: `Un éléphant dans la savane, et les oiseaux sont avec lui. ${filler}` }],
  ['moscow', { title: 'Книги', body: 'Мы читали новые книги о городе и его истории.' }],
  ['car', { title: 'Automobile repair', body: `We repair every automobile. ${filler}` }],
  ['pear', { title: 'Fruit', body: `green pear ${filler} apple tree` }],
  ['apple', { title: 'Orchard', body: `a green apple stands here ${filler} pear tree` }],
];

let index: IndexBackend;
before(async () => {
  const opened = await openIndex();
  index = opened.index;
  // Numbers in the URLs, so that no name of a page helps to find it.
  const pages = CORPUS.map(([, given], i) => makePage(`p${i}`, given));
  await index.put('site', pages, 1_000);
  process.once('beforeExit', opened.close);
});

const namesFor = async (query: string, given = {}) =>
  (await index.search('site', request(query, given))).hits.map(
    ({ page }) => CORPUS[Number(page.url.slice(21))][0],
  );

const FIRST: [query: string, first: string, why: string][] = [
  ['C++', 'cpp', 'a name with signs is first for its own name'],
  ['c#', 'csharp', 'a name with signs is first for its own name'],
  ['C', 'c', 'a name of one letter, too'],
  ['.NET', 'csharp', 'a name that begins with a dot'],
  ['node.js', 'node', 'a name with a dot'],
  ['node js', 'node', 'its parts'],
  ['std::vector', 'vector', 'a qualified name'],
  ['snake_case', 'node', 'words joined by underscores'],
  ['http header', 'vector', 'parts of a camelCase name'],
  ['parsehttpheader', 'vector', 'the whole of it'],
  ['utf-8', 'vector', 'a name with a hyphen'],
  ['ipv6', 'vector', 'letters and digits'],
  ['to be or not to be', 'hamlet', 'stop words alone'],
  ['recieve ', 'receive', 'neighbours exchanged'],
  ['parcl ', 'receive', 'a letter missing'],
  ['run', 'running', 'another form'],
  ['runs', 'running', 'another form'],
  ['strasse', 'strasse', 'ß is ss'],
  ['haus ', 'strasse', 'a German form'],
  ['elephant', 'ele', 'without its accents'],
  ['ÉLÉPHANT', 'ele', 'in capitals'],
  ['東京', 'tokyo', 'a word inside of another'],
  ['電車', 'tokyo', 'Japanese'],
  ['เมืองหลวง', 'bangkok', 'Thai'],
  ['서울', 'seoul', 'Korean, with a particle in the text'],
  ['книга', 'moscow', 'Russian, another case'],
  ['orch', 'apple', 'the beginning of a word'],
  ['green apple', 'apple', 'words that stand together'],
  ['hamlet', 'hamlet', 'a title'],
];

for (const [query, first, why] of FIRST) {
  test(`first for ${JSON.stringify(query.trim())} is ${first}: ${why}`, async () => {
    assert.equal((await namesFor(query))[0], first);
  });
}

test('a synonym of the site finds what is called by the other name', async () => {
  assert.deepEqual(await namesFor('car '), []);
  assert.deepEqual(await namesFor('car ', { synonyms: [['car', 'automobile']] }), ['car']);
  assert.equal(
    (await namesFor('horseless carriage ', { synonyms: [['horseless carriage', 'automobile']] }))[0],
    'car',
  );
});

test('a wrong first letter counts double: forgiven in a long word only', async () => {
  assert.deepEqual(await namesFor('xarcel '), []);
  assert.equal((await namesFor('eutomobile '))[0], 'car');
});

test('short words are taken as they are', async () => {
  assert.deepEqual(await namesFor('peer '), []);
});

test('what was likely meant is suggested in the words that were typed', async () => {
  const { suggestion } = await index.search('site', request('recieve parcels'));
  assert.equal(suggestion, 'receive parcels');
  assert.equal((await index.search('site', request('receive parcels'))).suggestion, null);
});

test('the snippet is cut around the words, and marks them', async () => {
  const body = `${'Nothing of interest stands here at all. '.repeat(400)}The zeppelin landed at noon. ${'And so it went on for long. '.repeat(400)}`;
  await index.put('long', [makePage('long', { body })], 10);
  const [hit] = (await index.search('long', request('zeppelin landed'))).hits;
  const { text, ranges } = hit.snippet;
  assert.match(text, /^… .*The zeppelin landed at noon\..* …$/);
  assert.deepEqual(
    ranges.map(([start, end]) => text.slice(start, end)),
    ['zeppelin landed'].flatMap((both) => both.split(' ')),
  );
});

test('in a short query a title says more than a text, and the form that was typed more than another', async () => {
  const { index, close } = await openIndex();
  const often = 'The lathe turns; a lathe is loud; every lathe has a bed. ';
  await index.put(
    'site',
    [
      makePage('text', {
        title: 'All about the workshop and its machines',
        body: `${often.repeat(6)}${filler}`,
      }),
      makePage('title', { title: 'Our lathe', body: `lathe ${filler.repeat(4)}` }),
      makePage('long', {
        title: 'Where our lathe stands beside many other machines',
        body: filler.repeat(4),
      }),
      makePage('form', { title: 'Our lathes', body: filler.repeat(4) }),
      ...Array.from({ length: 30 }, (_, n) => makePage(`other${n}`, { title: `Page ${n}`, body: filler })),
    ],
    1_000,
  );
  const first = async (query: string) =>
    (await index.search('site', request(query))).hits.map(({ page }) => page.url.split('/').at(-1));
  assert.equal((await first('lathe '))[0], 'title');
  assert.equal((await first('lathes '))[0], 'form');
  await close();
});

test('what is remembered of a word goes with the next write', async () => {
  const { index, close } = await openIndex();
  const total = async () => (await index.search('site', request('plough '))).total;
  await index.put('site', [makePage('a', { body: 'plough' })], 10);
  assert.equal(await total(), 1);
  await index.put('site', [makePage('b', { body: 'plough' })], 10);
  assert.equal(await total(), 2);
  await index.remove('site', [makePage('a').id]);
  assert.equal(await total(), 1);
  await close();
});

/** Pages by name, the first one expected first; `others` are there so that words have a frequency. */
const ORDERS: { why: string; query: string; pages: Record<string, Partial<IndexPage>>; others: string }[] = [
  {
    why: 'a part of a long camelCase name is not the whole of its title',
    query: 'member ',
    pages: {
      word: { title: 'Member access', body: filler },
      part: { title: 'MatchEventStackInMemberFunction', body: filler },
    },
    others: 'Nothing else.',
  },
  {
    why: 'stop words of a title that was typed tell which of two pages is meant',
    query: 'conversions to and from',
    pages: {
      typed: { title: 'Conversions to and from pointers', body: filler },
      shorter: { title: 'Pointer conversions', body: filler },
    },
    others: 'It is said to and fro, and from the start to the end.',
  },
  {
    why: 'stop words of a sentence that was pasted tell where it stands',
    query: 'the lock is not held',
    pages: {
      pasted: { body: `${filler} At the end the lock is not held by anyone. ${filler}` },
      both: { body: `${filler} Held for long, a lock does harm. A lock that was held is free. ${filler}` },
    },
    others: 'It is not the end.',
  },
  {
    why: 'one word of three in a title says less than all three in a text',
    query: 'vapour turbine bearing ',
    pages: {
      text: {
        title: 'Notes',
        body: `A vapour turbine has a bearing; no turbine without a bearing. ${filler}`,
      },
      title: {
        title: 'A bearing for the mill',
        body: `${filler} A turbine stands there. ${filler} Vapour is hot. ${filler}`,
      },
    },
    others: 'A mill and some vapour.',
  },
  {
    why: 'where no page has all words, a rare one says more than two that many have',
    query: 'zircon plain paper ',
    pages: {
      rare: { body: `Zircon is a stone. Zircon shines. ${filler}` },
      frequent: { body: `Some plain words on paper. ${filler}` },
    },
    others: 'A plain page of paper.',
  },
  {
    why: 'a rare word stays rare beside a frequent one that is spelled nearly so',
    query:
      'what may we know about quarks, their colours, their charges, their spins and the garden they grow in',
    pages: {
      rare: { body: `Here are quarks. ${filler}` },
      frequent: { body: `A garden of colours. ${filler}` },
    },
    others: 'Quarts of colours and a garden.',
  },
];

for (const { why, query, pages, others } of ORDERS) {
  test(`order for ${JSON.stringify(query.trim())}: ${why}`, async () => {
    const { index, close } = await openIndex();
    const named = Object.entries(pages).map(([name, given]) => makePage(name, { title: 'A page', ...given }));
    const rest = Array.from({ length: 80 }, (_, n) =>
      makePage(`other${n}`, { title: `Other ${n}`, body: `${others} ${filler}` }),
    );
    await index.put('site', [...rest, ...named.reverse()], 1_000);
    const { hits } = await index.search('site', request(query));
    const found = hits.map(({ page }) => page.url.split('/').at(-1) as string);
    assert.deepEqual(
      found.filter((name) => name in pages),
      Object.keys(pages).filter((name) => found.includes(name)),
    );
    assert.equal(found[0], Object.keys(pages)[0]);
    await close();
  });
}
