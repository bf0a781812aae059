import { after } from '../solver/after.ts';
import { createGateClient } from '../solver/gate-client.ts';
import { createPool } from '../solver/pool.ts';
import { spawnWorker } from '../solver/spawn-worker.ts';
import { workerCount } from '../solver/worker-count.ts';
import { describeDevice, type Navigator as Facts } from './bench/device.ts';
import { createDeviceView, type Known } from './bench/device-view.ts';
import { endlessChallenge } from './bench/endless-challenge.ts';
import { measureRate } from './bench/measure.ts';
import { createOthersPanel } from './bench/others-panel.ts';
import { PACE, QUICK_PACE, workerSteps } from './bench/plan.ts';
import { type Report, writeReport } from './bench/report.ts';
import type { Measured } from './bench/run.ts';
import { createRunPanel } from './bench/run-panel.ts';
import { solveTimes } from './bench/solve-times.ts';
import { fetchSummary, submitDevice } from './bench/submission.ts';
import { BENCH_TEXT } from './bench/text.ts';
import { BENCH_PAGE_DE } from './bench/text-de.ts';
import { createVitalsView } from './bench/vitals-view.ts';
import { chooseLanguage } from './language.ts';
import { part } from './part.ts';
import { translate } from './translate.ts';

// The device page: measures this device, and shows it beside those that visitors of this server left here.

// The note that CSS shows where this script does not come, or cannot be read.
document.querySelector('.late')?.remove();

const root = document.querySelector<HTMLElement>('#main') as HTMLElement;
const language = chooseLanguage(navigator.languages ?? [navigator.language]);
const text = BENCH_TEXT[language];
translate(document, language, BENCH_PAGE_DE);

const now = () => performance.now();
const steps = workerSteps(navigator.hardwareConcurrency);
// The price stands in the page; one that no server filled in has none.
const siteBits = Number.parseInt(root.dataset.bits ?? '', 10) || null;

const device = createDeviceView(root, language, steps, siteBits);
const vitals = createVitalsView(root, language);
const pool = createPool({ spawn: spawnWorker, now, after, workers: workerCount(navigator) });
const submission = {
  gate: createGateClient({ fetch: (path, init) => fetch(path, init), after }),
  solve: pool.solve,
  fetch: (path: string, init: RequestInit) => fetch(path, init),
  now,
  after,
};

const panel = createRunPanel(root, language, {
  pace: new URLSearchParams(location.search).has('quick') ? QUICK_PACE : PACE,
  steps,
  siteBits,
  measure: (stage, signal, onSample) =>
    measureRate({ spawn: spawnWorker, now, after, challenge }, stage, signal, onSample),
  visibility: {
    isHidden: () => document.visibilityState === 'hidden',
    onChange(then) {
      document.addEventListener('visibilitychange', then);
      return () => document.removeEventListener('visibilitychange', then);
    },
  },
  onBegin() {
    vitals.begin();
    others.offer(null);
  },
  onKnown: (known: Known) => device.show(known),
  onSample: (stage, rate) => {
    if (stage.workers === 1) device.sampleKernel(stage.kernel, rate);
  },
  onEnd(measured) {
    vitals.end();
    if (measured) finish(measured);
  },
});
const others = createOthersPanel(
  root,
  language,
  {
    submit: (body, signal) => submitDevice(submission, body, signal),
    look: (signal) => fetchSummary(submission, signal),
  },
  panel.say,
);
const challenge = endlessChallenge(crypto.getRandomValues(new Uint8Array(32)));
others.offer(null);

let report: Report | null = null;

function finish(measured: Measured) {
  const best = Math.max(...measured.workers.map(({ rate }) => rate));
  const result = describeDevice(navigator as Facts, measured);
  report = { device: result, times: solveTimes(best), vitals: vitals.latest() };
  part(root, 'report', HTMLElement).textContent = writeReport(report, language);
  // The clipboard is there in secure contexts only; elsewhere the text can be selected as always.
  part(root, 'copies', HTMLElement).hidden = navigator.clipboard === undefined;
  others.offer(result);
}

for (const [name, write] of [
  ['copy-text', (found: Report) => writeReport(found, language)],
  ['copy-json', (found: Report) => JSON.stringify(found, null, 2)],
] as const) {
  const button = part(root, name, HTMLButtonElement);
  const label = button.textContent;
  button.addEventListener('click', async () => {
    if (!report) return;
    const isCopied = await navigator.clipboard.writeText(write(report)).then(
      () => true,
      () => false,
    );
    button.textContent = isCopied ? text.copied : text.notAllowed;
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  });
}
