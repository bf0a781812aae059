import { chooseLanguage } from '../pages/language.ts';
import { after } from '../solver/after.ts';
import { SessionError } from '../solver/session-error.ts';
import { AUTO_MODES, type AutoMode, createGateControl, type GateControl } from './gate-control.ts';
import { createGateView, type GateView } from './gate-view.ts';
import { holdSubmit, type SubmitHold } from './hold-submit.ts';
import { readKeptPassport } from './kept-passport.ts';
import { sourceOf } from './page-sources.ts';
import type { HeldPassport } from './passport-source.ts';
import { readOwnTexts, widgetText } from './widget-text.ts';

const TAG = 'pow-gate';
const FIELD = 'pow-response';
const OPERATOR_CODES = new Set(['origin-not-allowed', 'frame-failed', 'invalid-api', 'unknown-route']);

/** Where this script came from: the gate that its widgets ask unless they are told otherwise. */
const scriptOrigin = () => new URL(import.meta.url).origin;

/** Tells the operator in the console; a widget never throws into the page around it. */
const warn = (message: string) => console.warn(`<${TAG}>: ${message}`);

/**
 * Makes `<pow-gate>` known. Does nothing where there is no page (a server that renders), or where it is known already:
 * loaded twice, the first script serves all.
 */
export function definePowGate(): void {
  if (typeof customElements === 'undefined' || customElements.get(TAG)) return;
  customElements.define(TAG, makeClass());
}

