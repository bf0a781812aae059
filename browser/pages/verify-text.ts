import type { Language } from './language.ts';

/** Every sentence of the verifying page. Those that stand in the HTML (`data-text`) are there in English. */
export type VerifyText = {
  title: string;
  workingHeading: string;
  workingLead: string;
  barLabel: string;
  doneHeading: string;
  doneLead: string;
  /** Shown when the page is still here some seconds after the reload: the gated URL was a download. */
  stayedLead: string;
  formHeading: string;
  formWorkingLead: string;
  formDoneHeading: string;
  formDoneLead: string;
  /** The same where there is no page to go back to. */
  formDoneNoBackLead: string;
  stoppedHeading: string;
  stoppedInsecure: string;
  stoppedLocalhost: string;
  stoppedCookies: string;
  requestHeading: string;
  requestLead: string;
  failedHeading: string;
  retry: string;
  back: string;
  open: string;
  /** The leads where a CAPTCHA is offered, the offer, and its link. */
  slowLead: string;
  slowFormLead: string;
  offer: string;
  offerLink: string;
  details: string;
  difficulty: string;
  /** @param bits a formatted number */
  bits(bits: string): string;
  toGo: string;
  rate: string;
  tries: string;
  workers: string;
  route: string;
  kernel: string;
  requestId: string;
  why: string;
};

