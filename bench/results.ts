import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Provenance } from './machine.ts';
import type { Row } from './rounds.ts';

/** What one benchmark keeps: the raw samples, and where they come from. */
export type Results = Provenance & { title: string; notes: string[]; rows: Row[] };

const fileOf = (name: string) => new URL(`results/${name}.json`, import.meta.url);

/** The kept samples of the group of this name. */
export function readResults(name: string): Results {
  return JSON.parse(readFileSync(fileOf(name), 'utf8'));
}

/** Writes the raw samples of one group in place of those of the last run. */
export function writeResults(
  name: string,
  title: string,
  provenance: Provenance,
  rows: readonly Row[],
  notes: readonly string[],
): void {
  const file = fileOf(name);
  mkdirSync(new URL('.', file), { recursive: true });
  const rounded = rows.map((row) => ({ ...row, perSecond: row.perSecond.map((rate) => Math.round(rate)) }));
  const text = JSON.stringify({ title, ...provenance, notes, rows: rounded }, null, 2);
  // The samples of a row on one line: as a reader compares them, and as the formatter of this repository has it.
  writeFileSync(
    file,
    `${text.replace(/\[\s+([\d,\s]+?)\s+\]/g, (_, list) => `[${list.replace(/\s+/g, ' ')}]`)}\n`,
  );
}
