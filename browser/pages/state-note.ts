import type { SessionState } from '../solver/session.ts';
import type { Language } from './language.ts';
import { SOLVER_TEXT } from './solver-text.ts';

/**
 * Follows the states of one session and gives the sentence that a visitor should be told with each, or null: that a
 * puzzle ran out, or that a busy server is waited for. Without it both would look like a page that has stopped.
 */
export function createStateNotes(
  language: Language,
): (state: SessionState, waitSecs?: number) => string | null {
  const text = SOLVER_TEXT[language];
  let hasSolved = false;
  return (state, waitSecs = 0) => {
    if (state === 'waiting') return text.busy(Math.ceil(waitSecs));
    const ranOut = state === 'fetching' && hasSolved;
    hasSolved ||= state === 'solving';
    return ranOut ? text.ranOut : null;
  };
}
