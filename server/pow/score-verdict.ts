import type { Visit } from './core/policy.ts';
import type { Verdict, VerdictOf } from './core/verdict.ts';

export type ScoreVerdictDeps = {
  verdictOf: VerdictOf;
  /** Whether the policy in force asks for the score. */
  isOn(): boolean;
  /** Whether what is known of the visitor's address and headers asks for a CAPTCHA. */
  isRisky(visit: Visit): boolean;
};

/**
 * The verdict, with the signup score in it: a suspect whose score asks for a CAPTCHA counts as a bot. Whom the verdict
 * component calls human stays so, since it was asked to know better.
 */
export function createScoreVerdict({ verdictOf, isOn, isRisky }: ScoreVerdictDeps): VerdictOf {
  const weigh = (verdict: Verdict, visit: Visit): Verdict =>
    verdict === 'suspect' && isOn() && isRisky(visit) ? 'bot' : verdict;

  return function scoreVerdict(visit) {
    const verdict = verdictOf(visit);
    return typeof verdict === 'string' ? weigh(verdict, visit) : verdict.then((given) => weigh(given, visit));
  };
}
