import type { After } from '../solver/after.ts';
import type { AskServer, Outcome, Question } from './search-client.ts';

/** Asks the server, of several questions only the last. */
export type LastQuestion = {
  ask(question: Question, delayMs: number): void;
  /** Ends what waits and what is under way; its answer never comes. */
  drop(): void;
};

// Our choice: by then a visitor has given up, and a connection that is dead without saying so is found out.
const GIVE_UP_MS = 15_000;

/** @param take hears of the outcome of the last question, and of no other */
export function createLastQuestion(
  askServer: AskServer,
  after: After,
  take: (outcome: Outcome) => void,
): LastQuestion {
  let drop = () => {};

  return {
    drop: () => drop(),
    ask(question, delayMs) {
      drop();
      const ending = new AbortController();
      let cancel = after(delayMs, () => {
        cancel = after(GIVE_UP_MS, () => settle({ failure: 'offline' }));
        askServer(question, ending.signal).then(settle, () => {});
      });
      drop = () => {
        cancel();
        ending.abort();
      };
      function settle(outcome: Outcome): void {
        if (ending.signal.aborted) return;
        drop();
        take(outcome);
      }
    },
  };
}
