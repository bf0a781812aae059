import { createAnnouncer } from '../pages/announcer.ts';
import { formatChance, formatEstimate } from '../pages/format.ts';
import type { Language } from '../pages/language.ts';
import type { SessionState } from '../solver/obtain-passport.ts';
import type { SolveProgress } from '../solver/protocol.ts';
import type { AutoMode, GateState } from './gate-control.ts';
import { SHEET } from './sheet.ts';
import { failureNote, fill, type WidgetText } from './widget-text.ts';

/** The words of a view, and the locale of its numbers. */
export type Wording = { text: WidgetText & { failure?: string }; language: Language; locale: string };

/** What is to be seen and heard of a widget. */
export type GateView = {
  /** What the browser's own message about an unsolved widget points at. */
  anchor: HTMLElement;
  button: HTMLButtonElement;
  word(wording: Wording): void;
  show(state: GateState, mode: AutoMode, isHeld: boolean, code: string): void;
  session(state: SessionState, waitSecs?: number): void;
  progress(progress: SolveProgress): void;
  disable(isDisabled: boolean): void;
};

/** Progress is spoken this often; changes of state are spoken at once (our choice: every second would be chatter). */
const SPEAK_EVERY_MS = 5000;

const SVG = 'http://www.w3.org/2000/svg';
const OPENING = 'M36 112V76a24 24 0 0 1 48 0v36z';
const DRAWING: readonly (readonly [string, string])[] = [
  ['wall', 'M10 112V22h12v10h10V22h12v10h10V22h12v10h10V22h12v10h10V22h12v90z'],
  ['opening', OPENING],
  ['bars', 'M48 40v72M60 40v72M72 40v72M36 70h48M36 92h48'],
  ['arch', OPENING.slice(0, -1)],
];

/** One for all widgets of a page, made at the first. */
let sheet: CSSStyleSheet | null = null;

/**
 * Builds the widget into its shadow root, element by element: no text is parsed as HTML, which Trusted Types would refuse.
 */
export function createGateView(root: ShadowRoot): GateView {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(SHEET);
  }
  root.adoptedStyleSheets = [sheet];

  const box = make('div', 'box');
  box.tabIndex = -1;
  box.setAttribute('role', 'group');
  box.setAttribute('aria-labelledby', 'label');
  const label = make('p', 'label');
  label.id = 'label';
  const note = make('p', 'note');
  const words = document.createElement('div');
  words.className = 'words';
  words.append(label, note);
  const button = make('button', 'button');
  button.type = 'button';
  const bar = make('progress', 'bar');
  bar.max = 1;
  const status = document.createElement('p');
  status.setAttribute('role', 'status');
  const icon = draw();
  box.append(icon, words, button, bar, status);
  root.append(box);

  const announcer = createAnnouncer((line) => {
    status.textContent = line;
  });
  let wording: Wording | null = null;
  let shown: Parameters<GateView['show']> = ['unsolved', 'off', false, ''];
  let spoken = '';
  let nextSpeechMs = SPEAK_EVERY_MS;
  let shownMs = 0;
  let hasSolved = false;

  const raise = (share: number) => icon.style.setProperty('--raised', share.toFixed(3));

  const render = () => {
    if (!wording) return;
    const { text, language } = wording;
    const [state, mode, isHeld, code] = shown;
    const noteOf: Record<GateState, string> = {
      unsolved:
        mode === 'onfocus' ? text.onfocusNote : mode === 'onsubmit' ? text.onsubmitNote : text.offNote,
      solving: isHeld ? text.heldNote : text.solvingNote,
      solved: text.solvedNote,
      expired: text.expiredNote,
      error: failureNote(code, language, text),
    };
    label.textContent = text[state];
    note.textContent = noteOf[state];
    bar.setAttribute('aria-label', text.bar);
    button.textContent = state === 'error' ? text.retry : state === 'expired' ? text.again : text.start;
  };

  /** Says a sentence about a change, once. */
  const speak = (line: string) => {
    if (line === spoken) return;
    spoken = line;
    announcer.say(line);
  };

  return {
    anchor: box,
    button,
    word(next) {
      wording = next;
      box.lang = next.locale;
      render();
    },
    show(state, mode, isHeld, code) {
      const isNews = state !== shown[0] || isHeld !== shown[2];
      shown = [state, mode, isHeld, code];
      const root = box.getRootNode() as ShadowRoot;
      const hadFocus = root.activeElement === button;
      box.dataset.state = state;
      button.hidden = state === 'solving' || state === 'solved';
      bar.hidden = state !== 'solving';
      if (isNews && state === 'solving') {
        hasSolved = false;
        nextSpeechMs = SPEAK_EVERY_MS;
        bar.value = 0;
      }
      if (state !== 'solving') raise(state === 'solved' ? 1 : 0);
      render();
      // A button that vanishes takes the keyboard's place in the page with it: hand it on, and back.
      if (hadFocus && button.hidden) box.focus();
      else if (root.activeElement === box && !button.hidden) button.focus();
      // What a page comes with is no news.
      if (isNews) speak(`${label.textContent} ${note.textContent}`);
    },
    session(state, waitSecs = 0) {
      if (!wording) return;
      const { text, locale } = wording;
      const ranOut = state === 'fetching' && hasSolved;
      hasSolved ||= state === 'solving';
      let line: string | null = null;
      if (state === 'waiting') line = fill(text.busy, { time: formatEstimate(waitSecs, locale) ?? '' });
      else if (ranOut) line = text.ranOut;
      if (line === null) return;
      note.textContent = line;
      speak(line);
    },
    progress(progress) {
      if (!wording) return;
      const { text, locale } = wording;
      const chance = fill(text.chance, { percent: formatChance(progress.probability, locale) });
      const time = formatEstimate(progress.etaSecs, locale);
      bar.value = progress.probability;
      bar.setAttribute('aria-valuetext', chance);
      // The drawing opens fully only when the gate does.
      raise(progress.probability * 0.7);
      const toGo = time === null ? text.solvingNote : fill(text.toGo, { time });
      note.textContent = shown[2] ? text.heldNote : toGo;
      // The clock of the search begins anew with each puzzle.
      if (progress.elapsedMs < shownMs) nextSpeechMs = SPEAK_EVERY_MS;
      shownMs = progress.elapsedMs;
      if (progress.elapsedMs < nextSpeechMs) return;
      nextSpeechMs = progress.elapsedMs + SPEAK_EVERY_MS;
      speak(`${chance}. ${toGo}`);
    },
    disable(isDisabled) {
      button.disabled = isDisabled;
    },
  };
}

function make<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, part: string): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  element.setAttribute('part', part);
  return element;
}

/** The gate: its bars rise with the chance to be done. */
function draw(): SVGElement {
  const icon = document.createElementNS(SVG, 'svg');
  icon.setAttribute('part', 'icon');
  icon.setAttribute('viewBox', '6 18 108 96');
  icon.setAttribute('aria-hidden', 'true');
  const clip = document.createElementNS(SVG, 'clipPath');
  clip.id = 'opening';
  const edge = document.createElementNS(SVG, 'path');
  edge.setAttribute('d', OPENING);
  clip.append(edge);
  icon.append(clip);
  for (const [name, d] of DRAWING) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('class', name);
    path.setAttribute('d', d);
    const group = document.createElementNS(SVG, 'g');
    if (name === 'bars') group.setAttribute('clip-path', 'url(#opening)');
    group.append(path);
    icon.append(group);
  }
  return icon;
}
