import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { systemRandom } from '../../../../server/base/system.ts';
import type { IndexBackend, IndexPage } from '../../../../server/search/core/ports.ts';
import { createTextTools } from '../../../../server/search/text/text-tools.ts';
import { type Environment, openEnvironment } from '../../../../server/store/environment.ts';
import { createLmdbIndex } from '../../../../server/store/search/lmdb-backend.ts';
import { chooseMerge, FAN } from '../../../../server/store/search/merge-choice.ts';
import { readState } from '../../../../server/store/search/site-state.ts';
import { makePage, request } from '../../../index-pages.ts';
import { openIndex } from '../../../open-index.ts';
import { makeFolder } from '../../../temporary-folder.ts';

const MANY = 1_000_000;
const SITE = 1;

const openOver = (environment: Pick<Environment, 'bytes' | 'write'>): IndexBackend =>
  createLmdbIndex(environment, { tools: createTextTools(), random: systemRandom });

function stateIn(environment: Environment) {
  const table = environment.bytes('search');
  table.resetReadTxn();
  return readState(table, SITE);
}

/** Lets merges go on until there is nothing more to merge. */
async function awaitMerges(environment: Environment): Promise<void> {
  while (chooseMerge(stateIn(environment).segments).length > 0)
    await new Promise((resolve) => setImmediate(resolve));
}

const QUERIES = [
  'bak ',
  'dof gul ',
  '"bak dof"',
  'hep -gul',
  'ba',
  'gull ',
  'bak dof gul hep jix',
  'titel ',
  'x.y',
];

/** Everything that can be asked, with scores: statistics must not know of what is deleted. */
async function answersOf(index: IndexBackend) {
  const answers = [];
  for (const query of QUERIES) {
    const { total, hits, labels, suggestion } = await index.search('s', request(query, { limit: 100 }));
    const shown = hits.map(({ page, score, snippet, title }) =>
      JSON.stringify([page, score.toFixed(6), snippet, title]),
    );
    answers.push({ query, total, shown: shown.sort(), labels, suggestion });
  }
  for (const start of ['b', 'ti', 'bak d', 'bak dof']) answers.push(await index.autocomplete('s', start, 8));
  return [answers, await index.list('s', null, MANY), (await index.size('s')).pages];
}

const word = fc.constantFrom('bak', 'dof', 'gul', 'hep', 'jix', 'x.y', 'bakker', 'title');
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
const page = fc.record({
  name: fc.nat(30),
  title: text,
  body: text,
  labels: fc.uniqueArray(word, { maxLength: 2 }),
});
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ put: fc.array(page, { minLength: 1, maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.array(fc.nat(30), { minLength: 1, maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.constant({ merge: true }) },
);

test('whatever is put, removed and merged, answers are those of an index made at once from what is left', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 40 }), async (steps) => {
      const { folder, remove } = makeFolder();
      const environment = await openEnvironment(folder);
      const index = openOver(environment);
      const left = new Map<string, IndexPage>();
      for (const one of steps) {
        if ('put' in one) {
          const pages = one.put.map(({ name, ...given }) => makePage(String(name), given));
          await index.put('s', pages, MANY);
          for (const own of pages) left.set(own.id, own);
        } else if ('remove' in one) {
          const ids = one.remove.map((name) => makePage(String(name)).id);
          await index.remove('s', ids);
          for (const id of ids) left.delete(id);
        } else await awaitMerges(environment);
      }
      const atOnce = await openIndex();
      await atOnce.index.put('s', [...left.values()], MANY);
      const expected = await answersOf(atOnce.index);
      assert.deepEqual(await answersOf(index), expected);
      await awaitMerges(environment);
      assert.deepEqual(await answersOf(index), expected);
      for (const own of left.values()) assert.deepEqual(await index.get('s', own.id), own);
      await index.close();
      await environment.close();
      remove();
      await atOnce.close();
    }),
    { numRuns: 25 },
  );
});

