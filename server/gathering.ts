import cluster from 'node:cluster';
import type { Timer } from './base/ports.ts';

// What each process counts for itself is told by all of them to whichever was asked. Any worker may be asked, and the
// primary is the only one that reaches all of them.

/** From a worker: gather for me. To a worker: tell your part. */
type Gather = { gatehouse: 'gather'; id: number };
type Part = { gatehouse: 'part'; id: number; part: unknown };
type Parts = { gatehouse: 'parts'; id: number; parts: unknown[] };

// Our choice: shorter than two ticks of who looks on. A worker that is only starting is not waited for any longer.
const PART_LIMIT_MS = 1_000;
const PARTS_LIMIT_MS = 2_000;

export type Member = { id: number; send(message: Gather | Parts): void };
export type Gatherer = {
  hear(from: Member, message: unknown): void;
  /** Counts no longer on one that has ended. */
  leave(memberId: number): void;
};

/** The primary's side: asks all members for their parts, and hands on what came in time. */
export function createGatherer(members: () => readonly Member[], timer: Timer): Gatherer {
  type Round = { awaited: Set<number>; parts: unknown[]; end(): void };
  const rounds = new Map<number, Round>();
  let begun = 0;

  function begin(asker: Member, askedAs: number): void {
    const id = ++begun;
    const all = members();
    const parts: unknown[] = [];
    const end = () => {
      if (!rounds.delete(id)) return;
      cancel();
      asker.send({ gatehouse: 'parts', id: askedAs, parts });
    };
    const cancel = timer.after(PART_LIMIT_MS, end);
    rounds.set(id, { awaited: new Set(all.map((member) => member.id)), parts, end });
    for (const member of all) member.send({ gatehouse: 'gather', id });
  }

  function settle({ awaited, end }: Round, memberId: number): void {
    awaited.delete(memberId);
    if (awaited.size === 0) end();
  }

  return {
    hear(from, message) {
      const { gatehouse, id, part } = (message ?? {}) as Partial<Part | Gather> & { part?: unknown };
      if (typeof id !== 'number') return;
      if (gatehouse === 'gather') begin(from, id);
      const round = gatehouse === 'part' ? rounds.get(id) : undefined;
      if (!round?.awaited.has(from.id)) return;
      round.parts.push(part);
      settle(round, from.id);
    },
    leave(memberId) {
      for (const round of [...rounds.values()]) if (round.awaited.has(memberId)) settle(round, memberId);
    },
  };
}

/** Lets this process, the primary, gather for its workers. */
export function gatherForWorkers(timer: Timer): void {
  const memberOf = (worker: NonNullable<typeof cluster.worker>): Member => ({
    id: worker.id,
    send: (message) => void (worker.isConnected() && worker.send(message)),
  });
  const workers = () => Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? []);
  const gatherer = createGatherer(() => workers().map(memberOf), timer);
  cluster.on('message', (worker, message) => gatherer.hear(memberOf(worker), message));
  cluster.on('exit', ({ id }) => gatherer.leave(id));
}

/** Gives what gathers the parts of all processes, this one's among them; `readOwn` is asked for it, now and by the others. */
export type Gathering = <Told>(readOwn: () => Told) => () => Promise<Told[]>;

/** For a process that is alone. */
export const gatherAlone: Gathering = (readOwn) => async () => [readOwn()];

/** A worker's side; one thing is gathered. Where the primary does not answer in time there is this worker's part alone. */
export function joinGathering(timer: Timer): Gathering {
  return <Told>(readOwn: () => Told) => {
    const waiting = new Map<number, (parts: Told[]) => void>();
    let asked = 0;
    process.on('message', (message: Partial<Gather | Parts>) => {
      if (message?.gatehouse === 'gather')
        process.send?.({ gatehouse: 'part', id: message.id as number, part: readOwn() } satisfies Part);
      if (message?.gatehouse === 'parts') waiting.get(message.id as number)?.(message.parts as Told[]);
    });
    return () =>
      new Promise<Told[]>((resolve) => {
        const id = ++asked;
        const finish = (parts: Told[]) => {
          cancel();
          waiting.delete(id);
          resolve(parts.length > 0 ? parts : [readOwn()]);
        };
        const cancel = timer.after(PARTS_LIMIT_MS, () => finish([]));
        waiting.set(id, finish);
        process.send?.({ gatehouse: 'gather', id } satisfies Gather);
      });
  };
}
