import type { CaptchaPageData } from '../../server/wire/captcha.ts';
import { exchangeToken } from './captcha-exchange.ts';
import { CAPTCHA_TEXT } from './captcha-text.ts';
import { mountWidget } from './captcha-widget.ts';
import { chooseLanguage } from './language.ts';
import { part } from './part.ts';
import { createPassportMemory } from './passport-memory.ts';
import { createRetryGuard } from './retry-guard.ts';
import { openTabStorage } from './tab-storage.ts';
import { translate } from './translate.ts';

// The page that shows a CAPTCHA in place of the calculation, and exchanges its answer for a passport.

document.querySelector('.late')?.remove();

const root = document.querySelector<HTMLElement>('#captcha') as HTMLElement;
const facts = JSON.parse(root.dataset.captcha ?? '') as CaptchaPageData;
const language = chooseLanguage(navigator.languages ?? [navigator.language]);
const text = CAPTCHA_TEXT[language];
translate(document, language, text);
part(root, 'why', HTMLElement).textContent = text.why(facts.provider);

const heading = part(root, 'heading', HTMLElement);
const lead = part(root, 'lead', HTMLElement);
const form = part(root, 'form', HTMLFormElement);
const send = part(root, 'send', HTMLButtonElement);
const again = part(root, 'again', HTMLButtonElement);
const back = part(root, 'back', HTMLAnchorElement);
const error = part(root, 'error', HTMLElement);
const status = part(root, 'status', HTMLElement);
let isBusy = false;

/** Says what went wrong, aloud too; the next step is the one button that is left. */
function fail(message: string, isFinal = false) {
  error.textContent = message;
  status.textContent = '';
  send.disabled = false;
  send.hidden = isFinal;
  again.hidden = false;
  if (isFinal) again.focus();
}

function succeed(ttlSecs: number, returnTo: string | null) {
  const nowMs = Date.now();
  // Other tabs that solve for the same site stop at this news.
  createPassportMemory(() => localStorage).remember(nowMs + ttlSecs * 1000);
  root.dataset.state = 'done';
  form.hidden = true;
  heading.textContent = text.doneHeading;
  lead.textContent = returnTo === null ? text.doneFormLead : text.doneLead;
  status.textContent = `${text.doneHeading}. ${lead.textContent}`;
  heading.focus();
  if (returnTo === null) {
    back.hidden = true;
    return;
  }
  const target = new URL(returnTo, location.origin);
  // Counted as a solve, so that a browser that drops the cookie is told so and does not go round in circles.
  const storage = openTabStorage(() => sessionStorage, history);
  createRetryGuard(storage, target.pathname).recordSolve(nowMs, ttlSecs * 1000);
  back.textContent = text.open;
  location.replace(target);
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (isBusy) return;
  const token = String(new FormData(form).get(facts.response_field) ?? '');
  // Friendly Captcha's field holds a state with a dot in front until there is a token.
  if (token === '' || token.startsWith('.')) return fail(text.missing);
  isBusy = true;
  send.disabled = true;
  error.textContent = '';
  status.textContent = text.checking;
  const exchanged = await exchangeToken(token, facts, (path, init) => fetch(path, init));
  isBusy = false;
  if (exchanged.isOpen) return succeed(exchanged.ttlSecs, exchanged.returnTo);
  const { failures } = text;
  const message = Object.hasOwn(failures, exchanged.code) ? failures[exchanged.code] : failures.other;
  fail(message ?? failures.other, exchanged.isFinal);
});
again.addEventListener('click', () => location.reload());
if (facts.return_to !== null) {
  back.href = facts.return_to;
  back.hidden = false;
}

mountWidget(part(root, 'widget', HTMLElement), facts, language, {
  onDone: () => form.requestSubmit(),
  onExpired: () => fail(text.expired),
  onFailed: () => fail(text.widgetFailed),
});
