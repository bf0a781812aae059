import { mkdirSync, writeFileSync } from 'node:fs';
import type { Provenance } from './machine.ts';
import type { Row } from './rounds.ts';

/** Writes the raw samples of one benchmark, with where they come from, in place of those of the last run. */
export function writeResults(
  file: URL,
  title: string,
  provenance: Provenance,
  rows: readonly Row[],
  notes: readonly string[],
): void {
  mkdirSync(new URL('.', file), { recursive: true });
  const rounded = rows.map((row) => ({ ...row, perSecond: row.perSecond.map((rate) => Math.round(rate)) }));
  const text = JSON.stringify({ title, ...provenance, notes, rows: rounded }, null, 2);
  // The samples of a row on one line: as a reader compares them, and as the formatter of this repository has it.
  writeFileSync(
    file,
    `${text.replace(/\[\s+([\d,\s]+?)\s+\]/g, (_, list) => `[${list.replace(/\s+/g, ' ')}]`)}\n`,
  );
}
