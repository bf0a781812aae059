import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { logTicks } from './ticks.ts';

/** A line: in the accent, or dashed in the quiet ink. `fill` paints the ground below. */
export type Line = { style: 'accent' | 'dashed'; fill?: boolean; points?: boolean };

export type Scale = {
  isLog?: boolean;
  /** Ends of the axis for what the data spans; either may be null while there is no data. */
  range(min: number | null, max: number | null): [number, number];
  /** The text at a tick. */
  label(value: number): string;
  /** Distances of ticks that may be chosen from; of a logarithmic scale the digits that a tick may begin with. */
  steps?: number[];
};

/** A vertical line across the plot with words beside it. */
export type Mark = { x: number; label: string };

export type PlotOptions = {
  heightPx: number;
  x: Scale;
  y: Scale;
  lines: readonly Line[];
  marks?: () => readonly Mark[];
};

export type Plot = {
  /** @param summary what the picture shows, for those who do not see it */
  draw(data: readonly (readonly (number | null)[])[], summary: string): void;
};

const FONT_PX = 12;
const LABEL_GAP_PX = 8;
const LEAST_APART_PX = 52;

/** Whether this browser draws at all; some are told not to, against fingerprinting or on terminals. */
export function canDraw(): boolean {
  try {
    return document.createElement('canvas').getContext('2d') !== null;
  } catch {
    return false;
  }
}

/** A plot in `host`, in the colours of the page, as wide as there is room. uPlot sets styles through the CSSOM only. */
export function createPlot(host: HTMLElement, options: PlotOptions, summary: string): Plot {
  host.setAttribute('role', 'img');
  host.setAttribute('aria-label', summary);
  if (!canDraw()) {
    host.hidden = true;
    return { draw: (_, text) => host.setAttribute('aria-label', text) };
  }
  const plot = new uPlot(settings(host, options), [[], ...options.lines.map(() => [])], host);
  new ResizeObserver(() => {
    if (host.clientWidth > 0 && host.clientWidth !== plot.width)
      plot.setSize({ width: host.clientWidth, height: options.heightPx });
  }).observe(host);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => plot.redraw());
  return {
    draw(data, text) {
      host.setAttribute('aria-label', text);
      plot.setData(data as uPlot.AlignedData);
    },
  };
}

const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function settings(host: HTMLElement, { heightPx, x, y, lines, marks }: PlotOptions): uPlot.Options {
  const font = `${FONT_PX}px ${getComputedStyle(document.body).fontFamily}`;
  const axis = (scale: Scale, side: 'x' | 'y'): uPlot.Axis => ({
    scale: side,
    font,
    stroke: () => colour('--muted'),
    grid: { stroke: () => colour('--line'), width: 1, show: side === 'y' },
    ticks: { show: false },
    // As wide as its longest label, so that the plot begins where the text above does.
    size: side === 'x' ? 28 : (plot, values) => widest(plot, values, font) + LABEL_GAP_PX,
    gap: LABEL_GAP_PX,
    values: (_, splits) => splits.map((value) => (value === null ? null : scale.label(value))),
    ...(scale.steps && !scale.isLog && { incrs: scale.steps }),
    // uPlot's own would draw a line at each digit of each power.
    ...(scale.isLog && {
      splits: (_, __, min, max) => logTicks(min, max, scale.steps ?? [1]),
      filter: (plot, splits) => (side === 'x' ? thinned(plot, splits) : splits),
    }),
    ...(side === 'x' && { space: 34 }),
  });
  const scale = ({ isLog, range }: Scale): uPlot.Scale => ({
    time: false,
    ...(isLog && { distr: 3 as const, log: 10 as const }),
    range: (_, min, max) => range(min, max),
  });
  return {
    width: host.clientWidth || 320,
    height: heightPx,
    padding: [marks ? 24 : 14, 22, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: { x: scale(x), y: scale(y) },
    axes: [axis(x, 'x'), axis(y, 'y')],
    series: [{}, ...lines.map(lineSettings)],
    hooks: { draw: [(plot) => drawMarks(plot, marks?.() ?? [], font)] },
  };
}

/** The width of the longest label, in CSS pixels. */
function widest({ ctx }: uPlot, labels: readonly (string | null)[] | null, font: string): number {
  ctx.font = font;
  const widths = (labels ?? []).map((label) => ctx.measureText(label ?? '').width);
  return Math.ceil(Math.max(0, ...widths));
}

/** The ticks without those whose label would stand in that of the one before. */
function thinned(plot: uPlot, ticks: readonly number[]): (number | null)[] {
  let lastPx = Number.NEGATIVE_INFINITY;
  return ticks.map((tick) => {
    const px = plot.valToPos(tick, 'x');
    if (px - lastPx < LEAST_APART_PX) return null;
    lastPx = px;
    return tick;
  });
}

function lineSettings({ style, fill, points }: Line): uPlot.Series {
  const ink = () => colour(style === 'accent' ? '--accent' : '--line-strong');
  return {
    stroke: ink,
    width: style === 'accent' ? 2.25 : 1.75,
    spanGaps: false,
    ...(style === 'dashed' && { dash: [5, 5] }),
    ...(fill && { fill: () => colour('--accent-soft') }),
    points: points ? { show: true, size: 8, fill: ink, stroke: ink } : { show: false },
  };
}

function drawMarks(plot: uPlot, marks: readonly Mark[], font: string): void {
  const { ctx, bbox } = plot;
  const ratio = uPlot.pxRatio;
  for (const { x, label } of marks) {
    const at = Math.round(plot.valToPos(x, 'x', true));
    if (!(at >= bbox.left && at <= bbox.left + bbox.width)) continue;
    ctx.save();
    ctx.strokeStyle = colour('--ink');
    ctx.lineWidth = ratio;
    ctx.setLineDash([2 * ratio, 3 * ratio]);
    ctx.beginPath();
    ctx.moveTo(at, bbox.top);
    ctx.lineTo(at, bbox.top + bbox.height);
    ctx.stroke();
    ctx.font = font.replace(`${FONT_PX}px`, `600 ${FONT_PX * ratio}px`);
    ctx.fillStyle = colour('--ink');
    ctx.textBaseline = 'bottom';
    ctx.textAlign = 'center';
    // Above the plot, where no line and no label of an axis is, and not beyond its ends.
    const half = ctx.measureText(label).width / 2;
    const most = plot.width * ratio - half;
    ctx.fillText(label, Math.min(most, Math.max(half, at)), bbox.top - 6 * ratio);
    ctx.restore();
  }
}
