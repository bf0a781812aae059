import { chooseWording } from './finder-text.ts';
import { createSearchBar } from './search-bar.ts';
import { readSettings } from './settings.ts';

const TAG = 'finder-config';
const BAR = 'finder-bar';

/** Where this script came from: the server that is asked unless `data-api` says otherwise. */
const scriptOrigin = () => new URL(import.meta.url).origin;

/** Tells the operator in the console; nothing in here throws into the page around it. */
const warn = (message: string) => console.warn(`<${TAG}>: ${message}`);

type FinderConfig = HTMLElement & { refresh?(): void };

/**
 * Makes `<finder-config>` known: each one in the page, now or later, has its bar. Does nothing where there is no page (a
 * server that renders), or where it is known already: loaded twice, the first script serves all.
 */
export function defineFinderConfig(): void {
  if (typeof customElements === 'undefined' || customElements.get(TAG)) return;
  customElements.define(TAG, makeClass());
}

/** Looks after every bar of the page: makes one that is missing, and moves one whose place has come to be. */
export function refreshAll(): void {
  if (typeof document === 'undefined') return;
  for (const config of document.querySelectorAll<FinderConfig>(TAG)) config.refresh?.();
}

// Made when it is needed: where there is no page there is no HTMLElement to extend.
function makeClass(): CustomElementConstructor {
  return class extends HTMLElement {
    #bar: HTMLElement | null = null;
    #end: (() => void) | null = null;
    /** The settings of the bar. */
    #asked = '';

    constructor() {
      super();
      // Of all attributes: frameworks write their names in more than one way.
      new MutationObserver(() => this.refresh()).observe(this, { attributes: true });
    }

    connectedCallback(): void {
      this.refresh();
    }

    disconnectedCallback(): void {
      // An element that is only moved is back when the task is over.
      queueMicrotask(() => this.isConnected || this.#drop());
    }

    /** Exactly one bar, where it belongs. */
    refresh(): void {
      if (!this.isConnected) return;
      // The place may stand below this element, and not be parsed yet.
      if (document.readyState === 'loading') {
        document.addEventListener('DOMContentLoaded', () => this.refresh(), { once: true });
        return;
      }
      try {
        this.#start();
      } catch (error) {
        this.#drop();
        warn((error as Error).message);
      }
    }

    #start(): void {
      const settings = readSettings(this.attributes, {
        cookie: readCookie(),
        scriptOrigin: scriptOrigin(),
        pageUrl: location.href,
      });
      const parent =
        settings.parent === null
          ? null
          : (document.getElementById(settings.parent) ?? document.querySelector(settings.parent));
      if (settings.parent !== null && !parent) {
        warn(`nothing is ${settings.parent}`);
      }
      // What is typed stays where a framework writes the same attributes anew.
      const asked = JSON.stringify(settings);
      if (asked !== this.#asked) this.#drop();
      this.#asked = asked;
      const isNew = this.#bar === null;
      const bar = this.#bar ?? document.createElement(BAR);
      if (parent ? bar.parentNode !== parent : !bar.isConnected) {
        if (parent) parent.append(bar);
        else this.after(bar);
      }
      this.#bar = bar;
      if (!isNew) return;
      const language = settings.language ?? bar.closest<HTMLElement>('[lang]')?.lang;
      const wording = chooseWording([...(language ? [language] : []), ...navigator.languages]);
      this.#end = createSearchBar(bar.attachShadow({ mode: 'open' }), settings, wording);
    }

    #drop(): void {
      this.#end?.();
      this.#bar?.remove();
      this.#end = null;
      this.#bar = null;
    }
  };
}

/** A sandboxed page may not even look at its cookies. */
function readCookie(): string {
  try {
    return document.cookie;
  } catch {
    return '';
  }
}
