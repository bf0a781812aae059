import type { AdmissionPageData } from '../../server/wire/pow.ts';
import { passportEndMs, readAdmission } from './admission.ts';
import { startCountdown } from './countdown.ts';
import { formatCount, formatCountdown, formatTimeOfDay } from './format.ts';
import { part } from './part.ts';
import { createPassportMemory } from './passport-memory.ts';

// The page behind the gate: shows what the server knows of the visitor, and how long the passport lasts.

/** What is said of each way in. */
const HOW: Record<AdmissionPageData['how'], { name: string; lead: string; caption: string }> = {
  passport: {
    name: 'a passport',
    lead: 'This page is behind the gate. It opened because your browser did the work first.',
    caption: 'left on your passport',
  },
  request: {
    name: 'a proof with this request',
    lead: 'This page is behind the gate. It opened because this request carried a proof of work.',
    caption: 'the next request is asked again',
  },
  open: {
    name: 'nothing: the page is not gated',
    lead: 'The policy of this server does not put this page behind the gate, so it opened for everyone.',
    caption: 'no passport was needed',
  },
};

const root = document.querySelector<HTMLElement>('#admission') as HTMLElement;
const put = (name: string, value: string) => {
  part(root, name, HTMLElement).textContent = value;
};

const memory = createPassportMemory(() => localStorage);
const admission = readAdmission(root.dataset.admission);
const nowMs = Date.now();
const endMs = admission && passportEndMs(admission, nowMs);

if (admission) {
  const { name, caption, lead } = HOW[admission.how];
  put('how', name);
  put('lead', lead);
  put('caption', caption);
  if (admission.difficulty_bits !== null) {
    const tries = formatCount(2 ** admission.difficulty_bits, 'en');
    put('work', `${admission.difficulty_bits} bits (≈ ${tries} tries)`);
  }
  if (admission.issued_at !== null) {
    // Shown in the device's clock, like the end, so that the two are the passport's life apart.
    const lifeMs = ((admission.expires_at ?? admission.issued_at) - admission.issued_at) * 1000;
    put('issued', formatTimeOfDay(endMs === null ? admission.issued_at * 1000 : endMs - lifeMs, 'en-GB'));
  }
  put('network', admission.network);
}

if (endMs === null) {
  put('countdown', admission?.how === 'open' ? 'Open' : 'Once');
} else {
  if (endMs > nowMs) memory.remember(endMs);
  put('expires', formatTimeOfDay(endMs, 'en-GB'));
  let stop = () => {};
  const run = () => {
    stop();
    stop = startCountdown(endMs, (leftMs) => put('countdown', formatCountdown(leftMs)), expire);
  };
  run();
  addEventListener('pageshow', (event) => event.persisted && run());
}

function expire() {
  root.dataset.state = 'expired';
  put('heading', 'Your passport has expired.');
  put('lead', 'You can go on reading. The next request is checked again, which takes a moment.');
  put('countdown', formatCountdown(0));
  put('status', 'Your passport has expired.');
  part(root, 'reload', HTMLElement).hidden = false;
}

part(root, 'reload', HTMLButtonElement).addEventListener('click', () => location.reload());
