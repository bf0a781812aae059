import type { Solver } from '../../wire/pow.ts';
import type { TierName } from './tiers.ts';

/** How a visit to a gated route was let in. `exempt` and below paid nothing. */
export const WAYS_IN = ['passport', 'request', 'exempt', 'verdict', 'verified-bot', 'dry-run'] as const;

/** What happens at the gate, for whoever counts or shows it. Nothing in it comes from a client but by a table of ours. */
export type GateEvent =
  /** `routeId` null: for any route. */
  | { kind: 'issued'; routeId: string | null; tier: TierName; difficultyBits: number; isRebinding: boolean }
  /** A proof that held, once: an honest repeat is not told again. `solver` is the client's word, null where it said none. */
  | {
      kind: 'solved';
      difficultyBits: number;
      tookSecs: number;
      isRebinding: boolean;
      paidShare: number;
      solver: Solver | null;
    }
  /** `code` is of the table of problems. */
  | { kind: 'refused'; routeId: string | null; code: string }
  | { kind: 'admitted'; routeId: string; how: (typeof WAYS_IN)[number] };

/** The port that the gate tells its events to. It never throws and does not wait. */
export type TellGate = (event: GateEvent) => void;
