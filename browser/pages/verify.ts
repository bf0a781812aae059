import { type ChallengeBody, obtainPassport, SessionError } from '../solver/session.ts';
import { isTooSlow, offerHref } from './captcha-offer.ts';
import { failureText } from './failure-text.ts';
import { formatCount } from './format.ts';
import { readGateFacts } from './gate-facts.ts';
import { chooseLanguage } from './language.ts';
import { part } from './part.ts';
import { createPassportMemory } from './passport-memory.ts';
import { createProgressView } from './progress-view.ts';
import { createRetryGuard } from './retry-guard.ts';
import { createStateNotes } from './state-note.ts';
import { openTabStorage } from './tab-storage.ts';
import { translate } from './translate.ts';
import { VERIFY_TEXT } from './verify-text.ts';

// The page that stands in for a gated one, at the same URL: it wins a passport, then loads that URL again.

// The note that CSS shows where this script does not come, or cannot be read.
document.querySelector('.late')?.remove();

const root = document.querySelector<HTMLElement>('#gate') as HTMLElement;
const language = chooseLanguage(navigator.languages ?? [navigator.language]);
const text = VERIFY_TEXT[language];
translate(document, language, text);

const heading = part(root, 'heading', HTMLElement);
heading.tabIndex = -1;
const lead = part(root, 'lead', HTMLElement);
const retry = part(root, 'retry', HTMLButtonElement);
const back = part(root, 'back', HTMLButtonElement);
const offer = part(root, 'offer', HTMLElement);
const view = createProgressView(root, language);

const facts = readGateFacts(root.dataset.gate);
const isForm = facts !== null && facts.method !== 'GET' && facts.method !== 'HEAD';
const memory = createPassportMemory(() => localStorage);
const guard = createRetryGuard(
  openTabStorage(() => sessionStorage, history),
  location.pathname,
);

/** A reload that leads nowhere by now was answered with a download (our choice: 4 s). */
const STAYED_MS = 4000;

type State = 'working' | 'done' | 'stopped' | 'failed' | 'request';
let run: AbortController | null = null;
let firstRunMs: number | null = null;
// The gate has just refused us whatever is remembered here: only a passport won after this is news.
let knownEndMs = memory.expiresAt(Date.now());

function show(state: State, title: string, message: string, action?: { button: HTMLElement; label: string }) {
  const hadFocus = document.activeElement === retry || document.activeElement === back;
  root.dataset.state = state;
  heading.textContent = title;
  lead.textContent = message;
  for (const button of [retry, back]) button.hidden = button !== action?.button;
  if (action) action.button.textContent = action.label;
  // A button that vanishes takes the keyboard's place in the page with it: hand it on.
  if (hadFocus) (action?.button ?? heading).focus();
  view.say(`${title}. ${message}`);
}

/** @param embedded the challenge that came with the page, good for the first run only */
async function start(embedded?: ChallengeBody) {
  run?.abort();
  const mine = new AbortController();
  run = mine;
  firstRunMs ??= performance.now();
  view.clear();
  const noteOf = createStateNotes(language);
  show('working', isForm ? text.formHeading : text.workingHeading, workingLead());
  try {
    const passport = await obtainPassport({
      ...(facts?.route ? { route: facts.route } : {}),
      ...(embedded ? { challenge: embedded } : {}),
      signal: mine.signal,
      onState: (state, waitSecs) => {
        if (run !== mine) return;
        const note = noteOf(state, waitSecs);
        if (note) view.say(note);
        if (state !== 'done') lead.textContent = note ?? workingLead();
      },
      onProgress: (progress) => {
        if (run !== mine) return;
        view.show(progress);
        if (isTooSlow(progress, performance.now() - (firstRunMs ?? 0))) offerCaptcha();
      },
    });
    if (run !== mine) return;
    view.finish(passport.solution);
    const nowMs = Date.now();
    knownEndMs = nowMs + passport.ttlSecs * 1000;
    memory.remember(knownEndMs);
    if (!isForm) guard.recordSolve(nowMs, passport.ttlSecs * 1000, passport.solution.elapsedMs);
    enter();
  } catch (error) {
    if (run !== mine || mine.signal.aborted) return;
    const code = error instanceof SessionError ? error.code : 'other';
    view.clear();
    if (code === 'solver-failed' || code === 'too-many-tries') offerCaptcha();
    show('failed', text.failedHeading, failureText(code, language), { button: retry, label: text.retry });
    // What the browser could not run may be a file that a deployment has taken away: only a new page has the new ones.
    retry.onclick = () => (code === 'solver-failed' ? location.reload() : void start());
  }
}

