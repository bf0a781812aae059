import type { Row } from './rounds.ts';
import { ratioOf, summarise } from './statistics.ts';

const COLUMNS = ['', 'per second', 'least – most', 'ratio', 'least – most', 'to', 'answers checked'];

/** The rows of several benchmarks as one table of fixed-width text; each benchmark's title stands above its rows. */
export function formatTable(
  benchmarks: readonly { title: string; rows: readonly Row[]; notes: readonly string[] }[],
): string {
  const lines: (string[] | string)[] = [COLUMNS];
  for (const { title, rows, notes } of benchmarks) {
    // Every row names its baseline by a letter; the names are too long to be repeated.
    const baselines = rows
      .map(({ name }) => name)
      .filter((name) => rows.some((row) => (row.baseline ?? row.name) === name));
    const letter = (name: string) => {
      const at = baselines.indexOf(name);
      return at < 26 ? String.fromCharCode(65 + at) : String(at + 1);
    };
    lines.push(
      '',
      title,
      ...rows.map((row) => cellsOf(row, rows, letter)),
      ...notes.map((note) => `   ${note}`),
    );
  }
  const cells = lines.filter((line) => typeof line !== 'string');
  const widths = COLUMNS.map((_, column) => Math.max(...cells.map((line) => line[column].length)));
  return lines.map((line) => (typeof line === 'string' ? line : layOut(line, widths))).join('\n');
}

function cellsOf(row: Row, rows: readonly Row[], letter: (name: string) => string): string[] {
  const rate = summarise(row.perSecond);
  const cells = [whole(rate.median), `${whole(rate.least)} – ${whole(rate.most)}`];
  const checked = whole(row.checked);
  const baseline = rows.find(({ name }) => name === row.baseline);
  const isBaseline = rows.some((other) => (other.baseline ?? other.name) === row.name);
  const name = isBaseline ? `${letter(row.name)}: ${row.name}` : `   ${row.name}`;
  if (!baseline) return [name, ...cells, '1', '', '', checked];
  const ratio = ratioOf(row.perSecond, baseline.perSecond);
  const range = `${share(ratio.least)} – ${share(ratio.most)}`;
  return [name, ...cells, share(ratio.median), range, letter(baseline.name), checked];
}

// Two digits that say something: 0.024 and 0.016 are 40 and 60 times.
const share = (ratio: number) => (ratio < 0.095 ? ratio.toPrecision(2) : ratio.toFixed(2));
const whole = (value: number) => Math.round(value).toLocaleString('en-GB');

const layOut = (line: readonly string[], widths: readonly number[]) =>
  line
    .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
    .join('  ')
    .trimEnd();
