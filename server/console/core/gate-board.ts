import type { GateBody } from '../../wire/console.ts';
import type { Solver } from '../../wire/pow.ts';
import { createSlots } from './slots.ts';

/** What the gate tells; the members that are counted here. */
export type GateNews =
  | { kind: 'issued'; routeId: string | null; tier: string; difficultyBits: number; isRebinding: boolean }
  | { kind: 'solved'; difficultyBits: number; tookSecs: number; isRebinding: boolean; solver: Solver | null }
  | { kind: 'refused'; routeId: string | null; code: string }
  | { kind: 'admitted'; routeId: string; how: string };

export type GateBoard = {
  tell(news: GateNews, nowMs: number): void;
  /** Counts an IP look-up that was answered to a visitor. */
  tellLookup(who: 'anonymous' | 'keyed', nowMs: number): void;
  read(nowMs: number, policy: readonly { id: string; bits: number }[], load: GateBody['load']): GateBody;
};

// Our choice: as fine as a line on a screen shows, and little to send at every tick.
const HOUR = { stepSecs: 60, length: 60 };
const DAY = { stepSecs: 900, length: 96 };

/** Upper edges in whole seconds, which is all that an envelope knows; our choice. */
export const EDGES_SECS = [1, 2, 5, 10, 20, 30, 60, 120, 300];

// A policy that is reloaded again and again must not fill the memory. Our choice: more than any has.
const MOST_ROUTES = 200;

type SolveCounts = { bits: number; solver: Solver | 'unsaid'; counts: number[]; sumSecs: number };
type RouteCounts = { issued: number; refused: number; admitted: number };

/**
 * Counts what happens at the gate since the process started: totals, by reason, by route, by difficulty and kind of solver,
 * and over time.
 * Nothing is kept of anyone; all of it is lost with the process.
 */
export function createGateBoard(startedMs: number): GateBoard {
  const totals = { issued: 0, solved: 0, refused: 0, admitted: 0, rebound: 0 };
  const lookups = { anonymous: 0, keyed: 0 };
  const refusedBy = new Map<string, number>();
  const admittedBy = new Map<string, number>();
  const issuedTo = new Map<string, number>();
  const routes = new Map<string, RouteCounts>();
  const solves = new Map<string, SolveCounts>();
  const series = [HOUR, DAY].map(({ stepSecs, length }) => createSlots(stepSecs, length));

  function countRoute(routeId: string | null, what: keyof RouteCounts): void {
    // `*` is the route that forward-auth holds a visit to where its proxy tells no path.
    const id = routeId === null || routeId === '*' ? 'any' : routeId;
    const counts = routes.get(id) ?? { issued: 0, refused: 0, admitted: 0 };
    counts[what]++;
    if (routes.size < MOST_ROUTES) routes.set(id, counts);
  }

  function countSolve(bits: number, tookSecs: number, solver: Solver | 'unsaid'): void {
    const name = `${bits} ${solver}`;
    const solved = solves.get(name) ?? {
      bits,
      solver,
      counts: new Array(EDGES_SECS.length + 1).fill(0),
      sumSecs: 0,
    };
    const at = EDGES_SECS.findIndex((edge) => tookSecs <= edge);
    solved.counts[at < 0 ? EDGES_SECS.length : at]++;
    solved.sumSecs += tookSecs;
    solves.set(name, solved);
  }

  return {
    tell(news, nowMs) {
      totals[news.kind]++;
      if (news.kind === 'issued') {
        if (news.isRebinding) totals.rebound++;
        add(issuedTo, news.tier);
        countRoute(news.routeId, 'issued');
        for (const slots of series) slots.countBits(news.difficultyBits, nowMs);
        return;
      }
      for (const slots of series) slots.count(news.kind, nowMs);
      if (news.kind === 'solved') countSolve(news.difficultyBits, news.tookSecs, news.solver ?? 'unsaid');
      else countRoute(news.routeId, news.kind);
      if (news.kind === 'refused') add(refusedBy, news.code);
      if (news.kind === 'admitted') add(admittedBy, news.how);
    },
    tellLookup(who, nowMs) {
      lookups[who]++;
      for (const slots of series) slots.count('lookups', nowMs);
    },
    read(nowMs, policy, load) {
      const ids = new Set([...policy.map(({ id }) => id), ...routes.keys()]);
      const [hour, day] = series.map((slots) => slots.read(nowMs));
      return {
        since: new Date(startedMs).toISOString(),
        processes: 1,
        totals: { ...totals },
        lookups: { ...lookups },
        refusedBy: sorted(refusedBy),
        admittedBy: sorted(admittedBy),
        issuedTo: sorted(issuedTo),
        routes: [...ids].map((id) => ({
          id,
          bits: policy.find((route) => route.id === id)?.bits ?? null,
          ...(routes.get(id) ?? { issued: 0, refused: 0, admitted: 0 }),
        })),
        solveTimes: {
          edgesSecs: EDGES_SECS,
          groups: [...solves.values()]
            .sort((a, b) => a.bits - b.bits || (a.solver < b.solver ? -1 : 1))
            .map(({ bits, solver, counts, sumSecs }) => ({
              bits,
              solver,
              counts: [...counts],
              meanSecs: sumSecs / counts.reduce((sum, count) => sum + count, 0),
            })),
        },
        load,
        hour,
        day,
      };
    },
  };
}

const add = (counts: Map<string, number>, name: string) => void counts.set(name, (counts.get(name) ?? 0) + 1);

const sorted = (counts: ReadonlyMap<string, number>) =>
  [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
