import { readFileSync, writeFileSync } from 'node:fs';
import { attackerTable, visitorTable } from './difficulty.ts';
import { besideTable, nativeTable, poolTable, solverTable, verifyTable } from './figure-tables.ts';
import { readResults } from './results.ts';

const ROOT = new URL('../', import.meta.url);

/** The tables of pages that are made from bench/results, by page. */
export function writtenTables(): Readonly<Record<string, readonly string[]>> {
  return {
    'README.md': [
      solverTable(readResults('solver'), readResults('chromium')),
      poolTable(readResults('pool')),
      nativeTable(readResults('native')),
      verifyTable(readResults('verify')),
      besideTable('operation of the gate, one thread', [readResults('gate-core')]),
      besideTable('over HTTP, 32 in flight', [readResults('gate-http')]),
      besideTable('IP intelligence', [readResults('ip-core'), readResults('ip-http')]),
    ],
    'docs/search-index.md': [besideTable('searches over HTTP', [readResults('search-http')])],
    'docs/crawl.md': [besideTable('pages from a static site', [readResults('crawl')])],
    'docs/difficulty.md': [visitorTable(), attackerTable()],
  };
}

/** Writes every table in place of the one with the same first cell; gives the pages. */
export function writeFigures(): string[] {
  return Object.entries(writtenTables()).map(([path, tables]) => {
    const file = new URL(path, ROOT);
    writeFileSync(file, tables.reduce(replaceTable, readFileSync(file, 'utf8')));
    return path;
  });
}

/**
 * `text` with `table` in place of the table whose first cell is the same.
 * @throws Error when there is none, or more than one
 */
export function replaceTable(text: string, table: string): string {
  const lines = text.split('\n');
  const head = table.slice(0, table.indexOf('|', 1) + 1);
  const starts = lines.flatMap((line, i) => (line.startsWith(head) ? [i] : []));
  if (starts.length !== 1)
    throw new Error(`expected one table that begins with ${head}, got ${starts.length}`);
  let end = starts[0];
  while (lines[end]?.startsWith('|')) end++;
  return [...lines.slice(0, starts[0]), table, ...lines.slice(end)].join('\n');
}
