import { createPlot, type Line, type Plot } from '../bench/plot.ts';
import { build, buildTable } from './build.ts';
import { compact } from './units.ts';

export type ChartLine = { name: string; style: Line['style'] };

export type ChartOptions = {
  title: string;
  meaning: string;
  /** What the first column of the table is called. */
  across: string;
  lines: readonly [ChartLine, ...ChartLine[]];
  /** The text at a tick of the x axis, and distances that ticks may have. */
  label(x: number): string;
  steps: number[];
  /** How many neighbours make a row of the table, and how their values become one. */
  gather: 'sum' | 'mean' | 'each';
  /** Whether the y axis stays near the values; else it begins at zero. Lone values are then points. */
  isNear?: boolean;
  isWide?: boolean;
};

const nearRange = (min: number | null, max: number | null): [number, number] => [
  Math.max(0, Math.floor(min ?? 0) - 2),
  Math.ceil(max ?? 4) + 2,
];

export type Chart = {
  node: HTMLElement;
  /** @param summary what the picture shows, in a sentence */
  draw(x: readonly number[], values: readonly (readonly (number | null)[])[], summary: string): void;
};

const HEIGHT_PX = 200;
const ROWS = 12;
const COUNTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6, 1e7];

/** A card with lines over something, what they mean, and the same figures as a table. */
export function createChart({
  title,
  meaning,
  across,
  lines,
  label,
  steps,
  gather,
  isNear = false,
  isWide = false,
}: ChartOptions): Chart {
  const host = build('div', { class: 'plot' });
  const table = buildTable(title, [{ name: across }, ...lines], 'Nothing yet.');
  const node = build(
    'article',
    { class: isWide ? 'card wide' : 'card' },
    build('h3', {}, title),
    build('p', { class: 'caption' }, meaning),
    host,
    build(
      'p',
      { class: 'legend' },
      ...lines.map(({ name, style }) =>
        build('span', { class: style === 'accent' ? 'key key-line' : 'key key-dash' }, name),
      ),
    ),
    build('details', {}, build('summary', {}, 'Figures as a table'), table.node),
  );
  let plot: Plot | null = null;
  return {
    node,
    draw(x, values, summary) {
      // Only where it stands on the page does it know its width.
      if (host.clientWidth > 0) {
        plot ??= createPlot(
          host,
          {
            heightPx: HEIGHT_PX,
            x: { range: (min, max) => [min ?? 0, max ?? 1], label, steps },
            y: {
              range: isNear ? nearRange : (_, max) => [0, Math.max(4, (max ?? 0) * 1.08)],
              label: compact,
              steps: COUNTS,
            },
            lines: lines.map(({ style }) => ({
              style,
              fill: style === 'accent' && !isNear,
              points: isNear && style === 'accent',
            })),
          },
          summary,
        );
        plot.draw([x, ...values], summary);
      }
      table.fill(rowsOf(x, values, gather, label));
    },
  };
}

function rowsOf(
  x: readonly number[],
  values: readonly (readonly (number | null)[])[],
  gather: ChartOptions['gather'],
  label: (x: number) => string,
): string[][] {
  const size = gather === 'each' ? 1 : Math.max(1, Math.ceil(x.length / ROWS));
  const starts = Array.from({ length: Math.ceil(x.length / size) }, (_, i) => i * size);
  return starts.map((start) => [
    label(x[start]),
    ...values.map((line) => {
      const known = line.slice(start, start + size).filter((value) => value !== null);
      if (known.length === 0) return '–';
      const sum = known.reduce((total, value) => total + value, 0);
      const value = gather === 'mean' ? sum / known.length : sum;
      return new Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format(value);
    }),
  ]);
}
