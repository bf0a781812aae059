import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  lengthFactors,
  type MatchSource,
  matchGroups,
  release,
} from '../../../../server/search/core/match.ts';
import type { Group } from '../../../../server/search/core/plan.ts';
import { noPostings, type Postings } from '../../../../server/search/core/postings.ts';

const PAGES = 200_000;

const everyPage = (): Postings => ({
  ...noPostings(),
  count: PAGES,
  docs: Uint32Array.from({ length: PAGES }, (_, doc) => doc),
  sums: new Float32Array(PAGES).fill(1),
  titles: new Float32Array(PAGES),
});

test('a query of words that every page has reads a bounded number of postings', () => {
  const all = everyPage();
  let read = 0;
  const source: MatchSource = {
    limit: PAGES,
    pages: PAGES,
    factors: lengthFactors([1, 1, 1, 1, 1]),
    postings() {
      read += PAGES;
      return all;
    },
    numberOf: () => -1,
    normOf: () => 1,
    dateOf: () => 0,
  };
  // The beginning of a word with 48 ends, each of them in every page.
  const variants = Array.from({ length: 48 }, (_, number) => ({
    term: `t${number}`,
    number,
    weight: 0.4,
    documents: PAGES,
    isGuess: true,
  }));
  const group: Group = { variants, phrases: [], position: 0, weight: 1, isOptional: false };
  const matches = matchGroups([group], source, true);
  assert.equal(matches.docs.length, PAGES);
  assert.ok(read <= 1_000_000, `${read} postings were read`);
  release(matches);

  // Nothing of it is left for the next query.
  const none = matchGroups([], source, true);
  assert.equal(none.docs.length, 0);
  assert.equal(
    none.scores.subarray(0, PAGES).some((score) => score !== 0),
    false,
  );
});
