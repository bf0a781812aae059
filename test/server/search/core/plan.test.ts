import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeText } from '../../../../server/search/core/complete.ts';
import { type PlanSource, planQuery } from '../../../../server/search/core/plan.ts';
import { noPostings } from '../../../../server/search/core/postings.ts';
import { makePhrase, parseQuery } from '../../../../server/search/core/query-parse.ts';
import { createTextTools } from '../../../../server/search/text/text-tools.ts';

const tools = createTextTools();

/** A site whose vocabulary is `terms`. */
function makeSource(terms: readonly string[], synonyms: PlanSource['synonyms'] = []): { source: PlanSource } {
  const sorted = terms.toSorted();
  const chunk = { terms: sorted, numbers: sorted.map((_, i) => i), classes: sorted.map(() => 1) };
  const vocabulary = { firsts: [sorted[0]], chunk: () => chunk };
  const remember: PlanSource['remember'] = (_key, compute) => compute();
  return { source: { vocabulary, documents: () => 10, languages: ['en'], synonyms, remember } };
}

const plan = (query: string, source: PlanSource) => planQuery(parseQuery(query, tools), source, tools);

test('a hundred unknown words are not all looked for as typing errors', () => {
  // Of letters alone, since a word with digits is never corrected.
  const letters = (i: number) => String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26));
  const { source } = makeSource(Array.from({ length: 100 }, (_, i) => `zeppelin${letters(i)}`));
  const query = Array.from({ length: 100 }, (_, i) => `zepplein${letters(i)} `).join('');
  const { groups } = plan(query, source);
  const corrected = groups.filter(({ variants }) => variants.length > 0).length;
  assert.ok(corrected > 0 && corrected <= 16, `${corrected} words were corrected`);
});

test('synonyms are read once for a query, however many words it has, and bring a bounded number of words', () => {
  let reads = 0;
  const entries = Array.from({ length: 50 }, (_, i) => {
    const entry = ['alpha', `beta gamma${i}`];
    Object.defineProperty(entry, 0, {
      get() {
        reads++;
        return 'alpha';
      },
    });
    return entry;
  });
  const words = Array.from({ length: 60 }, (_, i) => `w${i}`);
  const more = words.map((word) => [word, ...words.map((other) => `${other} and ${word}`).slice(0, 31)]);
  const { source } = makeSource(['alpha', ...words], [...entries, ...more]);
  const { groups } = plan(`alpha ${words.join(' ')} `, source);
  assert.equal(reads, 50);
  const phrases = groups.reduce((sum, group) => sum + group.phrases.length, 0);
  assert.ok(phrases > 30 && phrases <= 128, `${phrases} wordings`);
});

test('a guess is known as one: an end, a correction; a form and a synonym are none', () => {
  const { source } = makeSource(['print', 'printed', 'printer', 'paper', 'sheet'], [['paper', 'sheet']]);
  const guesses = (query: string) =>
    plan(query, source).groups.flatMap(({ variants }) =>
      variants.map(({ term, isGuess }) => `${term}${isGuess ? '?' : ''}`),
    );
  assert.deepEqual(guesses('print'), ['print', 'printed', 'printer?']);
  assert.deepEqual(guesses('print paper '), ['print', 'printed', 'paper', 'sheet']);
  assert.deepEqual(guesses('prnit '), ['print?']);
});

test('stop words beside other words find nothing, but are told', () => {
  const { source } = makeSource(['the', 'lock', 'is', 'held']);
  const { groups, stopWords } = plan('the lock is held ', source);
  assert.deepEqual(
    groups.map(({ variants }) => variants[0].term),
    ['lock', 'held'],
  );
  assert.deepEqual(
    stopWords.map(({ term, position }) => `${position} ${term}`),
    ['0 the', '2 is'],
  );
  assert.deepEqual(plan('is the ', source).stopWords, []);
});

test('of a long phrase the first 64 words are looked for', () => {
  assert.equal(makePhrase('of '.repeat(300), tools).length, 64);
});

test('a completion looks at few of the words before', () => {
  const words = Array.from({ length: 300 }, (_, i) => `w${i}`);
  const { source } = makeSource([...words, 'ending']);
  let read = 0;
  const postings = () => {
    read++;
    return noPostings();
  };
  const numberOf = (term: string) => words.indexOf(term);
  completeText(`${words.join(' ')} w1 w1 w1 end`, { ...source, postings, numberOf }, tools);
  assert.ok(read > 0 && read <= 20, `${read} lists were read`);
});
