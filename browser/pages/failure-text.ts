import type { Language } from './language.ts';

/** What a visitor is told of a failure, by the code of its SessionError; `other` for every code without a line of its own. */
export const FAILURES: Record<Language, Record<string, string> & { other: string }> = {
  en: {
    unreachable: 'The server could not be reached. Check your connection, then try again.',
    throttled: 'Too many checks were started from your network. Wait a minute, then try again.',
    'quota-exceeded': 'This site has used up its checks for now. Try again later.',
    overloaded: 'The server is busy. Wait a moment, then try again.',
    internal: 'Something went wrong on the server. Try again in a minute.',
    'store-unavailable': 'The server cannot issue passports at the moment. Try again in a minute.',
    'solver-failed':
      'Your browser could not run the calculation. Reload the page; if that does not help, try another browser.',
    'too-many-tries': 'No answer was found in time, which is rare bad luck. Try again.',
    'challenge-expired': 'The puzzle ran out before it was solved. Try again to get a new one.',
    'challenge-already-used': 'This puzzle was already used. Try again to get a new one.',
    other: 'The server did not accept the answer. Try again to get a new puzzle.',
  },
  de: {
    unreachable: 'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    throttled:
      'Aus Ihrem Netz wurden zu viele Prüfungen begonnen. Warten Sie eine Minute und versuchen Sie es erneut.',
    'quota-exceeded':
      'Diese Website hat ihre Prüfungen vorerst aufgebraucht. Versuchen Sie es später erneut.',
    overloaded: 'Der Server ist ausgelastet. Warten Sie einen Moment und versuchen Sie es erneut.',
    internal: 'Auf dem Server ist etwas schiefgegangen. Versuchen Sie es in einer Minute erneut.',
    'store-unavailable':
      'Der Server kann gerade keine Pässe ausstellen. Versuchen Sie es in einer Minute erneut.',
    'solver-failed':
      'Ihr Browser konnte die Berechnung nicht ausführen. Laden Sie die Seite neu; hilft das nicht, nehmen Sie einen anderen Browser.',
    'too-many-tries': 'In der Zeit wurde keine Lösung gefunden, ein seltenes Pech. Versuchen Sie es erneut.',
    'challenge-expired':
      'Die Aufgabe ist abgelaufen, bevor sie gelöst war. Versuchen Sie es mit einer neuen.',
    'challenge-already-used': 'Diese Aufgabe wurde schon verwendet. Versuchen Sie es mit einer neuen.',
    other: 'Der Server hat die Antwort nicht angenommen. Versuchen Sie es mit einer neuen Aufgabe.',
  },
};

/** The sentence for a failure, by the code of its SessionError. */
export function failureText(code: string, language: Language): string {
  const failures = FAILURES[language];
  return Object.hasOwn(failures, code) ? (failures[code] as string) : failures.other;
}
