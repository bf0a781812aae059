import type { Metrics } from '../http/metrics.ts';
import type { TellGate } from './core/events.ts';
import type { Spent } from './core/spent.ts';

// `*` is the route that forward-auth holds a visit to where its proxy tells no path.
const routeLabel = (routeId: string | null) => (routeId === null || routeId === '*' ? 'any' : routeId);
const yesOrNo = (is: boolean) => (is ? 'yes' : 'no');

/** Counts what the gate tells. */
export function countGate(metrics: Metrics): TellGate {
  return function count(event) {
    if (event.kind === 'issued') {
      const { tier, isRebinding } = event;
      const labels = { route: routeLabel(event.routeId), tier, rebinding: yesOrNo(isRebinding) };
      metrics.count('gatehouse_challenges_issued_total', labels);
    } else if (event.kind === 'solved') {
      const { difficultyBits: bits, isRebinding, tookSecs } = event;
      metrics.count('gatehouse_challenges_solved_total', { bits, rebinding: yesOrNo(isRebinding) });
      metrics.observe('gatehouse_solve_seconds', { bits }, tookSecs);
    } else if (event.kind === 'refused') {
      const labels = { route: routeLabel(event.routeId), code: event.code };
      metrics.count('gatehouse_refused_total', labels);
    } else {
      const labels = { route: routeLabel(event.routeId), how: event.how };
      metrics.count('gatehouse_admitted_total', labels);
    }
  };
}

/** The same store, timed. */
export function timeSpent(spent: Spent, metrics: Metrics): Spent {
  return {
    ...spent,
    async spend(challenge, record) {
      const end = metrics.time('gatehouse_spent_seconds');
      try {
        const first = await spent.spend(challenge, record);
        end({ result: first ? 'again' : 'first' });
        return first;
      } catch (error) {
        end({ result: 'failed' });
        throw error;
      }
    },
  };
}
