import type { Solution, SolveProgress } from '../solver/protocol.ts';
import { createAnnouncer } from './announcer.ts';
import { formatChance, formatCount, formatDuration, formatEstimate, formatRate } from './format.ts';
import type { Language } from './language.ts';
import { part } from './part.ts';
import { SOLVER_TEXT } from './solver-text.ts';

/** The measuring instruments of a page: bar, drawing, facts and the screen reader's line. */
export type ProgressView = {
  clear(): void;
  show(progress: SolveProgress): void;
  /** The gate stands open without a search, by a passport won before. */
  open(): void;
  finish(solution: Solution): void;
  say(text: string): void;
};

/** Progress is spoken this often; changes of state are spoken at once (our choice: every second would be chatter). */
const SPEAK_EVERY_MS = 5000;
const NONE = '–';

/** @param root holds the parts `bar`, `gate`, `rate`, `tries`, `time`, `time-label`, `workers`, `kernel` and `status` */
export function createProgressView(root: HTMLElement, language: Language): ProgressView {
  const text = SOLVER_TEXT[language];
  const bar = part(root, 'bar', HTMLProgressElement);
  const gate = part(root, 'gate', SVGElement);
  const status = part(root, 'status', HTMLElement);
  const announcer = createAnnouncer((line) => {
    status.textContent = line;
  });
  let nextSpeechMs = SPEAK_EVERY_MS;
  let shownMs = 0;

  const put = (name: string, value: string) => {
    part(root, name, HTMLElement).textContent = value;
  };
  const raise = (share: number) => gate.style.setProperty('--raised', share.toFixed(3));
  const open = () => {
    bar.value = 1;
    bar.removeAttribute('aria-valuetext');
    raise(1);
  };

  return {
    clear() {
      nextSpeechMs = SPEAK_EVERY_MS;
      bar.value = 0;
      bar.removeAttribute('aria-valuetext');
      raise(0);
      put('time-label', text.toGo);
      for (const name of ['rate', 'tries', 'time', 'workers', 'kernel']) put(name, NONE);
    },
    show(progress) {
      const chance = text.chance(formatChance(progress.probability, language));
      const estimate = formatEstimate(progress.etaSecs, language);
      const toGo = estimate === null ? text.measuring : text.about(estimate);
      bar.value = progress.probability;
      bar.setAttribute('aria-valuetext', chance);
      // The drawing opens fully only when the gate does.
      raise(progress.probability * 0.7);
      put('rate', progress.ratePerSec > 0 ? formatRate(progress.ratePerSec, language) : text.measuring);
      put('tries', formatCount(progress.tries, language));
      put('time', toGo);
      put('workers', formatCount(progress.workers, language));
      put('kernel', text.kernels[progress.kernel]);
      // The clock of the search begins anew with each puzzle.
      if (progress.elapsedMs < shownMs) nextSpeechMs = SPEAK_EVERY_MS;
      shownMs = progress.elapsedMs;
      if (progress.elapsedMs >= nextSpeechMs) {
        nextSpeechMs = progress.elapsedMs + SPEAK_EVERY_MS;
        announcer.say(`${chance}. ${text.toGo}: ${toGo}`);
      }
    },
    open,
    finish(solution) {
      open();
      const secs = Math.max(solution.elapsedMs, 1) / 1000;
      put('rate', formatRate(solution.tries / secs, language));
      put('tries', formatCount(solution.tries, language));
      put('time-label', text.taken);
      put('time', formatDuration(solution.elapsedMs, language));
      put('workers', formatCount(solution.workers, language));
      put('kernel', text.kernels[solution.kernel]);
    },
    say: (line) => announcer.say(line),
  };
}
