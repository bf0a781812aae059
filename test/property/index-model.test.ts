import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { IndexPage } from '../../server/search/core/ports.ts';
import { makePage, request } from '../index-pages.ts';
import { createNaiveIndex } from '../naive-index.ts';
import { openIndex } from '../open-index.ts';

// Short made-up words: none is a stop word, a form or a misspelling of another, so that both know the same of them.
const WORDS = [
  'bak',
  'dof',
  'gul',
  'hep',
  'jix',
  'kov',
  'mub',
  'nep',
  'rit',
  'suv',
  'tam',
  'vok',
  'wez',
  'zab',
];
const word = fc.constantFrom(...WORDS);
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
const labels = fc.uniqueArray(fc.constantFrom('One', 'two words', 'Ünï'), { maxLength: 3 });
const page = fc.record({
  name: fc.nat({ max: 40 }),
  title: text,
  body: text,
  labels,
  updatedAtSecs: fc.nat(),
});

type Step = { put: { name: number }[] } | { remove: number[] };
const steps: fc.Arbitrary<(Step & object)[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ put: fc.array(page, { minLength: 1, maxLength: 30 }) }) },
    {
      weight: 1,
      arbitrary: fc.record({ remove: fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 10 }) }),
    },
  ),
  { minLength: 1, maxLength: 6 },
);
const phrase = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `"${words.join(' ')}"`);
const part = fc.oneof(
  { weight: 4, arbitrary: word },
  { weight: 1, arbitrary: phrase },
  { weight: 1, arbitrary: word.map((one) => `-${one}`) },
  { weight: 1, arbitrary: phrase.map((one) => `-${one}`) },
);
const query = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => `${parts.join(' ')} `);

test('it finds, filters, counts and pages as reading every page would', async () => {
  await fc.assert(
    fc.asyncProperty(
      steps,
      fc.array(fc.tuple(query, labels), { minLength: 4, maxLength: 10 }),
      async (todo, asked) => {
        const naive = createNaiveIndex();
        const { index, close } = await openIndex();
        try {
          for (const step of todo) {
            if ('put' in step) {
              const pages = step.put.map(({ name, ...given }) =>
                makePage(String(name), given as Partial<IndexPage>),
              );
              assert.deepEqual(await index.put('s', pages, 35), await naive.put('s', pages, 35));
            } else {
              const ids = step.remove.map((name) => makePage(String(name)).id);
              assert.equal(await index.remove('s', ids), await naive.remove('s', ids));
            }
          }
          for (const [text, wanted] of asked) {
            const given = request(text, { limit: 100, labels: wanted });
            const [own, theirs] = [await index.search('s', given), await naive.search('s', given)];
            assert.equal(own.total, theirs.total, text);
            const ids = (answer: typeof own) => answer.hits.map(({ page: { id } }) => id).sort();
            assert.deepEqual(ids(own), ids(theirs), text);
            const counts = (answer: typeof own) =>
              Object.fromEntries(answer.labels.map(({ label, count }) => [label, count]));
            assert.deepEqual(counts(own), counts(theirs), text);
            const matched = new Map(theirs.hits.map(({ page: { id }, score }) => [id, score]));
            const order = own.hits.map(({ page: { id } }) => matched.get(id) as number);
            if (new Set(text.match(/\w+/g)).size <= 4) {
              assert.deepEqual(
                order,
                order.toSorted((a, b) => b - a),
                `more words first: ${text}`,
              );
            }
          }
        } finally {
          await close();
        }
      },
    ),
    { numRuns: 40 },
  );
});
