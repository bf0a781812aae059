import { onINP } from 'web-vitals';
import { blockingMs } from './rating.ts';

/** What the page felt like so far, in milliseconds; null where nothing was felt yet, or the browser does not tell. */
export type Vitals = {
  inp: number | null;
  longTasks: { count: number; blockingMs: number } | null;
  /** The longest time between two frames during the run. */
  frame: number | null;
};

export type VitalsWatch = { begin(): void; end(): void };

// Event Timing's own least (§3.2): the library's default of 40 would leave out what is good.
const LEAST_INTERACTION_MS = 16;

/** Watches the page. INP counts from its opening, long tasks and frames between `begin` and `end`. */
export function watchVitals(onChange: (vitals: Vitals) => void): VitalsWatch {
  const canLongTasks =
    typeof PerformanceObserver === 'function' &&
    PerformanceObserver.supportedEntryTypes?.includes('longtask');
  let vitals: Vitals = { inp: null, longTasks: null, frame: null };
  let isRunning = false;
  let tasks: number[] = [];
  let lastFrameMs = 0;
  const change = (changes: Partial<Vitals>) => {
    vitals = { ...vitals, ...changes };
    onChange(vitals);
  };

  onINP(({ value }) => change({ inp: value }), {
    reportAllChanges: true,
    durationThreshold: LEAST_INTERACTION_MS,
  });
  if (canLongTasks) {
    new PerformanceObserver((list) => {
      if (!isRunning) return;
      tasks.push(...list.getEntries().map(({ duration }) => duration));
      change({ longTasks: { count: tasks.length, blockingMs: blockingMs(tasks) } });
    }).observe({ type: 'longtask' });
  }

  const frame = (nowMs: number) => {
    if (!isRunning) return;
    // A hidden tab paints nothing, which is no jank.
    if (lastFrameMs > 0 && nowMs - lastFrameMs > (vitals.frame ?? 0)) change({ frame: nowMs - lastFrameMs });
    lastFrameMs = nowMs;
    requestAnimationFrame(frame);
  };
  document.addEventListener('visibilitychange', () => {
    lastFrameMs = 0;
  });

  return {
    begin() {
      tasks = [];
      lastFrameMs = 0;
      change({ longTasks: canLongTasks ? { count: 0, blockingMs: 0 } : null, frame: null });
      if (!isRunning) requestAnimationFrame(frame);
      isRunning = true;
    },
    end() {
      isRunning = false;
    },
  };
}
