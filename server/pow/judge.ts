import { Fault } from '../base/fault.ts';
import type { Log } from '../base/ports.ts';
import type { Context } from '../http/request-state.ts';
import type { ChallengeBody } from '../wire/pow.ts';
import type { TellGate, WAYS_IN } from './core/events.ts';
import { isPerRequest, type Route, type Visit } from './core/policy.ts';
import { bitsUnder, VERDICTS, type Verdict, type VerdictOf } from './core/verdict.ts';
import type { IsVerifiedBot } from './core/verified-bots.ts';
import type { Admission, Gate, Shown } from './service.ts';

/** What becomes of a visit at a gated route. `isPersonal`: the answer depends on what this one visitor showed or is. */
export type Judgement =
  | { isLetIn: true; isPersonal: boolean; admission?: Admission }
  | {
      isLetIn: false;
      isPersonal: true;
      reason: Fault;
      verdict: Verdict;
      /** A cheaper challenge for a visitor who has changed networks. */
      offer: ChallengeBody | null;
    };

type Way = (typeof WAYS_IN)[number];

export type JudgeDeps = {
  gate: Gate;
  verdictOf: VerdictOf;
  isVerifiedBot: IsVerifiedBot;
  log: Log;
  /** Told who was let in, how, and who was not. */
  tell?: TellGate;
};

/**
 * Judges visits that the exempt paths, networks, user agents and keys have not let in already: verified bots, then the
 * verdict, then what was shown. Whatever is not a Fault goes on as it is.
 */
export function createJudge({ gate, verdictOf, isVerifiedBot, log, tell = () => {} }: JudgeDeps) {
  return async function judge(ctx: Context, route: Route, visit: Visit, shown: Shown): Promise<Judgement> {
    const admitted = (how: Way) => tell({ kind: 'admitted', routeId: route.id, how });
    const { verifiedBots } = route.exempt;
    if (verifiedBots.length > 0 && (await isVerifiedBot(verifiedBots, visit))) {
      admitted('verified-bot');
      return { isLetIn: true, isPersonal: false };
    }
    const judged = verdictOf(visit);
    const verdict = typeof judged === 'string' ? judged : await judged;
    if (VERDICTS[verdict].isLetIn) {
      admitted('verdict');
      return { isLetIn: true, isPersonal: !route.isDryRun };
    }
    try {
      const judgedShown = { ...shown, verdict };
      const byPassport = gate.admitByPassport(route, judgedShown);
      const admission =
        byPassport && 'how' in byPassport
          ? byPassport
          : await gate.admitByProof(route, judgedShown, byPassport);
      admitted(admission.how);
      return { isLetIn: true, isPersonal: !route.isDryRun, admission };
    } catch (error) {
      if (route.isDryRun) {
        rehearse(ctx, route, verdict, error);
        admitted('dry-run');
        return { isLetIn: true, isPersonal: false };
      }
      if (!(error instanceof Fault)) throw error;
      tell({ kind: 'refused', routeId: route.id, code: error.code });
      const offer = gate.offer(route, { ...shown, verdict });
      return { isLetIn: false, isPersonal: true, reason: error, verdict, offer };
    }
  };

  /** Tells the log what the gate would have refused. Leaves no trace in the answer, and nothing it meets stops the visit. */
  function rehearse(ctx: Context, route: Route, verdict: Verdict, error: unknown): void {
    if (!(error instanceof Fault)) {
      log.error({ err: error }, 'a dry run failed; the visit goes on');
      return;
    }
    log.info(
      {
        request_id: ctx.state.requestId,
        code: error.code,
        route: route.id,
        bits: bitsUnder(verdict, route.terms.difficultyBits),
        mode: isPerRequest(route) ? 'request' : 'passport',
        verdict,
      },
      'would_refuse',
    );
  }
}