function workingLead(): string {
  if (isForm) return offer.hidden ? text.formWorkingLead : text.slowFormLead;
  return offer.hidden ? text.workingLead : text.slowLead;
}

/** Shows the other way in, where the server has one. The search goes on beside it, and an offer is not taken back. */
function offerCaptcha() {
  if (!facts?.captcha || !offer.hidden) return;
  const link = part(root, 'offer-link', HTMLAnchorElement);
  link.href = offerHref(facts.captcha, location, isForm);
  // In another tab this one stays, and with it the way back to the form.
  if (isForm) link.target = '_blank';
  offer.hidden = false;
  lead.textContent = workingLead();
  view.say(`${lead.textContent} ${text.offer} ${text.offerLink}`);
}

/** Uses the passport: loads the held URL again, or asks for the form, whose body only the visitor can send again. */
function enter() {
  if (isForm) {
    const canGoBack = history.length > 1;
    const message = canGoBack ? text.formDoneLead : text.formDoneNoBackLead;
    show('done', text.formDoneHeading, message, canGoBack ? { button: back, label: text.back } : undefined);
    return;
  }
  show('done', text.doneHeading, text.doneLead);
  // A reload keeps path, query and fragment, and adds no history entry.
  location.reload();
  setTimeout(() => {
    show('done', text.doneHeading, text.stayedLead, { button: retry, label: text.open });
    retry.onclick = () => location.reload();
  }, STAYED_MS);
}

function stop() {
  const plainHttp = location.protocol === 'http:';
  const reason = !window.isSecureContext
    ? text.stoppedInsecure
    : plainHttp
      ? text.stoppedLocalhost
      : text.stoppedCookies;
  show('stopped', text.stoppedHeading, reason, { button: retry, label: text.retry });
  retry.onclick = () => {
    guard.reset();
    void start();
  };
}

/** Another tab may have won a passport: then this one need not go on. */
function useNews() {
  const endMs = memory.expiresAt(Date.now());
  if (endMs === null || endMs === knownEndMs || facts?.mode === 'request') return;
  knownEndMs = endMs;
  run?.abort();
  run = null;
  enter();
}

if (facts) {
  part(root, 'difficulty', HTMLElement).textContent = text.bits(formatCount(facts.difficulty_bits, language));
  part(root, 'route', HTMLElement).textContent = facts.route || '*';
  part(root, 'request-id', HTMLElement).textContent = facts.request_id;
}

back.addEventListener('click', () => history.back());
addEventListener('storage', useNews);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') useNews();
});
addEventListener('pagehide', () => run?.abort());
addEventListener('pageshow', (event) => {
  // Out of the back-forward cache the embedded challenge is old, and so is whatever the page showed.
  if (event.persisted && facts?.mode !== 'request') void start();
});

const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
if (facts?.mode === 'request') show('request', text.requestHeading, text.requestLead);
else if (!isForm && guard.shouldStop(Date.now())) stop();
else void start(navigation?.type === 'back_forward' || !facts ? undefined : sinceArrival(facts.challenge));

/** The embedded challenge with what is left of its life: on a slow network it is some seconds old by now. */
function sinceArrival(challenge: ChallengeBody): ChallengeBody {
  const ageSecs = navigation ? (performance.now() - navigation.responseStart) / 1000 : 0;
  return { ...challenge, expires_in_secs: challenge.expires_in_secs - ageSecs };
}
