import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { IndexBackend } from '../../server/search/core/ports.ts';
import { makePage, request } from '../index-pages.ts';

const MANY = 1_000_000;

/** What every index keeps to. `open` gives an empty one. */
export function testIndexBackend(
  name: string,
  open: () => Promise<{ index: IndexBackend; close(): Promise<void> }>,
): void {
  describe(`${name} keeps the contract of the index`, () => {
    const check = (title: string, body: (index: IndexBackend) => Promise<void>) =>
      test(title, async () => {
        const { index, close } = await open();
        try {
          await body(index);
        } finally {
          await close();
        }
      });
    const urlsFor = async (index: IndexBackend, query: string, given = {}) =>
      (await index.search('site', request(query, given))).hits.map(({ page }) => page.url.slice(20));

    check('a page comes back as it was put, every member of it', async (index) => {
      const page = makePage('a', {
        title: 'Ünïcode — "title" <b>',
        headings: ['one', 'two'],
        body: `first\n\n${'long text 😀 '.repeat(5_000)}last`,
        labels: ['docs', 'a b'],
        thumbnail: 'https://example.org/a.png',
        language: 'en',
        updatedAtSecs: 1,
        publishedAtSecs: 2,
        source: 'crawl',
      });
      assert.deepEqual(await index.put('site', [page], MANY), [{ id: page.id, isNew: true }]);
      assert.deepEqual(await index.get('site', page.id), page);
      assert.deepEqual(await index.put('site', [page], MANY), [{ id: page.id, isNew: false }]);
      assert.deepEqual(await index.get('site', page.id), page);
      assert.equal(await index.get('site', makePage('b').id), null);
      assert.equal(await index.get('other', page.id), null);
    });

    check('a replaced page is found by its new words alone', async (index) => {
      await index.put('site', [makePage('a', { body: 'apple pear' })], MANY);
      await index.put('site', [makePage('a', { body: 'apple plum' })], MANY);
      assert.deepEqual(await urlsFor(index, 'pear '), []);
      assert.deepEqual(await urlsFor(index, 'plum '), ['a']);
      assert.deepEqual(await urlsFor(index, 'apple '), ['a']);
      assert.equal((await index.size('site')).pages, 1);
    });

    check('of two pages with one id the later wins, and the outcomes say so', async (index) => {
      const outcomes = await index.put(
        'site',
        [makePage('a', { body: 'pear' }), makePage('b', { body: 'fig' }), makePage('a', { body: 'plum' })],
        MANY,
      );
      assert.deepEqual(
        outcomes?.map(({ isNew }) => isNew),
        [true, true, false],
      );
      assert.deepEqual(await urlsFor(index, 'pear '), []);
      assert.deepEqual(await urlsFor(index, 'plum '), ['a']);
    });

    check('a site never holds more than its most, and a refusal writes nothing', async (index) => {
      const pages = [1, 2, 3].map((n) => makePage(`p${n}`, { body: 'apple' }));
      assert.equal(await index.put('site', pages, 2), null);
      assert.deepEqual(await index.size('site').then(({ pages }) => pages), 0);
      assert.deepEqual(await urlsFor(index, 'apple '), []);
      assert.equal((await index.put('site', pages.slice(0, 2), 2))?.length, 2);
      assert.equal(await index.put('site', pages.slice(2), 2), null);
      // One that is there may be replaced.
      assert.equal((await index.put('site', pages.slice(0, 1), 2))?.[0].isNew, false);
    });

    check('of 32 puts at once exactly as many get in as there is room for', async (index) => {
      const puts = Array.from({ length: 32 }, (_, n) =>
        index.put('site', [makePage(`p${n}`, { body: 'apple' })], 10),
      );
      const outcomes = await Promise.all(puts);
      assert.equal(outcomes.filter((outcome) => outcome !== null).length, 10);
      assert.equal((await index.size('site')).pages, 10);
      assert.equal((await index.search('site', request('apple '))).total, 10);
    });

    check('removed pages are gone, and counted once', async (index) => {
      const pages = ['a', 'b', 'c'].map((name) => makePage(name, { body: 'apple' }));
      await index.put('site', pages, MANY);
      const gone = [pages[0].id, pages[0].id, makePage('x').id];
      assert.equal(await index.remove('site', gone), 1);
      assert.equal(await index.remove('site', gone), 0);
      assert.equal(await index.remove('none', gone), 0);
      assert.deepEqual((await urlsFor(index, 'apple ')).sort(), ['b', 'c']);
      assert.equal(await index.get('site', pages[0].id), null);
      assert.deepEqual(await index.put('site', pages.slice(0, 1), MANY), [{ id: pages[0].id, isNew: true }]);
    });

    check('the list walks through all pages in the order of their ids', async (index) => {
      const pages = Array.from({ length: 25 }, (_, n) =>
        makePage(`p${n}`, { title: `t${n}`, body: 'apple' }),
      );
      await index.put('site', pages, MANY);
      const seen: string[] = [];
      for (let after: string | null = null; ; after = seen[seen.length - 1]) {
        const heads = await index.list('site', after, 10);
        if (heads.length === 0) break;
        assert.ok(!('body' in heads[0]));
        seen.push(...heads.map(({ id }) => id));
      }
      assert.deepEqual(seen, pages.map(({ id }) => id).sort());
    });

    check('sites never see one another, and one that is dropped is empty', async (index) => {
      await index.put('site', [makePage('a', { body: 'apple', labels: ['x'] })], MANY);
      await index.put('other', [makePage('b', { body: 'apple' }), makePage('c', { body: 'pear' })], MANY);
      assert.deepEqual(await urlsFor(index, 'apple '), ['a']);
      assert.deepEqual(await urlsFor(index, 'pear '), []);
      await index.drop('site');
      await index.drop('never');
      assert.deepEqual(await index.size('site'), { pages: 0, bytes: 0 });
      assert.deepEqual(await urlsFor(index, 'apple '), []);
      assert.deepEqual(await index.list('site', null, 10), []);
      assert.equal((await index.search('other', request('apple '))).total, 1);
      await index.put('site', [makePage('a', { body: 'plum' })], MANY);
      assert.deepEqual(await urlsFor(index, 'apple '), []);
      assert.deepEqual(await urlsFor(index, 'plum '), ['a']);
    });

    check('pages with more of the words come first, those with fewer follow', async (index) => {
      await index.put(
        'site',
        [
          makePage('one', { body: `apple ${'apple '.repeat(50)}` }),
          makePage('three', { body: `plum ${'filler '.repeat(300)} pear ${'filler '.repeat(300)} apple` }),
          makePage('two', { body: 'apple pear' }),
          makePage('none', { body: 'fig' }),
        ],
        MANY,
      );
      assert.deepEqual(await urlsFor(index, 'apple pear plum '), ['three', 'two', 'one']);
    });

    check('a phrase holds its words together and in order', async (index) => {
      await index.put(
        'site',
        [
          makePage('yes', { body: 'the green apple tree' }),
          makePage('title', { title: 'Green Apple' }),
          makePage('turned', { body: 'apple green' }),
          makePage('apart', { body: 'green and red apple' }),
          makePage('fields', { title: 'green', body: 'apple' }),
        ],
        MANY,
      );
      assert.deepEqual((await urlsFor(index, '"green apple"')).sort(), ['title', 'yes']);
      assert.deepEqual(await urlsFor(index, '"apple fig"'), []);
    });

    check('what is excluded is left out, a phrase too; exclusions alone find nothing', async (index) => {
      await index.put(
        'site',
        [
          makePage('a', { body: 'apple pear fig' }),
          makePage('b', { body: 'apple fig pear' }),
          makePage('c', { body: 'apple plum' }),
        ],
        MANY,
      );
      assert.deepEqual(await urlsFor(index, 'apple -plum -"fig pear"'), ['a']);
      for (const query of ['', '   ', '-apple', '-"apple pear"', '"', '-', '!?', '""']) {
        const answer = await index.search('site', request(query));
        assert.deepEqual([answer.total, answer.hits.length, answer.labels.length], [0, 0, 0], query);
      }
    });

    check('labels filter, all of them, and counts are of the filtered result', async (index) => {
      await index.put(
        'site',
        [
          makePage('a', { body: 'apple', labels: ['Red', 'Round'] }),
          makePage('b', { body: 'apple', labels: ['Red'] }),
          makePage('c', { body: 'apple', labels: ['Round'] }),
          makePage('d', { body: 'fig', labels: ['Red', 'Round'] }),
        ],
        MANY,
      );
      const all = await index.search('site', request('apple '));
      assert.deepEqual(Object.fromEntries(all.labels.map(({ label, count }) => [label, count])), {
        Red: 2,
        Round: 2,
      });
      const red = await index.search('site', request('apple ', { labels: ['Red'] }));
      assert.equal(red.total, 2);
      assert.deepEqual(red.labels, [
        { label: 'Red', count: 2 },
        { label: 'Round', count: 1 },
      ]);
      assert.deepEqual(await urlsFor(index, 'apple ', { labels: ['Red', 'Round'] }), ['a']);
      assert.deepEqual(await urlsFor(index, 'apple ', { labels: ['red'] }), []);
    });

    check('pages of results join up, and the total stays', async (index) => {
      await index.put(
        'site',
        Array.from({ length: 57 }, (_, n) => makePage(`p${n}`, { body: `apple ${'x '.repeat(n)}` })),
        MANY,
      );
      const seen: string[] = [];
      for (let offset = 0; offset < 60; offset += 10) {
        const answer = await index.search('site', request('apple ', { offset, limit: 10 }));
        assert.equal(answer.total, 57);
        seen.push(...answer.hits.map(({ page }) => page.id));
      }
      assert.equal(new Set(seen).size, 57);
      assert.equal(seen.length, 57);
    });

    check('sorted by date the newest is first, by publication where it is known', async (index) => {
      await index.put(
        'site',
        [
          makePage('old', { body: 'apple', updatedAtSecs: 300, publishedAtSecs: 100 }),
          makePage('new', { body: 'apple', updatedAtSecs: 10, publishedAtSecs: 4_000_000_000 }),
          makePage('middle', { body: 'apple', updatedAtSecs: 200 }),
        ],
        MANY,
      );
      assert.deepEqual(await urlsFor(index, 'apple ', { sort: 'date' }), ['new', 'middle', 'old']);
    });

    check('words of the query are marked where they stand', async (index) => {
      await index.put('site', [makePage('a', { title: 'A Green apple', body: 'apple' })], MANY);
      const [hit] = (await index.search('site', request('green apple '))).hits;
      const { text, ranges } = hit.title;
      assert.deepEqual(
        ranges.map(([start, end]) => text.slice(start, end)),
        ['Green', 'apple'],
      );
    });

    check('completions begin as the text does', async (index) => {
      await index.put(
        'site',
        [
          makePage('a', { body: 'applet apple application' }),
          makePage('b', { body: 'apple' }),
          makePage('c', { body: 'banana' }),
        ],
        MANY,
      );
      const found = await index.autocomplete('site', 'appl', 2);
      assert.equal(found.length, 2);
      assert.equal(found[0], 'apple');
      for (const query of found) assert.ok(query.startsWith('appl'), query);
      assert.deepEqual(await index.autocomplete('site', 'zzz', 8), []);
      assert.deepEqual(await index.autocomplete('site', '', 8), []);
    });
  });
}
