import type { Results } from './results.ts';
import type { Row } from './rounds.ts';
import { median, ratioOf, type Summary, summarise } from './statistics.ts';

/** Tables of kept samples, as Markdown, for the pages that show them. */

/** Every solver in Node and in Chromium: its rate, and how often ours does that. A missing one is a dash. */
export function solverTable(node: Results, chromium: Results): string {
  const names = [...new Set([...node.rows, ...chromium.rows].map(({ name }) => name))];
  const browser = /Chromium \d+/.exec(chromium.notes.join('\n'))?.[0] ?? 'Chromium';
  const cell = ({ rows }: Results, name: string) => {
    const row = rows.find((candidate) => candidate.name === name);
    if (!row) return '–';
    return row === rows[0] ? rate(row) : `${rate(row)}, ${times(ratioOf(rows[0].perSecond, row.perSecond))}`;
  };
  return table(
    [
      'solver, one thread',
      `Node ${/\d+/.exec(node.node)?.[0]}: tries a second, how often ours does that`,
      browser,
    ],
    names.map((name) => [asText(name), cell(node, name), cell(chromium, name)]),
  );
}

/** Workers of the pool beside what each row is held against. */
export function poolTable({ rows, notes }: Results): string {
  const cells = rows.slice(1).map((row) => {
    const baseline = rows.find(({ name }) => name === row.baseline) as Row;
    const than = baseline === rows[0] ? 'a direct call' : baseline.name;
    return [row.name, rate(row), `${precise(ratioOf(row.perSecond, baseline.perSecond))} of ${than}`];
  });
  const said = notes.flatMap((note) => {
    const [, what, how] = /^(abort to rejection|INP.*?): (.*)$/.exec(note) ?? [];
    return what ? [[what, how, '']] : [];
  });
  return table(
    ['workers in Chromium, by the clock on the wall', 'tries a second', 'beside'],
    [...cells, ...said],
  );
}

/** Native code, and how often our four lanes it does. */
export function nativeTable({ rows: [ours, ...others] }: Results): string {
  return table(
    ['native code beside ours, one thread', 'tries a second', 'how often ours it does'],
    others.map((row) => [row.name, rate(row), precise(ratioOf(row.perSecond, ours.perSecond))]),
  );
}

/** Verifying one solution, and how often ours does what a peer does. */
export function verifyTable({ rows: [ours, ...others] }: Results): string {
  return table(
    ['one solution verified on the server', 'per second', 'how often ours does that'],
    [
      [ours.name, rate(ours), '1'],
      ...others.map((row) => [row.name, rate(row), times(ratioOf(ours.perSecond, row.perSecond))]),
    ],
  );
}

/** Every row that is held against another one, of all groups given. */
export function besideTable(what: string, groups: readonly Results[]): string {
  const rows = groups.flatMap((group) =>
    group.rows.flatMap((row) => {
      const baseline = group.rows.find(({ name }) => name === row.baseline);
      if (!baseline) return [];
      return [
        [row.name, rate(row), `${precise(ratioOf(row.perSecond, baseline.perSecond))} of ${baseline.name}`],
      ];
    }),
  );
  return table([what, 'per second', 'beside'], rows);
}

/** The median rate of a row whose name begins so, to two figures: what a table of assumptions is worth. */
export function roundedRate({ rows }: Results, begin: string): number {
  const row = rows.find(({ name }) => name.startsWith(begin));
  if (!row) throw new RangeError(`expected a row that begins with ${JSON.stringify(begin)}`);
  return Number(median(row.perSecond).toPrecision(2));
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

// An at sign would be taken for a name on some sites.
const asText = (name: string) => name.replace(/\((@[^)]+?) ([\d.a-z-]+)\)/, '(`$1` $2)');

function rate({ perSecond }: Row): string {
  const { median: value } = summarise(perSecond);
  if (value < 1e3) return value.toFixed(0);
  return value >= 1e6 ? `${(value / 1e6).toFixed(1)} M` : `${(value / 1e3).toFixed(value < 1e4 ? 1 : 0)} k`;
}

const short = (value: number) => (value >= 10 ? value.toFixed(0) : value.toFixed(1));
const withRange = ({ median: middle, least, most }: Summary, write: (value: number) => string) =>
  `${write(middle)} (${write(least)}–${write(most)})`;
const times = (ratio: Summary) => withRange(ratio, short);
const precise = (ratio: Summary) => withRange(ratio, (value) => value.toFixed(2));
