import type { DeviceResult, DeviceSummary } from '../../../server/wire/devices.ts';
import { SessionError } from '../../solver/session-error.ts';
import { failureText } from '../failure-text.ts';
import { formatCount, formatRate } from '../format.ts';
import type { Language } from '../language.ts';
import { part } from '../part.ts';
import { PERCENTS, percentSlower } from './comparison.ts';
import { createPlot, type Plot } from './plot.ts';
import { fillRows } from './rows.ts';
import { submissionText } from './submission.ts';
import { BENCH_TEXT } from './text.ts';
import { formatCompact, formatPercent } from './units.ts';

export type OthersPanelDeps = {
  /** Sends exactly this text; gives the day of its deletion. */
  submit(body: string, signal: AbortSignal): Promise<string>;
  look(signal: AbortSignal): Promise<DeviceSummary>;
};

export type OthersPanel = {
  /** What this device would send; null while there is nothing. */
  offer(result: DeviceResult | null): void;
};

const HEIGHT_PX = 240;

/** The comparison. Nothing is asked of the server before a button is pressed, and nothing sent before the other one is. */
export function createOthersPanel(
  root: HTMLElement,
  language: Language,
  { submit, look }: OthersPanelDeps,
  say: (line: string) => void,
): OthersPanel {
  const text = BENCH_TEXT[language];
  const send = part(root, 'send', HTMLButtonElement);
  const looking = part(root, 'look', HTMLButtonElement);
  const box = part(root, 'others', HTMLElement);
  // What a failure means here, where it means something else than at the gate.
  const reasons: Record<string, string> = {
    throttled: text.throttled,
    'malformed-request': text.implausible,
  };
  let offered: { body: string; rate: number } | null = null;
  let plot: Plot | null = null;
  let mark: { x: number; label: string }[] = [];
  let stop = new AbortController();
  addEventListener('pagehide', () => stop.abort());

  const tell = (line: string) => {
    part(root, 'others-message', HTMLElement).textContent = line;
    say(line);
  };

  /** Runs one exchange with the buttons off, and tells what went wrong. */
  async function exchange(
    button: HTMLButtonElement,
    run: () => Promise<void>,
    ifFailed: (reason: string) => string,
  ) {
    // Not `disabled`, which would take the keyboard's place away.
    if (button.getAttribute('aria-disabled') === 'true') return;
    button.setAttribute('aria-disabled', 'true');
    stop = new AbortController();
    try {
      await run();
    } catch (error) {
      const code = error instanceof SessionError ? error.code : 'other';
      tell(ifFailed(reasons[code] ?? failureText(code, language)));
    } finally {
      button.removeAttribute('aria-disabled');
    }
  }

  function show(summary: DeviceSummary) {
    const { whole, devices } = summary;
    if (!whole) {
      box.hidden = true;
      tell(text.tooFew(formatCount(devices, language), formatCount(summary.least_devices, language)));
      return;
    }
    box.hidden = false;
    const median = whole.percentiles[9] as number;
    const percent = offered && percentSlower(whole, offered.rate);
    const headline =
      percent === null
        ? formatRate(median, language)
        : percent <= 5
          ? text.atMost(formatPercent(5, language))
          : text.faster(formatPercent(percent, language));
    const among = text.among(formatCount(whole.devices, language));
    part(root, 'rank-key', HTMLElement).hidden = offered === null;
    part(root, 'rank', HTMLElement).textContent = headline;
    const caption = percent === null ? text.medianOf(among) : among;
    part(root, 'rank-caption', HTMLElement).textContent = caption;
    mark = offered ? [{ x: offered.rate, label: text.thisDevice }] : [];
    plot ??= createPlot(
      part(root, 'others-plot', HTMLElement),
      {
        heightPx: HEIGHT_PX,
        x: {
          isLog: true,
          range: (min, max) => {
            const rates = [min, max, ...mark.map(({ x }) => x)].filter((rate) => rate !== null);
            return [Math.min(...rates) / 1.3, Math.max(...rates) * 1.3];
          },
          steps: [1, 2, 5],
          label: (value) => formatCompact(value, language),
        },
        y: { range: () => [0, 100], label: (value) => formatPercent(value, language), steps: [25] },
        lines: [{ style: 'accent', fill: true }],
        marks: () => mark,
      },
      text.empty,
    );
    plot.draw([whole.percentiles, PERCENTS], `${headline} ${caption}`);
    fillRows(
      part(root, 'others-table', HTMLElement),
      PERCENTS.map((share, i) => [
        formatPercent(share, language),
        formatCount(whole.percentiles[i] as number, language),
      ]),
    );
    part(root, 'systems', HTMLElement).hidden = summary.systems.length === 0;
    fillRows(
      part(root, 'systems-table', HTMLElement),
      [...summary.systems]
        .sort((a, b) => b.median - a.median)
        .map((group) => [
          text.systems[group.system] ?? group.system,
          formatCount(group.devices, language),
          formatCompact(group.median, language),
        ]),
    );
    say(`${headline} ${caption}`);
  }

  send.addEventListener('click', () => {
    if (!offered) return;
    const { body } = offered;
    void exchange(
      send,
      async () => {
        tell(text.sending);
        const day = await submit(body, stop.signal);
        const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(
          new Date(day),
        );
        send.disabled = true;
        looking.focus({ preventScroll: true });
        show(await look(stop.signal));
        tell(
          `${text.sent(date)} ${box.hidden ? (part(root, 'others-message', HTMLElement).textContent ?? '') : ''}`.trim(),
        );
      },
      text.sendFailed,
    );
  });
  looking.addEventListener('click', () => {
    void exchange(
      looking,
      async () => {
        tell('');
        show(await look(stop.signal));
      },
      (reason) => reason,
    );
  });
  looking.disabled = false;

  return {
    offer(result) {
      offered = result && {
        body: submissionText(result),
        rate: Math.max(...result.workers.map(({ rate }) => rate)),
      };
      part(root, 'sent', HTMLElement).textContent = offered?.body ?? text.nothingToSend;
      send.disabled = !offered;
      part(root, 'others-message', HTMLElement).textContent = '';
    },
  };
}
