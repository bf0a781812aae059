import type { Language } from './language.ts';

/** Every sentence of the CAPTCHA page. Those that stand in the HTML (`data-text`) are there in English. */
export type CaptchaText = {
  title: string;
  heading: string;
  lead: string;
  send: string;
  checking: string;
  doneHeading: string;
  doneLead: string;
  /** Where the visitor came with a form, and there is nothing to open. */
  doneFormLead: string;
  open: string;
  again: string;
  back: string;
  /** Sent without an answer. */
  missing: string;
  expired: string;
  /** The provider's script did not come, or its widget failed. */
  widgetFailed: string;
  /** @param provider such as "hCaptcha" */
  why(provider: string): string;
  /** By the code of a refusal; `other` for every code without a line of its own. */
  failures: Record<string, string> & { other: string };
};

export const CAPTCHA_TEXT: Record<Language, CaptchaText> = {
  en: {
    title: 'CAPTCHA',
    heading: 'Solve a CAPTCHA',
    lead: 'Once it is solved, the page opens without the long calculation.',
    send: 'Continue',
    checking: 'Your answer is being checked.',
    doneHeading: 'Done',
    doneLead: 'The page opens now.',
    doneFormLead: 'Close this tab, return to the other one and send your form again.',
    open: 'Open the page',
    again: 'Load a new CAPTCHA',
    back: 'Back to the calculation',
    missing: 'Solve the CAPTCHA first, then continue.',
    expired: 'The CAPTCHA has run out. Solve it again.',
    widgetFailed:
      'The CAPTCHA did not load. Something in between may block it, such as an extension of your browser. Try again, or go back to the calculation.',
    why: (provider) =>
      `The CAPTCHA comes from ${provider}. Your browser loads it from there, so that service learns your network address and the name of this website.`,
    failures: {
      'captcha-refused': 'The CAPTCHA service did not confirm your answer. Load a new CAPTCHA.',
      'captcha-stale': 'Your answer has run out or was already used. Load a new CAPTCHA.',
      'captcha-unavailable':
        'The CAPTCHA service cannot be asked at the moment. Wait a little, then continue.',
      overloaded: 'The server is busy. Wait a moment, then continue.',
      throttled: 'Too many answers came from your network. Wait a minute, then continue.',
      'store-unavailable': 'The server cannot issue passports at the moment. Try again in a minute.',
      unreachable: 'The server could not be reached. Check your connection, then continue.',
      other: 'The server did not accept the answer. Load a new CAPTCHA.',
    },
  },
  de: {
    title: 'CAPTCHA',
    heading: 'Lösen Sie ein CAPTCHA',
    lead: 'Ist es gelöst, öffnet sich die Seite ohne die lange Rechnung.',
    send: 'Weiter',
    checking: 'Ihre Antwort wird geprüft.',
    doneHeading: 'Fertig',
    doneLead: 'Die Seite öffnet sich jetzt.',
    doneFormLead:
      'Schließen Sie diesen Tab, kehren Sie zum anderen zurück und senden Sie Ihr Formular noch einmal.',
    open: 'Seite öffnen',
    again: 'Neues CAPTCHA laden',
    back: 'Zurück zur Rechnung',
    missing: 'Lösen Sie zuerst das CAPTCHA.',
    expired: 'Das CAPTCHA ist abgelaufen. Lösen Sie es noch einmal.',
    widgetFailed:
      'Das CAPTCHA wurde nicht geladen. Vielleicht sperrt es etwas dazwischen, etwa eine Erweiterung Ihres Browsers. Versuchen Sie es erneut oder gehen Sie zurück zur Rechnung.',
    why: (provider) =>
      `Das CAPTCHA kommt von ${provider}. Ihr Browser lädt es von dort, der Dienst erfährt also Ihre Netzadresse und den Namen dieser Website.`,
    failures: {
      'captcha-refused': 'Der CAPTCHA-Dienst hat Ihre Antwort nicht bestätigt. Laden Sie ein neues CAPTCHA.',
      'captcha-stale': 'Ihre Antwort ist abgelaufen oder wurde schon verwendet. Laden Sie ein neues CAPTCHA.',
      'captcha-unavailable':
        'Der CAPTCHA-Dienst ist gerade nicht zu erreichen. Warten Sie ein wenig und machen Sie dann weiter.',
      overloaded: 'Der Server ist ausgelastet. Warten Sie einen Moment und machen Sie dann weiter.',
      throttled:
        'Aus Ihrem Netz kamen zu viele Antworten. Warten Sie eine Minute und machen Sie dann weiter.',
      'store-unavailable':
        'Der Server kann gerade keine Pässe ausstellen. Versuchen Sie es in einer Minute erneut.',
      unreachable: 'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung und machen Sie dann weiter.',
      other: 'Der Server hat die Antwort nicht angenommen. Laden Sie ein neues CAPTCHA.',
    },
  },
};
