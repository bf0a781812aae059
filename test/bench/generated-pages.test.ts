import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generatePage, generateQueries, KINDS } from '../../bench/generated-pages.ts';

test('a page is the same whenever it is made, and another one than its neighbour', () => {
  assert.deepEqual(generatePage(7), generatePage(7));
  assert.notDeepEqual(generatePage(7), generatePage(8));
});

test('words follow the law of Zipf: twice the rank, half as often', () => {
  const counts = new Map<string, number>();
  for (let n = 0; n < 2_000; n++) {
    for (const word of generatePage(n).body.split(' ')) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const sorted = [...counts.values()].sort((a, b) => b - a);
  // The ranks are whole, so that the first ones are steeper by ln 2 to ln 1.5 and so on: compared further down.
  for (const rank of [8, 16, 32, 64, 128]) {
    const ratio = sorted[rank - 1] / sorted[2 * rank - 1];
    assert.ok(ratio > 1.6 && ratio < 2.6, `rank ${rank}: ${ratio}`);
  }
  assert.ok(counts.size > 20_000, `${counts.size} different words`);
});

for (const kind of KINDS) {
  test(`queries: ${kind}, the same each time, and what is asked for is there`, () => {
    const queries = generateQueries(kind, 50, 1_000);
    assert.deepEqual(generateQueries(kind, 50, 1_000), queries);
    assert.equal(queries.length, 50);
    assert.ok(queries.every((query) => /^"?[a-z ]+"? ?$/.test(query)));
    assert.equal(
      queries.some((query) => query.endsWith(' ')),
      !['beginning', 'phrase'].includes(kind),
    );
  });
}
