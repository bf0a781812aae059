import type { DeviceResult } from '../../../server/wire/devices.ts';
import { formatRate } from '../format.ts';
import type { Language } from '../language.ts';
import { rateVital } from './rating.ts';
import type { SolveTime } from './solve-times.ts';
import { BENCH_TEXT } from './text.ts';
import { formatTime } from './units.ts';
import type { Vitals } from './vitals.ts';

/** Everything that a run found, to take along. */
export type Report = { device: DeviceResult; times: readonly SolveTime[]; vitals: Vitals };

/** As lines of text, for a bug report or a chat. */
export function writeReport({ device, times, vitals }: Report, language: Language): string {
  const text = BENCH_TEXT[language];
  const { browser, system, cores, memory_gb: memory } = device;
  const version = browser.major === null ? '' : ` ${browser.major}`;
  const ms = (value: number) => formatTime(Math.round(value) / 1000, language);
  const felt: [string, 'inp' | 'blocking' | 'frame', number | null][] = [
    ['INP', 'inp', vitals.inp],
    ['TBT', 'blocking', vitals.longTasks?.blockingMs ?? null],
    ['max. frame', 'frame', vitals.frame],
  ];
  return [
    `Gatehouse /bench · ${browser.family}${version} · ${text.systems[system]}${cores === null ? '' : ` · ${cores} threads`}${memory === null ? '' : ` · ≥ ${memory} GB`}`,
    '',
    ...Object.entries(device.kernels).map(
      ([name, rate]) =>
        `${text.kernels[name as keyof typeof text.kernels]}: ${rate === null ? text.cannotRun : formatRate(rate, language)}`,
    ),
    '',
    ...device.workers.map(
      ({ workers, rate }) => `${text.workers(String(workers))}: ${formatRate(rate, language)}`,
    ),
    '',
    ...times.map(
      ({ bits, median, most }) =>
        `${bits} bit: ${formatTime(median, language)} (95 %: ${formatTime(most, language)})`,
    ),
    '',
    felt
      .filter(([, , value]) => value !== null)
      .map(
        ([name, vital, value]) =>
          `${name} ${ms(value as number)} (${text.ratings[rateVital(vital, value as number)]})`,
      )
      .join(' · '),
  ].join('\n');
}
