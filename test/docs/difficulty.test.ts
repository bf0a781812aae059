import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ATTACKERS, attackerTable, visitorTable } from '../../bench/difficulty.ts';

const page = readFileSync(new URL('../../docs/difficulty.md', import.meta.url), 'utf8');

for (const [what, table] of Object.entries({ visitors: visitorTable(), attackers: attackerTable() })) {
  test(`the table of ${what} is computed from the rates`, () => {
    assert.ok(page.includes(table), `docs/difficulty.md should hold:\n${table}`);
  });
}

test('a passport of 20 bits costs 2^20 tries in the mean', () => {
  const [{ who, triesPerSec }] = ATTACKERS;
  const row = attackerTable()
    .split('\n')
    .find((line) => line.includes(who));
  const shown = Number(row?.split('|')[7].trim().replace(',', ''));
  const seconds = (1000 * 1_048_576) / triesPerSec;
  assert.ok(Math.abs(shown / seconds - 1) < 0.06, `${shown} for ${seconds}`);
});
