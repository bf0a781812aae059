import { formatCount } from '../format.ts';
import type { Language } from '../language.ts';
import { part } from '../part.ts';
import { rateVital, type Vital } from './rating.ts';
import { BENCH_TEXT } from './text.ts';
import { formatTime } from './units.ts';
import { type Vitals, type VitalsWatch, watchVitals } from './vitals.ts';

/** The card on how the page feels: figures with units, and what they mean in words. */
export function createVitalsView(root: HTMLElement, language: Language): VitalsWatch & { latest(): Vitals } {
  const text = BENCH_TEXT[language];
  let vitals: Vitals = { inp: null, longTasks: null, frame: null };
  let hasRun = false;

  const put = (vital: Vital, ms: number | null, figure: string) => {
    part(root, vital, HTMLElement).textContent = figure;
    const rating = part(root, `${vital}-rating`, HTMLElement);
    rating.textContent = ms === null ? '' : text.ratings[rateVital(vital, ms)];
    if (ms === null) delete rating.dataset.rating;
    else rating.dataset.rating = rateVital(vital, ms);
  };
  const time = (ms: number) => formatTime(Math.round(ms) / 1000, language);
  const render = () => {
    const { inp, longTasks, frame } = vitals;
    put('inp', inp, inp === null ? (hasRun ? text.pressFirst : '–') : time(inp));
    put(
      'blocking',
      longTasks?.blockingMs ?? null,
      longTasks
        ? `${time(longTasks.blockingMs)} (${text.longTasks(formatCount(longTasks.count, language))})`
        : hasRun
          ? text.notTold
          : '–',
    );
    put('frame', frame, frame === null ? '–' : time(frame));
  };
  const watch = watchVitals((now) => {
    vitals = now;
    render();
  });

  const press = part(root, 'press', HTMLButtonElement);
  let presses = 0;
  press.textContent = text.press('0');
  press.addEventListener('click', () => {
    presses++;
    press.textContent = text.press(formatCount(presses, language));
  });

  return {
    begin() {
      hasRun = true;
      watch.begin();
    },
    end: watch.end,
    latest: () => vitals,
  };
}
