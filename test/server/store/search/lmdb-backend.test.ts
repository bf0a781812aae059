import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRandom } from '../../../../server/base/system.ts';
import { MOST_WORDS } from '../../../../server/search/core/page-postings.ts';
import { createTextTools } from '../../../../server/search/text/text-tools.ts';
import { openEnvironment } from '../../../../server/store/environment.ts';
import { KIND, plainKey, REGISTRY } from '../../../../server/store/search/keys.ts';
import { createLmdbIndex } from '../../../../server/store/search/lmdb-backend.ts';
import { SEARCH_FORMAT } from '../../../../server/store/search/site-state.ts';
import { testIndexBackend } from '../../../contract/index-backend.ts';
import { makePage, request } from '../../../index-pages.ts';
import { createNaiveIndex } from '../../../naive-index.ts';
import { openIndex } from '../../../open-index.ts';
import { makeFolder } from '../../../temporary-folder.ts';

testIndexBackend('LMDB', openIndex);
// With no room for what it could remember, it reads everything anew.
testIndexBackend('LMDB without memory', () => openIndex({ memoryBytes: 0 }));
testIndexBackend('the naive index', async () => ({ index: createNaiveIndex(), close: async () => {} }));

const MANY = 1_000_000;

test('what was put is found after a restart', async () => {
  const { folder, remove } = makeFolder();
  const before = await openIndex({ folder });
  await before.index.put('site', [makePage('a', { title: 'Pomology', body: 'apple' })], MANY);
  await before.close();
  const after = await openIndex({ folder });
  assert.equal((await after.index.search('site', request('apple'))).hits[0].title.text, 'Pomology');
  await after.close();
  remove();
});

test('calls that come together are not one transaction where they have very many words', async () => {
  const { folder, remove } = makeFolder();
  const environment = await openEnvironment(folder);
  let transactions = 0;
  const counting = {
    bytes: environment.bytes,
    write<Result>(run: () => Promise<Result>) {
      transactions++;
      return environment.write(run);
    },
  };
  const index = createLmdbIndex(counting, {
    tools: createTextTools(),
    random: systemRandom,
    mostTerms: 1_500,
  });
  const wordy = (name: string) =>
    makePage(name, {
      title: name,
      body: Array.from({ length: 1_000 }, (_, n) => `${name}word${n}`).join(' '),
    });
  const before = transactions;
  await Promise.all([
    index.put('one', [wordy('a')], MANY),
    index.put('two', [wordy('b')], MANY),
    index.put('two', [wordy('c')], MANY),
  ]);
  assert.equal(transactions - before, 3);
  await Promise.all([
    index.put('one', [makePage('d', { title: 'few' })], MANY),
    index.put('two', [makePage('e', { title: 'words' })], MANY),
  ]);
  assert.equal(transactions - before, 4);
  assert.equal((await index.search('two', request('cword999'))).total, 1);

  // One call of many words is taken in parts, so that others come in between, and still refused as a whole.
  assert.equal(await index.put('three', ['f', 'g', 'h'].map(wordy), 2), null);
  assert.equal((await index.size('three')).pages, 0);
  assert.equal(transactions - before, 5);
  const outcomes = await index.put('three', [...['f', 'g', 'h'].map(wordy), wordy('f')], 3);
  assert.deepEqual(
    outcomes?.map(({ isNew }) => isNew),
    [true, true, true, false],
  );
  assert.equal(transactions - before, 9);
  assert.equal((await index.search('three', request('hword0'))).total, 1);
  await index.close();
  await environment.close();
  remove();
});

for (const format of [SEARCH_FORMAT - 1, SEARCH_FORMAT + 1]) {
  test(`format ${format} is refused by name`, async () => {
    const { folder, remove } = makeFolder();
    const environment = await openEnvironment(folder);
    await environment.bytes('search').put(plainKey(REGISTRY, KIND.format), Buffer.of(format));
    await environment.close();
    const expected = new RegExp(`search index has format ${format}.*, this server reads ${SEARCH_FORMAT}:`);
    await assert.rejects(openIndex({ folder }), expected);
    remove();
  });
}