// Made when it is needed: where there is no page there is no HTMLElement to extend.
function makeClass(): CustomElementConstructor {
  return class PowGate extends HTMLElement {
    static formAssociated = true;
    static observedAttributes = [
      'data-api',
      'data-route',
      'data-auto',
      'data-lang',
      'data-texts',
      'name',
      'form',
    ];

    #internals = this.attachInternals();
    #view: GateView = createGateView(this.attachShadow({ mode: 'open', delegatesFocus: true }));
    #input = document.createElement('input');
    #hold: SubmitHold | null = null;
    #code = '';
    #ending: AbortController | null = null;
    #control: GateControl = createGateControl({
      source: () => sourceOf(this.#api(), this.dataset.route || undefined),
      autoMode: () => this.#auto(),
      isHidden: () => document.hidden,
      now: Date.now,
      after,
      emit: (type, detail) =>
        this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true })),
      onState: () => this.#show(),
      onSession: (state, waitSecs) => this.#view.session(state, waitSecs),
      onProgress: (progress) => this.#view.progress(progress),
      onValue: (passport) => this.#carry(passport),
      onError: (error) => this.#fail(error),
    });

    constructor() {
      super();
      this.#input.type = 'hidden';
      this.#view.button.addEventListener('click', () => this.start());
    }

    /** The passport; empty while there is none. */
    get value(): string {
      return this.#input.value;
    }
    get state(): string {
      return this.#control.state();
    }
    get form(): HTMLFormElement | null {
      return this.#internals.form;
    }
    get name(): string {
      return this.getAttribute('name') || FIELD;
    }
    get validity(): ValidityState {
      return this.#internals.validity;
    }
    get validationMessage(): string {
      return this.#internals.validationMessage;
    }
    checkValidity(): boolean {
      return this.#internals.checkValidity();
    }
    reportValidity(): boolean {
      return this.#internals.reportValidity();
    }

    /** Starts the check, unless it runs or is done. */
    start(): void {
      if (this.isConnected && !this.matches(':disabled')) this.#control.start();
    }
    /** Gives up what was won; starts anew where the mode says so. */
    reset(): void {
      this.#hold?.drop();
      this.#control.reset();
      this.#show();
      this.#startByItself();
    }

    connectedCallback(): void {
      this.#input.name = this.name;
      // A real input, beside which the element itself sends nothing: scripts that gather inputs find it, too.
      if (this.#input.parentNode !== this) this.append(this.#input);
      this.#word();
      if (this.#ending) return;
      const ending = new AbortController();
      this.#ending = ending;
      const { signal } = ending;
      const wake = () => this.#control.wake();
      document.addEventListener('visibilitychange', wake, { signal });
      const isShown = (shown: boolean) => () => {
        // Chromium knows a form again by the names of its first fields: one more name, and what the visitor typed is lost
        // on the way back.
        this.#input.name = shown ? this.name : '';
        if (shown) wake();
      };
      addEventListener('pagehide', isShown(false), { signal });
      addEventListener('pageshow', isShown(true), { signal });
      const touched = (event: Event) => {
        const mode = this.#auto();
        const isOurs =
          this.#internals.form?.contains(event.target as Node) ?? this.contains(event.target as Node);
        if (mode === 'onfocus' && isOurs && this.#control.state() === 'unsolved') this.start();
      };
      for (const type of ['focusin', 'pointerdown', 'input']) {
        this.getRootNode().addEventListener(type, touched, { signal, capture: true });
      }
      this.#hold = holdSubmit({
        root: this.getRootNode(),
        form: () => this.#internals.form,
        mustHold: () =>
          !this.matches(':disabled') && this.#auto() !== 'off' && this.#control.state() !== 'solved',
        onHold: () => {
          this.start();
          this.#show();
        },
      });
      this.#control.wake();
      this.#startByItself();
    }

    disconnectedCallback(): void {
      // An element that is only moved is back when the task is over.
      queueMicrotask(() => {
        if (this.isConnected && this.#ending && this.#hold) return this.#rehang();
        this.#unhang();
        this.#control.stop();
      });
    }

    attributeChangedCallback(name: string, old: string | null, value: string | null): void {
      if (old === value || !this.isConnected) return;
      if (name === 'name') this.#input.name = this.name;
      else if (name === 'form') this.#carry(this.#control.passport());
      else if (name === 'data-lang' || name === 'data-texts') this.#word();
      else if (name === 'data-auto') {
        this.#show();
        this.#startByItself();
      } else this.reset();
    }

    formResetCallback(): void {
      this.reset();
    }
    formDisabledCallback(isDisabled: boolean): void {
      this.#input.disabled = isDisabled;
      this.#view.disable(isDisabled);
      if (isDisabled) this.#control.stop();
      else this.#startByItself();
      this.#show();
    }
    formAssociatedCallback(): void {
      this.#carry(this.#control.passport());
    }
    formStateRestoreCallback(state: unknown): void {
      const passport = readKeptPassport(state);
      if (passport) this.#control.take(passport);
    }

    #rehang(): void {
      this.#unhang();
      this.connectedCallback();
    }
    #unhang(): void {
      this.#ending?.abort();
      this.#ending = null;
      this.#hold?.end();
      this.#hold = null;
    }
    #startByItself(): void {
      if (this.#auto() === 'onload') this.start();
    }
    /** An unknown mode is the default; without a form there is nothing to wait for. */
    #auto(): AutoMode {
      const asked = AUTO_MODES.find((mode) => mode === this.dataset.auto) ?? 'onload';
      return asked === 'off' || this.#internals.form ? asked : 'onload';
    }
    /** @throws SessionError `invalid-api` */
    #api(): string {
      const text = this.dataset.api || scriptOrigin();
      const url = URL.canParse(text, location.href) ? new URL(text, location.href) : null;
      if (url && /^https?:$/.test(url.protocol)) return url.origin;
      throw new SessionError(
        'invalid-api',
        `data-api: expected an origin such as https://gate.example, got ${text}`,
      );
    }

    /** Puts the passport where the form finds it. */
    #carry(passport: HeldPassport | null): void {
      this.#input.value = passport?.passport ?? '';
      const owner = this.getAttribute('form');
      if (owner === null) this.#input.removeAttribute('form');
      else this.#input.setAttribute('form', owner);
      // No value of its own, beside the input's; the state is what a page that comes back begins with.
      this.#internals.setFormValue(null, passport ? JSON.stringify(passport) : null);
      this.#validate();
    }

    #validate(): void {
      const { text } = this.#wording();
      const state = this.#control.state();
      // A submit is held rather than refused, so that nobody has to press twice.
      const isFine = state === 'solved' || this.#auto() === 'onsubmit';
      const message = state === 'solving' ? text.pleaseWait : text.pleaseStart;
      if (isFine) this.#internals.setValidity({});
      else this.#internals.setValidity({ customError: true }, message, this.#view.anchor);
    }

    #show(): void {
      const state = this.#control.state();
      this.#view.show(state, this.#auto(), this.#hold?.isHeld() ?? false, this.#code);
      this.#validate();
      if (state === 'error') this.#hold?.drop();
      // Listeners of `pow-solve` come first; then the form goes.
      if (state === 'solved' && this.#hold?.isHeld()) queueMicrotask(() => this.#hold?.release());
    }

    #fail(error: SessionError): void {
      this.#code = error.code;
      if (OPERATOR_CODES.has(error.code)) warn(`${error.code}: ${error.message}`);
    }

    #wording() {
      const asked = this.dataset.lang || this.closest<HTMLElement>('[lang]')?.lang;
      const language = chooseLanguage(asked ? [asked] : (navigator.languages ?? [navigator.language]));
      let own: ReturnType<typeof readOwnTexts> = {};
      try {
        own = readOwnTexts(this.getAttribute('data-texts'));
      } catch (error) {
        warn((error as Error).message);
      }
      return {
        language,
        locale: localeOf(this.dataset.lang) ?? language,
        text: { ...widgetText(language, own), ...own },
      };
    }
    #word(): void {
      this.#view.word(this.#wording());
      this.#show();
    }
  };
}

/** A language tag that `Intl` takes, or null. */
function localeOf(tag: string | undefined): string | null {
  try {
    return tag ? (Intl.getCanonicalLocales(tag)[0] ?? null) : null;
  } catch {
    return null;
  }
}
