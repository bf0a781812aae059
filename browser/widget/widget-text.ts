import { failureText } from '../pages/failure-text.ts';
import type { Language } from '../pages/language.ts';

/** Every sentence of the widget. `{time}` and `{percent}` are filled in. */
const ENGLISH = {
  unsolved: 'Browser check',
  offNote: 'Takes a moment.',
  onfocusNote: 'Starts as you fill this in.',
  onsubmitNote: 'Runs when you send.',
  start: 'Check',
  solving: 'Checking your browser…',
  solvingNote: 'This takes a few seconds.',
  toGo: 'About {time} to go',
  heldNote: 'Your form is sent right after.',
  ranOut: 'The puzzle ran out. A new one is being solved.',
  busy: 'The server is busy. Trying again in {time}.',
  chance: '{percent} likely to be done by now',
  bar: 'Chance that the check is done by now',
  solved: 'Checked',
  solvedNote: 'You can send the form.',
  expired: 'The check has run out',
  expiredNote: 'It holds for a while only.',
  again: 'Check again',
  error: 'The check did not finish',
  retry: 'Try again',
  misconfigured: 'It is not set up correctly on this site. Please tell its operator.',
  pleaseWait: 'Please wait until the check is done.',
  pleaseStart: 'Please start the check first.',
};

export type WidgetText = typeof ENGLISH;

const GERMAN: WidgetText = {
  unsolved: 'Browserprüfung',
  offNote: 'Dauert einen Moment.',
  onfocusNote: 'Beginnt beim Ausfüllen.',
  onsubmitNote: 'Läuft beim Absenden.',
  start: 'Prüfen',
  solving: 'Ihr Browser wird geprüft…',
  solvingNote: 'Das dauert einige Sekunden.',
  toGo: 'Noch etwa {time}',
  heldNote: 'Ihr Formular folgt danach.',
  ranOut: 'Die Aufgabe ist abgelaufen. Eine neue wird gelöst.',
  busy: 'Der Server ist ausgelastet. Neuer Versuch in {time}.',
  chance: 'mit {percent} Wahrscheinlichkeit bis jetzt fertig',
  bar: 'Wahrscheinlichkeit, dass die Prüfung jetzt fertig ist',
  solved: 'Geprüft',
  solvedNote: 'Sie können das Formular absenden.',
  expired: 'Die Prüfung ist abgelaufen',
  expiredNote: 'Sie gilt nur eine Weile.',
  again: 'Erneut prüfen',
  error: 'Die Prüfung wurde nicht fertig',
  retry: 'Erneut versuchen',
  misconfigured: 'Sie ist auf dieser Website nicht richtig eingerichtet. Bitte sagen Sie es dem Betreiber.',
  pleaseWait: 'Bitte warten Sie, bis die Prüfung fertig ist.',
  pleaseStart: 'Bitte starten Sie zuerst die Prüfung.',
};

const BUILT_IN: Record<Language, WidgetText> = { en: ENGLISH, de: GERMAN };

/** The names of all texts, for the documentation. */
export const TEXT_NAMES = Object.keys(ENGLISH) as (keyof WidgetText)[];

/** The codes that only the operator can do something about. */
const MISCONFIGURED = new Set(['origin-not-allowed', 'frame-failed', 'invalid-api', 'unknown-route']);

/** The texts of a language, with those that a page brings itself in their place. */
export function widgetText(language: Language, own: Partial<WidgetText>): WidgetText {
  return { ...BUILT_IN[language], ...own };
}

/**
 * The texts of `data-texts`: a JSON object of texts by name. Names that are not known are left out.
 * @throws Error that says what was expected
 */
export function readOwnTexts(json: string | null): Partial<WidgetText> & { failure?: string } {
  if (json === null || json.trim() === '') return {};
  let own: unknown;
  try {
    own = JSON.parse(json);
  } catch {
    own = null;
  }
  if (typeof own !== 'object' || own === null || Array.isArray(own)) {
    throw new Error(`data-texts: expected a JSON object, got ${json.slice(0, 80)}`);
  }
  const names: readonly string[] = [...TEXT_NAMES, 'failure'];
  return Object.fromEntries(
    Object.entries(own).filter(([name, text]) => names.includes(name) && typeof text === 'string'),
  );
}

/** The sentence for a failure. A page with texts of its own has one for all, `failure`. */
export function failureNote(
  code: string,
  language: Language,
  text: WidgetText & { failure?: string },
): string {
  if (MISCONFIGURED.has(code)) return text.misconfigured;
  return text.failure ?? failureText(code, language);
}

/** A text with its slots filled. */
export function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (slot, name: string) => values[name] ?? slot);
}