/** An index whose merges are held at the moment before they are swapped in. */
async function openHeld(otherWrites: number) {
  const { folder, remove } = makeFolder();
  const environment = await openEnvironment(folder);
  let meanwhile: (() => Promise<unknown>) | null = null;
  let writes = 0;
  const held = {
    bytes: environment.bytes,
    async write<Result>(run: () => Promise<Result>): Promise<Result> {
      // Some writes, then the swap.
      if (++writes === FAN + 1) await meanwhile?.();
      return environment.write(run);
    },
  };
  const index = openOver(held);
  // Its writes are done as they come, its own merges are not.
  let others = 0;
  const other = openOver({
    bytes: environment.bytes,
    write: (run) =>
      ++others <= otherWrites ? environment.write(run) : Promise.reject(new Error('no merge')),
  });
  return {
    index,
    other,
    environment,
    async writeSome(then: () => Promise<unknown>) {
      meanwhile = then;
      for (let n = 0; n < FAN; n++) {
        const pages = [0, 1, 2, 3].map((k) => makePage(`p${n}-${k}`, { body: `bak word${n}x${k}` }));
        await index.put('s', pages, MANY);
      }
      while (writes <= FAN) await new Promise((resolve) => setImmediate(resolve));
      await awaitMerges(environment);
      await index.close();
      await other.close();
    },
    async end() {
      await environment.close();
      remove();
    },
  };
}

test('what is deleted and replaced while a merge is made stays so when it is swapped in', async () => {
  const { index, other, environment, writeSome, end } = await openHeld(2);
  await writeSome(async () => {
    await other.remove('s', [makePage('p3-0').id]);
    await other.put('s', [makePage('p2-2', { body: 'gul' })], MANY);
  });
  const { segments, pages } = stateIn(environment);
  assert.deepEqual(
    segments.map(({ docs, dead }) => [docs, dead]),
    [
      [4 * FAN, 2],
      [1, 0],
    ],
  );
  assert.equal(pages, 4 * FAN - 1);
  assert.equal((await index.search('s', request('bak '))).total, 4 * FAN - 2);
  assert.equal((await index.search('s', request('word3x0 '))).total, 0);
  assert.equal((await index.search('s', request('gul '))).total, 1);
  assert.deepEqual(await index.autocomplete('s', 'word3x0', 8), []);
  await end();
});

test('a merge of which nothing is left when it is swapped in leaves nothing', async () => {
  const { index, other, environment, writeSome, end } = await openHeld(1);
  const ids = Array.from({ length: 4 * FAN }, (_, n) => makePage(`p${n >> 2}-${n & 3}`).id);
  await writeSome(() => other.remove('s', ids));
  assert.deepEqual(stateIn(environment).segments, []);
  assert.deepEqual(await index.size('s'), { pages: 0, bytes: 0 });
  await end();
});

test('a merge of a site that is dropped meanwhile writes nothing', async () => {
  const { environment, other, writeSome, end } = await openHeld(2);
  await writeSome(() => other.drop('s'));
  assert.deepEqual([...environment.bytes('search').getKeys({})].map((key) => key[4]).sort(), [1, 4]);
  await end();
});

test('two that write to one site at once lose nothing of each other', async () => {
  const { folder, remove } = makeFolder();
  const [one, two] = [await openIndex({ folder }), await openIndex({ folder })];
  const write = async ({ index }: typeof one, name: string) => {
    for (let n = 0; n < 40; n++) {
      await index.put('s', [makePage(`${name}${n}`, { body: `bak ${name}` })], MANY);
      if (n % 4 === 3) await index.remove('s', [makePage(`${name}${n - 1}`).id]);
    }
  };
  await Promise.all([write(one, 'left'), write(two, 'right')]);
  for (const { index } of [one, two]) {
    assert.equal((await index.search('s', request('bak '))).total, 60);
    assert.equal((await index.search('s', request('left '))).total, 30);
    assert.equal((await index.list('s', null, MANY)).length, 60);
  }
  await two.close();
  await one.close();
  remove();
});
