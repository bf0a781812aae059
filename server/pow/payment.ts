import { Fault } from '../base/fault.ts';
import type { Context } from '../http/request-state.ts';
import { fault, PROBLEMS, type ProblemCode } from '../wire/problem.ts';
import type { Policy, Route } from './core/policy.ts';
import type { Gate } from './service.ts';
import { readShown } from './shown.ts';

// The tag 0 stands for no route in an envelope: only challenges that are good for any route are taken.
const ANY_ROUTE_TAG = 0;

/**
 * Makes each request of an endpoint of ours pay by a proof of its own, at the default price, whatever the policy gates.
 *
 * Takes `Authorization: PoW <challenge>:<answer>` or the `PoW` header, with a challenge that was asked for without a route.
 * @throws (the function given) Fault 401 `proof-required` with a challenge; those of `Gate.admit`
 */
export function createPayment(gate: Gate, policy: () => Policy): (ctx: Context) => Promise<void> {
  return async function takePayment(ctx) {
    const route: Route = {
      id: '*',
      tag: ANY_ROUTE_TAG,
      paths: [],
      methods: null,
      terms: { ...policy().defaults, passportTtlSecs: 0 },
      isDryRun: false,
      exempt: { paths: [], networks: { covers: () => false }, keys: [], userAgents: [], verifiedBots: [] },
    };
    try {
      await gate.admit(route, readShown(ctx));
    } catch (error) {
      if (!(error instanceof Fault) || PROBLEMS[error.code as ProblemCode].status !== 401) throw error;
      const challenge = gate.issue(route);
      throw fault('proof-required', error.message, {
        members: { challenge },
        headers: {
          'WWW-Authenticate': `PoW realm="*", difficulty=${challenge.difficulty_bits}, mode="request"`,
        },
      });
    }
  };
}
