import { createAnnouncer } from '../announcer.ts';
import { formatCount, formatEstimate, formatRate } from '../format.ts';
import type { Language } from '../language.ts';
import { part } from '../part.ts';
import { fromZero, type Known } from './device-view.ts';
import type { Stage } from './measure.ts';
import { type Pace, runMs } from './plan.ts';
import { createPlot } from './plot.ts';
import { type Measured, NothingRuns, type RunDeps, runBench } from './run.ts';
import { solveTimes } from './solve-times.ts';
import { BENCH_TEXT } from './text.ts';
import { formatPercent, formatTime, roundToThree } from './units.ts';

export type RunPanelDeps = RunDeps & {
  pace: Pace;
  steps: readonly number[];
  siteBits: number | null;
  onBegin(): void;
  onSample(stage: Stage, ratePerSec: number): void;
  onKnown(known: Known): void;
  /** Null where it was stopped or failed. */
  onEnd(measured: Measured | null): void;
};

const LIVE_HEIGHT_PX = 130;
/** Who asked for less motion sees a new figure once a second, everyone else as they come. */
const CALM_MS = 1000;
const DEFAULT_BITS = 20;

type State = 'idle' | 'running' | 'paused' | 'done' | 'failed';

/** The panel that starts and stops a run and shows it live. */
export function createRunPanel(
  root: HTMLElement,
  language: Language,
  deps: RunPanelDeps,
): { say(line: string): void } {
  const text = BENCH_TEXT[language];
  const { pace, steps } = deps;
  const start = part(root, 'start', HTMLButtonElement);
  const stop = part(root, 'stop', HTMLButtonElement);
  const bar = part(root, 'bar', HTMLProgressElement);
  const status = part(root, 'status', HTMLElement);
  const announcer = createAnnouncer((line) => {
    status.textContent = line;
  });
  const put = (name: string, value: string) => {
    part(root, name, HTMLElement).textContent = value;
  };
  const totalSecs = runMs(pace, steps) / 1000;
  const live = createPlot(
    part(root, 'live-plot', HTMLElement),
    {
      heightPx: LIVE_HEIGHT_PX,
      x: {
        range: (_, max) => [0, Math.max(totalSecs, max ?? 0)],
        label: (value) => (value === 0 ? '' : formatTime(value, language)),
      },
      y: fromZero(language),
      lines: [{ style: 'accent', fill: true }],
    },
    text.empty,
  );
  let run: AbortController | null = null;
  let curve: { secs: number[]; rates: (number | null)[] } = { secs: [], rates: [] };
  let known: Known = { kernels: {}, workers: [] };

  function enter(state: State, title: string, message: string) {
    const isRunning = state === 'running' || state === 'paused';
    const hadFocus = document.activeElement === start || document.activeElement === stop;
    root.dataset.state = state;
    put('title', title);
    put('message', message);
    start.hidden = isRunning;
    stop.hidden = !isRunning;
    if (state === 'done') start.textContent = text.again;
    // A control that vanishes takes the keyboard's place in the page with it: hand it on.
    if (hadFocus) (isRunning ? stop : start).focus({ preventScroll: true });
  }

  const stageName = (stage: Stage) =>
    text.stage(text.kernels[stage.kernel], text.workers(formatCount(stage.workers, language)));

  async function measure() {
    const mine = new AbortController();
    run = mine;
    curve = { secs: [], rates: [] };
    known = { kernels: {}, workers: [] };
    const startedMs = performance.now();
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    let drawnMs = 0;
    deps.onBegin();
    deps.onKnown(known);
    live.draw([[], []], text.empty);
    put('readout', '–');
    bar.value = 0;
    enter('running', text.measuring, '');
    try {
      const measured = await runBench(deps, pace, steps, mine.signal, {
        onStage(stage, share) {
          // A stage begins at nothing: a gap keeps its line apart from the one before.
          curve.secs.push((performance.now() - startedMs) / 1000);
          curve.rates.push(null);
          bar.value = share;
          const percent = formatPercent(Math.floor(share * 100), language);
          bar.setAttribute('aria-valuetext', percent);
          enter('running', text.measuring, stageName(stage));
          announcer.say(text.announce(stageName(stage), percent));
        },
        onSample(stage, rate) {
          const nowMs = performance.now();
          curve.secs.push((nowMs - startedMs) / 1000);
          curve.rates.push(rate);
          if (isCalm && nowMs - drawnMs < CALM_MS) return;
          drawnMs = nowMs;
          put('readout', formatCount(roundToThree(rate), language));
          put('caption', text.caption);
          live.draw([curve.secs, curve.rates], formatRate(rate, language));
          deps.onSample(stage, rate);
        },
        onKernel(kernel, rate) {
          known = { ...known, kernels: { ...known.kernels, [kernel]: rate } };
          deps.onKnown(known);
        },
        onWorkers(workers, rate) {
          known = { ...known, workers: [...known.workers, { workers, rate }] };
          deps.onKnown(known);
        },
        onPause() {
          enter('paused', text.paused, text.pausedMessage);
          announcer.say(text.pausedMessage);
        },
      });
      finish(measured);
    } catch (error) {
      if (mine.signal.aborted) return;
      run = null;
      const message = error instanceof NothingRuns ? text.nothingRuns : text.runFailed;
      enter('failed', text.failed, message);
      announcer.say(message);
      deps.onEnd(null);
    }
  }

  function finish(measured: Measured) {
    run = null;
    const best = measured.workers.reduce((a, b) => (b.rate > a.rate ? b : a));
    const bits = deps.siteBits ?? DEFAULT_BITS;
    const time = solveTimes(best.rate).find((row) => row.bits === bits);
    bar.value = 1;
    bar.removeAttribute('aria-valuetext');
    live.draw([curve.secs, curve.rates], formatRate(best.rate, language));
    put('readout', formatCount(roundToThree(best.rate), language));
    put('caption', `${text.caption}, ${text.doneCaption(formatCount(best.workers, language))}`);
    const message = time ? text.doneMessage(formatTime(time.median, language), bits) : '';
    enter('done', text.done, message);
    announcer.say(`${text.done}. ${formatRate(best.rate, language)}. ${message}`);
    deps.onEnd(measured);
  }

  function cancel() {
    const mine = run;
    run = null;
    if (!mine) return;
    mine.abort(new Error('stopped'));
    bar.value = 0;
    enter('idle', text.stopped, text.stoppedMessage);
    announcer.say(`${text.stopped}. ${text.stoppedMessage}`);
    deps.onEnd(null);
  }

  // The second half of a double click must not press what has just taken the button's place.
  start.addEventListener('click', () => {
    if (!run) void measure();
  });
  stop.addEventListener('click', (event) => {
    if (event.detail <= 1) cancel();
  });
  addEventListener('pagehide', cancel);
  put('title', text.ready);
  put('message', text.readyMessage(formatEstimate(totalSecs, language) ?? ''));
  start.disabled = false;
  return { say: announcer.say };
}
