import type { KernelName } from '../../solver/protocol.ts';
import type { Language } from '../language.ts';
import type { Rating } from './rating.ts';
import { BENCH_TEXT_DE } from './text-de.ts';

/** What the device page says beside the texts that stand in its HTML. */
export type BenchText = {
  ready: string;
  readyMessage(secs: string): string;
  caption: string;
  measuring: string;
  stage(kernel: string, workers: string): string;
  announce(stage: string, percent: string): string;
  paused: string;
  pausedMessage: string;
  stopped: string;
  stoppedMessage: string;
  done: string;
  doneMessage(time: string, bits: number): string;
  doneCaption(count: string): string;
  again: string;
  failed: string;
  nothingRuns: string;
  runFailed: string;
  cannotRun: string;
  times(factor: string): string;
  workers(count: string): string;
  thisSite(bits: number): string;
  thisDevice: string;
  ratings: Record<Rating, string>;
  notTold: string;
  pressFirst: string;
  longTasks(count: string): string;
  press(count: string): string;
  workersSummary(most: string, gain: string): string;
  timeSummary(bits: number, median: string, most: string): string;
  empty: string;
  nothingToSend: string;
  sending: string;
  sent(day: string): string;
  sendFailed(reason: string): string;
  throttled: string;
  implausible: string;
  tooFew(count: string, least: string): string;
  faster(percent: string): string;
  atMost(percent: string): string;
  among(count: string): string;
  medianOf(among: string): string;
  copied: string;
  notAllowed: string;
  systems: Record<string, string>;
  kernels: Record<KernelName, string>;
};

const en: BenchText = {
  ready: 'Ready',
  readyMessage: (secs) => `A run takes about ${secs}. You can stop it at any time.`,
  caption: 'hashes per second',
  measuring: 'Measuring',
  stage: (kernel, workers) => `${kernel}; ${workers}`,
  announce: (stage, percent) => `${percent} done. Measuring: ${stage}.`,
  paused: 'Paused',
  pausedMessage: 'It goes on as soon as this tab is seen again.',
  stopped: 'Stopped',
  stoppedMessage: 'All workers have ended. What was measured until now stays.',
  done: 'Done',
  doneMessage: (time, bits) =>
    `A puzzle of ${bits} bits, as this server sets them, takes this device ${time} in the median.`,
  doneCaption: (count) => `at best, with ${en.workers(count)}`,
  again: 'Measure again',
  failed: 'It did not work',
  nothingRuns:
    'This browser starts no module workers, which the solver needs. Browsers since 2023 have them; a strict policy or extension may also stand in the way.',
  runFailed: 'A worker stopped answering. Close other tabs and try again.',
  cannotRun: 'does not run in this browser',
  times: (factor) => `${factor} × JavaScript`,
  workers: (count) => (count === '1' ? '1 worker' : `${count} workers`),
  thisSite: (bits) => `this server: ${bits}`,
  thisDevice: 'this device',
  ratings: { good: 'good', 'needs improvement': 'needs improvement', poor: 'poor' },
  notTold: 'not told by this browser',
  pressFirst: 'press the button',
  longTasks: (count) => (count === '1' ? '1 long task' : `${count} long tasks`),
  press: (count) => `Press me (${count})`,
  workersSummary: (most, gain) =>
    `Hash rate by number of workers: ${most} at best, ${gain} times that of one.`,
  timeSummary: (bits, median, most) =>
    `Time to solve 16 to 24 bits. For ${bits} bits the median is ${median}, and 19 of 20 are done within ${most}.`,
  empty: 'Nothing measured yet.',
  nothingToSend: 'Nothing yet. What a run finds stands here, word for word, before you send it.',
  sending: 'Solving the puzzle, then sending…',
  sent: (day) => `Sent. It is deleted on ${day} at the latest.`,
  sendFailed: (reason) => `Not sent. ${reason}`,
  throttled: 'Enough figures came from your network for now. Try again in an hour.',
  implausible: 'The figures do not fit together; the device was probably busy. Measure again.',
  tooFew: (count, least) =>
    `${count} so far. Figures are shown from ${least} devices on, so that none of them can be made out.`,
  faster: (percent) => `Faster than ${percent}`,
  atMost: (percent) => `Among the slowest ${percent}`,
  among: (count) => `of ${count} devices that visitors left here`,
  medianOf: (among) => `is the median ${among}`,
  copied: 'Copied',
  notAllowed: 'Not allowed',
  systems: {
    windows: 'Windows',
    macos: 'macOS',
    linux: 'Linux',
    chromeos: 'ChromeOS',
    android: 'Android',
    ios: 'iOS',
    other: 'other',
  },
  kernels: { simd: 'WebAssembly, four lanes', scalar: 'WebAssembly, one lane', javascript: 'JavaScript' },
};

export const BENCH_TEXT: Record<Language, BenchText> = { en, de: BENCH_TEXT_DE };
