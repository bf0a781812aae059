import type { KernelName } from '../../solver/protocol.ts';
import { formatCount, formatRate } from '../format.ts';
import type { Language } from '../language.ts';
import { part } from '../part.ts';
import { KERNELS } from './plan.ts';
import { canDraw, createPlot } from './plot.ts';
import { fillRows } from './rows.ts';
import type { Measured } from './run.ts';
import { BITS, solveTimes } from './solve-times.ts';
import { BENCH_TEXT } from './text.ts';
import { formatCompact, formatFactor, formatTime, roundToThree } from './units.ts';

/** What is known of this device so far; a kernel that was not measured yet is missing. */
export type Known = { kernels: Partial<Measured['kernels']>; workers: Measured['workers'] };

export type DeviceView = {
  show(known: Known): void;
  /** The live rate of a kernel, while it is measured. */
  sampleKernel(kernel: KernelName, ratePerSec: number): void;
};

const HEIGHT_PX = 240;

/** The cards by kernel, by workers, and of the time to solve. @param siteBits the price that this server asks */
export function createDeviceView(
  root: HTMLElement,
  language: Language,
  steps: readonly number[],
  siteBits: number | null,
): DeviceView {
  const text = BENCH_TEXT[language];
  const meters = createMeters(part(root, 'kernels', HTMLElement), language);
  const most = steps.at(-1) as number;
  const workersPlot = createPlot(
    part(root, 'workers-plot', HTMLElement),
    {
      heightPx: HEIGHT_PX,
      x: {
        range: () => [1, Math.max(2, most)],
        label: (value) => formatCount(value, language),
        steps: [1, 2, 4],
      },
      y: fromZero(language),
      lines: [{ style: 'dashed' }, { style: 'accent', points: true }],
    },
    text.empty,
  );
  const marks = siteBits === null ? [] : [{ x: siteBits, label: text.thisSite(siteBits) }];
  const timePlot = createPlot(
    part(root, 'time-plot', HTMLElement),
    {
      heightPx: HEIGHT_PX,
      x: { range: () => [16, 24], label: (value) => formatCount(value, language), steps: [1, 2] },
      y: {
        isLog: true,
        range: (min, max) => [powerOfTen(min ?? 0.01, Math.floor), powerOfTen(max ?? 10, Math.ceil)],
        label: (value) => formatTime(value, language),
      },
      lines: [{ style: 'dashed' }, { style: 'accent', points: true }],
      marks: () => marks,
    },
    text.empty,
  );
  if (!canDraw())
    for (const details of root.querySelectorAll<HTMLDetailsElement>('.card details')) details.open = true;

  function showWorkers(workers: Measured['workers']) {
    const one = workers[0]?.rate ?? 0;
    const best = Math.max(0, ...workers.map(({ rate }) => rate));
    const known = new Map(workers.map((step) => [step.workers, step.rate]));
    workersPlot.draw(
      [steps, steps.map((n) => (one > 0 ? n * one : null)), steps.map((n) => known.get(n) ?? null)],
      one > 0
        ? text.workersSummary(formatRate(best, language), formatFactor(best / one, language))
        : text.empty,
    );
    fillRows(
      part(root, 'workers-table', HTMLElement),
      workers.map((step) => [
        formatCount(step.workers, language),
        formatCount(roundToThree(step.rate), language),
        `× ${formatFactor(step.rate / one, language)}`,
      ]),
    );
    showTimes(best);
  }

  function showTimes(rate: number) {
    const times = rate > 0 ? solveTimes(rate) : [];
    const shown = times.find(({ bits }) => bits === siteBits) ?? times.find(({ bits }) => bits === 20);
    timePlot.draw(
      rate > 0 ? [BITS, times.map((time) => time.most), times.map((time) => time.median)] : [[], [], []],
      shown
        ? text.timeSummary(shown.bits, formatTime(shown.median, language), formatTime(shown.most, language))
        : text.empty,
    );
    fillRows(
      part(root, 'time-table', HTMLElement),
      times.map(({ bits, median, most: late }) => [
        formatCount(bits, language),
        formatTime(median, language),
        formatTime(late, language),
      ]),
    );
  }

  return {
    show(known) {
      meters.show(known.kernels);
      showWorkers(known.workers);
    },
    sampleKernel: meters.sample,
  };
}

/** A rate axis from nothing up. */
export const fromZero = (language: Language) => ({
  range: (_: number | null, max: number | null): [number, number] => [0, (max || 1e6) * 1.12],
  label: (value: number) => formatCompact(value, language),
});

const powerOfTen = (value: number, round: (log: number) => number) => Number(`1e${round(Math.log10(value))}`);

/** One bar a kernel, its length beside the fastest. */
function createMeters(list: HTMLElement, language: Language) {
  const text = BENCH_TEXT[language];
  let rates: Partial<Measured['kernels']> = {};
  const rows = KERNELS.map((kernel) => {
    const element = (tag: string, className: string) => {
      const made = document.createElement(tag);
      made.className = className;
      return made;
    };
    const row = element('li', 'meter');
    const [name, value, gain] = ['meter-name', 'meter-value', 'meter-gain'].map((c) =>
      element('span', c),
    ) as [HTMLElement, HTMLElement, HTMLElement];
    const track = element('span', 'meter-track');
    track.setAttribute('aria-hidden', 'true');
    track.append(element('span', 'meter-fill'));
    name.textContent = text.kernels[kernel];
    row.append(name, value, track, gain);
    list.append(row);
    return { kernel, row, value, gain };
  });
  const render = () => {
    const best = Math.max(1, ...Object.values(rates).map((rate) => rate ?? 0));
    for (const { kernel, row, value, gain } of rows) {
      const rate = rates[kernel];
      const slow = rates.javascript;
      row.style.setProperty('--share', String((rate ?? 0) / best));
      row.dataset.state = rate === null ? 'missing' : rate === undefined ? 'unknown' : 'known';
      value.textContent = rate === null ? text.cannotRun : rate ? formatRate(rate, language) : '–';
      const isFaster = kernel !== 'javascript' && rate && slow;
      gain.textContent = isFaster ? text.times(formatFactor(rate / slow, language)) : '';
    }
  };
  render();
  return {
    show(known: Partial<Measured['kernels']>) {
      rates = { ...known };
      render();
    },
    sample(kernel: KernelName, rate: number) {
      rates = { ...rates, [kernel]: rate };
      render();
    },
  };
}