export const VERIFY_TEXT: Record<Language, VerifyText> = {
  en: {
    title: 'One moment…',
    workingHeading: 'Checking your browser',
    workingLead: 'This takes a few seconds. There is nothing to do.',
    barLabel: 'Chance that the check is done by now',
    doneHeading: 'Done',
    doneLead: 'The page opens now.',
    stayedLead: 'The check is done. If nothing has opened or been downloaded, open the page again.',
    formHeading: 'Checking your browser',
    formWorkingLead: 'Your form was not sent yet. In a few seconds you can go back and send it.',
    formDoneHeading: 'Please send your form again',
    formDoneLead:
      'The check is done, but your form was not sent, and nothing was lost on this side. Go back: what you wrote is usually still there. Then send it again.',
    formDoneNoBackLead:
      'The check is done, but your form was not sent, and nothing was lost on this side. Close this tab, return to the form and send it again.',
    stoppedHeading: 'This page does not open yet',
    stoppedInsecure:
      'The check succeeded twice, but your browser did not keep the result. It is kept in a cookie marked Secure, which browsers drop when a site is reached over plain HTTP, as here. For the operator: serve this site over HTTPS.',
    stoppedLocalhost:
      'The check succeeded twice, but your browser did not keep the result. Cookies seem to be blocked, or your browser drops Secure cookies on plain HTTP even on this machine. Allow cookies for this site, or use another browser, then try again.',
    stoppedCookies:
      'The check succeeded twice, but your browser did not keep the result. Cookies seem to be blocked. Allow cookies for this site, then try again. They are not used to track you.',
    requestHeading: 'This address is for programs',
    requestLead:
      'It asks for a proof of work with every single request, in a header, which a browser cannot send by opening a page. A program gets its puzzle from the same address.',
    failedHeading: 'The check did not finish',
    retry: 'Try again',
    back: 'Go back',
    open: 'Open the page',
    slowLead: 'On this device it takes longer than usual.',
    slowFormLead: 'Your form was not sent yet, and on this device it takes longer than usual.',
    offer: 'The calculation goes on. There is also a shorter way.',
    offerLink: 'Use a CAPTCHA instead',
    details: 'Technical details',
    difficulty: 'Difficulty',
    bits: (bits) => `${bits} bits`,
    toGo: 'Time to go',
    rate: 'Speed',
    tries: 'Tries',
    workers: 'Workers',
    route: 'Route',
    kernel: 'Solver',
    requestId: 'Request',
    why: 'Your browser solves a small arithmetic puzzle before this page opens, so that nobody can cheaply ask for it thousands of times. You are not tracked.',
  },
  de: {
    title: 'Einen Moment…',
    workingHeading: 'Ihr Browser wird geprüft',
    workingLead: 'Das dauert einige Sekunden. Sie müssen nichts tun.',
    barLabel: 'Wahrscheinlichkeit, dass die Prüfung jetzt fertig ist',
    doneHeading: 'Fertig',
    doneLead: 'Die Seite öffnet sich jetzt.',
    stayedLead:
      'Die Prüfung ist fertig. Falls sich nichts geöffnet hat und nichts heruntergeladen wurde, öffnen Sie die Seite noch einmal.',
    formHeading: 'Ihr Browser wird geprüft',
    formWorkingLead:
      'Ihr Formular wurde noch nicht gesendet. In einigen Sekunden können Sie zurückgehen und es absenden.',
    formDoneHeading: 'Bitte senden Sie Ihr Formular noch einmal',
    formDoneLead:
      'Die Prüfung ist fertig, aber Ihr Formular wurde nicht gesendet; auf unserer Seite ging nichts verloren. Gehen Sie zurück: Ihre Eingaben stehen meist noch dort. Senden Sie es dann noch einmal.',
    formDoneNoBackLead:
      'Die Prüfung ist fertig, aber Ihr Formular wurde nicht gesendet; auf unserer Seite ging nichts verloren. Schließen Sie diesen Tab, kehren Sie zum Formular zurück und senden Sie es noch einmal.',
    stoppedHeading: 'Diese Seite lässt sich noch nicht öffnen',
    stoppedInsecure:
      'Die Prüfung gelang zweimal, aber Ihr Browser hat das Ergebnis nicht behalten. Es steht in einem Cookie mit dem Merkmal Secure, das Browser verwerfen, wenn eine Website wie hier über einfaches HTTP erreicht wird. Für den Betreiber: Liefern Sie diese Website über HTTPS aus.',
    stoppedLocalhost:
      'Die Prüfung gelang zweimal, aber Ihr Browser hat das Ergebnis nicht behalten. Anscheinend sind Cookies gesperrt, oder Ihr Browser verwirft Secure-Cookies bei einfachem HTTP auch auf diesem Rechner. Erlauben Sie Cookies für diese Website oder nehmen Sie einen anderen Browser und versuchen Sie es erneut.',
    stoppedCookies:
      'Die Prüfung gelang zweimal, aber Ihr Browser hat das Ergebnis nicht behalten. Anscheinend sind Cookies gesperrt. Erlauben Sie Cookies für diese Website und versuchen Sie es erneut. Sie dienen nicht dazu, Sie zu verfolgen.',
    requestHeading: 'Diese Adresse ist für Programme',
    requestLead:
      'Sie verlangt bei jeder einzelnen Anfrage einen Arbeitsnachweis in einer Kopfzeile, die ein Browser beim Öffnen einer Seite nicht senden kann. Ein Programm erhält seine Aufgabe von derselben Adresse.',
    failedHeading: 'Die Prüfung wurde nicht fertig',
    retry: 'Erneut versuchen',
    back: 'Zurück',
    open: 'Seite öffnen',
    slowLead: 'Auf diesem Gerät dauert es länger als sonst.',
    slowFormLead: 'Ihr Formular wurde noch nicht gesendet, und auf diesem Gerät dauert es länger als sonst.',
    offer: 'Die Rechnung läuft weiter. Es gibt auch einen kürzeren Weg.',
    offerLink: 'Stattdessen ein CAPTCHA lösen',
    details: 'Technische Angaben',
    difficulty: 'Schwierigkeit',
    bits: (bits) => `${bits} Bit`,
    toGo: 'Verbleibend',
    rate: 'Tempo',
    tries: 'Versuche',
    workers: 'Worker',
    route: 'Route',
    kernel: 'Rechenkern',
    requestId: 'Anfrage',
    why: 'Ihr Browser löst eine kleine Rechenaufgabe, bevor sich diese Seite öffnet, damit niemand sie billig tausendfach abrufen kann. Sie werden dabei nicht verfolgt.',
  },
};
