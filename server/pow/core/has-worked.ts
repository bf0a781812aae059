import { Fault } from '../../base/fault.ts';
import type { Network } from '../../base/network.ts';
import { type Clock, type Digest, nowSecs } from '../../base/ports.ts';
import { checkProof, splitProof } from './challenge.ts';
import type { Keyring } from './keyring.ts';
import { openPassport, refusePassport } from './passport.ts';
import { isPerRequest, type Route } from './policy.ts';

export type HasWorkedDeps = { keyring(): Keyring; clock: Clock; digest: Digest };

type Shown = { passports: readonly string[]; proof: string | null; network: Network };

/** Tells whether what is shown holds work for the route, at least at its bare price. Nothing is spent, so it may be spent already. */
export function createHasWorked({ keyring, clock, digest }: HasWorkedDeps) {
  return function hasWorked(route: Route, { passports, proof, network }: Shown): boolean {
    const leastBits = route.terms.difficultyBits;
    const now = nowSecs(clock);
    const checkpoint = { route, leastBits, network, nowSecs: now };
    const isGood = (text: string) => refusePassport(openPassport(text, keyring()), checkpoint) === null;
    if (!isPerRequest(route) && passports.some(isGood)) return true;
    const parts = proof === null ? null : splitProof(proof);
    if (!parts) return false;
    try {
      checkProof(parts, { for: 'request', route, leastBits }, now, keyring(), digest);
      return true;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return false;
    }
  };
}
