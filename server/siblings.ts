import cluster from 'node:cluster';
import type { OpenCallCounts } from './access/core/ports.ts';
import type { Log } from './base/ports.ts';
import { systemTimer } from './base/system.ts';
import { type Gathering, gatherAlone, joinGathering } from './gathering.ts';
import { openClusterCallCounts } from './store/cluster-call-counts.ts';
import { openMemoryCallCounts } from './store/memory-call-counts.ts';

/** What a serving process tells the primary, and the primary it. */
export type WorkerMessage = { gatehouse: 'listening'; url: string } | { gatehouse: 'pong' };
export type PrimaryMessage = { gatehouse: 'lead' } | { gatehouse: 'ping' };

/** What a serving process knows of the others on its data folder; one that is alone leads. */
export type Siblings = {
  /**
   * Runs `start` once this process leads: at once, later, or never. The leader does what is done once for all of them,
   * such as purges and crawls, until it ends; then another leads.
   */
  whenLeading(start: () => void): void;
  /** Where the calls of a throttle are counted for all of them. */
  openCallCounts: OpenCallCounts;
  /** Gathers what each of them counts for itself. For one thing. */
  gather: Gathering;
  /** Says that this process takes connections. */
  announce(url: string): void;
};

/** @param announce what a process that is alone says where it listens */
export function joinSiblings(log: Log, announce: (url: string) => void): Siblings {
  if (!cluster.isWorker) {
    return {
      whenLeading: (start) => start(),
      openCallCounts: openMemoryCallCounts,
      gather: gatherAlone,
      announce,
    };
  }
  let isLeading = false;
  const starts: (() => void)[] = [];
  process.on('message', (message: Partial<PrimaryMessage>) => {
    if (message.gatehouse === 'ping') process.send?.({ gatehouse: 'pong' } satisfies WorkerMessage);
    if (message.gatehouse !== 'lead' || isLeading) return;
    isLeading = true;
    log.info({}, 'this worker leads');
    for (const start of starts.splice(0)) start();
  });
  return {
    whenLeading(start) {
      if (isLeading) start();
      else starts.push(start);
    },
    openCallCounts: openClusterCallCounts,
    gather: joinGathering(systemTimer),
    announce: (url) => void process.send?.({ gatehouse: 'listening', url } satisfies WorkerMessage),
  };
}
