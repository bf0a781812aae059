import { draw, make } from './elements.ts';
import type { FinderEvent, FinderState } from './finder-state.ts';
import type { Wording } from './finder-text.ts';
import { createPanelView } from './panel-view.ts';
import { placePanel } from './place-panel.ts';
import type { Settings } from './settings.ts';
import SHEET from './sheet.css?inline';

/** What is to be seen and heard of a bar. */
export type BarView = {
  input: HTMLInputElement;
  show(state: FinderState): void;
  /** Puts the panel where the bar is now. */
  place(): void;
  /** Says it to screen readers, politely. */
  say(text: string): void;
  /** The result at this place, a link. */
  resultAt(at: number): HTMLElement | null;
};

/** 300 characters are at most 900 bytes of UTF-8; the server takes 1,024. */
const MOST_LETTERS = 300;

const GLASS = 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.5 15.5 20 20';
const CROSS = 'M6 6l12 12M18 6 6 18';

/** One for all bars of a page, made at the first. */
let sheet: CSSStyleSheet | null = null;

/**
 * Builds the bar into its shadow root, element by element: no text is parsed as HTML, which Trusted Types would refuse.
 * @param follow is told of a result before the browser goes there
 */
export function createBarView(
  shadow: ShadowRoot,
  settings: Pick<Settings, 'searchStyle' | 'resultsStyle' | 'theme'>,
  wording: Wording,
  send: (event: FinderEvent) => void,
  follow: () => void,
): BarView {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(SHEET);
  }
  shadow.adoptedStyleSheets = [sheet];
  const { text, language, direction } = wording;

  const root = make('div', 'root', { role: 'search', lang: language });
  if (direction) root.dir = direction;
  if (settings.theme) root.dataset.theme = settings.theme;
  const bar = make('div', 'bar');
  const icon = draw(GLASS);
  icon.setAttribute('part', 'icon');
  const input = make('input', 'input', {
    type: 'text',
    enterkeyhint: 'search',
    role: 'combobox',
    'aria-label': text.search,
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': 'results',
    placeholder: text.search,
    maxlength: String(MOST_LETTERS),
    dir: 'auto',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
  });
  const clear = make('button', 'clear', { type: 'button', 'aria-label': text.clear });
  clear.append(draw(CROSS));
  clear.hidden = true;
  bar.append(icon, input, clear);
  const place = make('div', 'place');
  place.hidden = true;
  const panel = createPanelView(wording, send, follow);
  place.append(panel.element);
  const status = make('p', '', { role: 'status' });
  root.append(bar, place, status);
  shadow.append(root);

  // Through the CSSOM, which no policy forbids; a `style` attribute would be.
  bar.style.cssText = settings.searchStyle;
  panel.element.style.cssText = settings.resultsStyle;

  // Above all that the page has, where no ancestor cuts it off; a browser without popovers shows it in its place.
  const canPop = 'showPopover' in place;
  if (canPop) place.popover = 'manual';

  clear.addEventListener('click', () => {
    input.focus();
    send({ type: 'clear' });
  });

  function setShown(isShown: boolean): void {
    if (place.hidden !== isShown) return;
    place.hidden = !isShown;
    if (canPop && place.isConnected) place.togglePopover(isShown);
  }

  const view: BarView = {
    input,
    show(state) {
      if (input.value !== state.text) input.value = state.text;
      clear.hidden = state.text === '';
      root.classList.toggle('turning', state.isLoading);
      const focused = shadow.activeElement as HTMLElement | null;
      panel.show(state);
      const { isOpen } = state;
      setShown(isOpen);
      view.place();
      // What was pressed may have moved, or be gone: the keyboard stays in the bar.
      if (focused && isOpen) (focused.checkVisibility() ? focused : input).focus();
      input.setAttribute('aria-expanded', String(isOpen && !panel.list.hidden));
      const active = isOpen ? view.resultAt(state.active) : null;
      if (active) {
        input.setAttribute('aria-activedescendant', active.id);
        active.scrollIntoView({ block: 'nearest' });
      } else input.removeAttribute('aria-activedescendant');
    },
    place() {
      if (place.hidden) return;
      const viewport = {
        width: document.documentElement.clientWidth,
        height: window.visualViewport?.height ?? innerHeight,
      };
      const isRightToLeft = getComputedStyle(root).direction === 'rtl';
      const { left, width, top, bottom, maxHeight } = placePanel(
        bar.getBoundingClientRect(),
        viewport,
        isRightToLeft,
      );
      const inPixels = (length: number | null) => (length === null ? 'auto' : `${Math.round(length)}px`);
      Object.assign(place.style, {
        left: inPixels(left),
        width: inPixels(width),
        top: inPixels(top),
        // What `bottom` counts from does not shrink with a keyboard on the screen.
        bottom: inPixels(bottom === null ? null : bottom + innerHeight - viewport.height),
        maxHeight: inPixels(maxHeight),
      });
    },
    say(line) {
      status.textContent = line;
    },
    resultAt: (at) => (panel.list.children[at] as HTMLElement | undefined) ?? null,
  };
  return view;
}
