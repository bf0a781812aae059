import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { besideTable, poolTable, roundedRate, solverTable } from '../../bench/figure-tables.ts';
import type { Results } from '../../bench/results.ts';
import { replaceTable, writtenTables } from '../../bench/written-figures.ts';

for (const [page, tables] of Object.entries(writtenTables())) {
  for (const table of tables) {
    test(`${page} shows the kept results: ${table.split('|')[1].trim()}`, () => {
      const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
      assert.ok(text.includes(`\n${table}\n\n`), `npm run bench -- --readme; ${page} should hold:\n${table}`);
    });
  }
}

const TABLE = '| one | new |\n|---|---|\n| 1 | 2 |';

test('a table takes the place of the one with its first cell, and of nothing else', () => {
  const text =
    'Before.\n\n| one | old |\n|---|---|\n| 7 | 8 |\n| 9 | 9 |\n\nBetween.\n\n| two | old |\n|---|---|';
  assert.equal(replaceTable(text, TABLE), `Before.\n\n${TABLE}\n\nBetween.\n\n| two | old |\n|---|---|`);
  assert.equal(replaceTable('| one |', TABLE), TABLE, 'at the end of a page');
});

for (const text of ['no table', '| one more | old |', '| one | old |\n\n| one | old |']) {
  test(`a place that is not clear is refused: ${JSON.stringify(text)}`, () => {
    assert.throws(() => replaceTable(text, TABLE), /expected one table that begins with \| one \|/);
  });
}

const results = (rows: [string, string | null, number[]][], notes: string[] = []): Results =>
  ({
    node: 'v24.21.0',
    notes,
    rows: rows.map(([name, baseline, perSecond]) => ({ name, baseline, perSecond, checked: 1 })),
  }) as unknown as Results;

test('a solver shows how often ours does that, round by round', () => {
  const node = results([
    ['ours', null, [20e6, 10e6, 18e6]],
    ['peer (@a/b 1.2.3)', 'ours', [4e6, 2.5e6, 3e6]],
  ]);
  const chromium = results([['ours', null, [19.26e6]]], ['first', 'Chromium 156.0.1']);
  assert.deepEqual(solverTable(node, chromium).split('\n'), [
    '| solver, one thread | Node 24: tries a second, how often ours does that | Chromium 156 |',
    '|---|---|---|',
    '| ours | 18.0 M | 19.3 M |',
    '| peer (`@a/b` 1.2.3) | 3.0 M, 5.0 (4.0–6.0) | – |',
  ]);
});

test('a pool is held against what each of its rows names', () => {
  const pool = results(
    [
      ['ours', null, [10e6]],
      ['one', 'ours', [9.9e6]],
      ['two', 'one', [19.5e6]],
    ],
    [
      'one: workers computed 99 % of the time',
      'abort to rejection: median 0.5 ms',
      'INP with two: 24 ms (good)',
    ],
  );
  assert.deepEqual(poolTable(pool).split('\n').slice(2), [
    '| one | 9.9 M | 0.99 (0.99–0.99) of a direct call |',
    '| two | 19.5 M | 1.97 (1.97–1.97) of one |',
    '| abort to rejection | median 0.5 ms |  |',
    '| INP with two | 24 ms (good) |  |',
  ]);
});

test('a rounded rate has two figures, and a row that is missing is a fault', () => {
  const some = results([['peer (1.0)', null, [123_456, 987_654, 234_567]]]);
  assert.equal(roundedRate(some, 'peer'), 230_000);
  assert.throws(() => roundedRate(some, 'other'), RangeError);
});

test('a row is held against what it names, in its own group, and what names nothing is left out', () => {
  const first = results([
    ['bare', null, [1_000, 2_000, 4_000]],
    ['ours', 'bare', [500, 1_000, 3_000]],
  ]);
  const second = results([
    ['bare', null, [10]],
    ['slow', 'bare', [5]],
  ]);
  assert.deepEqual(besideTable('what', [first, second]).split('\n'), [
    '| what | per second | beside |',
    '|---|---|---|',
    '| ours | 1.0 k | 0.50 (0.50–0.75) of bare |',
    '| slow | 5 | 0.50 (0.50–0.50) of bare |',
  ]);
});