test('a large write leaves its pages to the next but one: the store stays below 2.5 times what is in it', async () => {
  const { folder, remove } = makeFolder();
  const { index, close } = await openIndex({ folder });
  const pages = Array.from({ length: 300 }, (_, n) =>
    makePage(`p${n}`, {
      body: Array.from({ length: 60 }, (_, k) => `w${(n * 60 + k * 7) % 5_000}`).join(' '),
    }),
  );
  for (let round = 0; round < 8; round++) await index.put('site', pages, MANY);
  await close();
  const environment = await openEnvironment(folder);
  const table = environment.bytes('search');
  const stats = table.getStats() as Record<string, number>;
  const live = stats.treeLeafPageCount + stats.treeBranchPageCount + stats.overflowPages;
  assert.ok(stats.lastPageNumber < 2.5 * live, `${stats.lastPageNumber} pages, ${live} of them in use`);
  await environment.close();
  remove();
});

test('after everything is removed no row of the site is left but its counts', async () => {
  const { folder, remove } = makeFolder();
  const { index, close } = await openIndex({ folder });
  const pages = Array.from({ length: 400 }, (_, n) =>
    makePage(`p${n}`, { title: `title ${n}`, body: `apple word${n} word${n % 7}`, labels: [`l${n % 3}`] }),
  );
  await index.put('site', pages, MANY);
  await index.remove(
    'site',
    pages.map(({ id }) => id),
  );
  assert.deepEqual(await index.size('site'), { pages: 0, bytes: 0 });
  await close();
  const environment = await openEnvironment(folder);
  const rows = [
    ...environment.bytes('search').getKeys({ start: plainKey(1, KIND.state), end: plainKey(2, KIND.state) }),
  ];
  assert.deepEqual(
    rows.map((key) => key[4]),
    [KIND.state],
  );
  await environment.close();
  remove();
});

test('a site that was dropped leaves no row', async () => {
  const { folder, remove } = makeFolder();
  const { index, close } = await openIndex({ folder });
  const pages = Array.from({ length: 300 }, (_, n) => makePage(`p${n}`, { body: `apple word${n}` }));
  await index.put('site', pages, MANY);
  await index.drop('site');
  await close();
  const environment = await openEnvironment(folder);
  const table = environment.bytes('search');
  assert.equal([...table.getKeys({ start: plainKey(1, KIND.format) })].length, 0);
  await environment.close();
  remove();
});

test('two servers over one store see what the other wrote', async () => {
  const { folder, remove } = makeFolder();
  const one = await openIndex({ folder });
  // Two handles of one process share the environment, but nothing of what each remembers.
  const two = await openIndex({ folder });
  await one.index.put('site', [makePage('a', { body: 'apple' })], MANY);
  assert.equal((await two.index.search('site', request('apple '))).total, 1);
  await two.index.put('site', [makePage('b', { body: 'apple pear' })], MANY);
  assert.equal((await one.index.search('site', request('apple '))).total, 2);
  assert.equal((await one.index.search('site', request('pear '))).total, 1);
  await one.index.remove('site', [makePage('b').id]);
  assert.equal((await two.index.search('site', request('pear '))).total, 0);
  await two.close();
  await one.close();
  remove();
});

test('of a page that is all different words the first thirty thousand are found, and its labels as well', async () => {
  const { index, close } = await openIndex();
  const body = Array.from({ length: MOST_WORDS + 500 }, (_, n) => `w${n}x`).join(' ');
  await index.put('site', [makePage('long', { title: 'long', body, labels: ['late'] })], MANY);
  const total = async (query: string, labels: string[] = []) =>
    (await index.search('site', { ...request(query), labels })).total;
  assert.equal(await total('w100x'), 1);
  assert.equal(await total(`w${MOST_WORDS + 400}x -w1x`), 0);
  assert.equal(await total('long', ['late']), 1);
  await close();
});
