import cluster, { type Worker } from 'node:cluster';
import type { Clock, Log, Timer } from './base/ports.ts';
import { gatherForWorkers } from './gathering.ts';
import type { PrimaryMessage, WorkerMessage } from './siblings.ts';
import { createWorkerWatch, type Watched } from './watch-workers.ts';

// A worker that lived this long was started well: its death is one of its own and not of the start's. Our choice.
const SETTLED_MS = 10_000;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 10_000;

// Beyond the grace that a worker gives to requests under way.
const KILL_AFTER_MS = 10_000;

/** How long to wait before a worker is replaced, after so many in a row that died soon after their start. */
export const restartDelayMs = (earlyDeaths: number): number =>
  Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.max(0, earlyDeaths - 1));

type Member = {
  worker: Worker;
  startedMs: number;
  isListening: boolean;
  owesReload: boolean;
  watched: Watched;
};

export type PrimaryDeps = {
  count: number;
  clock: Clock;
  timer: Timer;
  log: Log;
  /** Called once, when all workers take connections. */
  announce(url: string): void;
};

/**
 * Keeps `count` workers running: replaces those that die, ends those that hang, has one of them lead, hands on SIGHUP, and ends with them.
 *
 * The first worker starts alone, so that what is made at the first start is made once and what is at fault is told once;
 * where it ends before it listens, this process ends with its status.
 */
export function runPrimary({ count, clock, timer, log, announce }: PrimaryDeps): void {
  const members = new Map<number, Member>();
  const watch = createWorkerWatch({ timer, log });
  let leader: Worker | null = null;
  let isStarted = false;
  let isAnnounced = false;
  let isStopping = false;
  let earlyDeaths = 0;

  function fork(): void {
    if (isStopping) return;
    const worker = cluster.fork();
    const watched = {
      pid: worker.process.pid,
      ping: () => void worker.send({ gatehouse: 'ping' } satisfies PrimaryMessage),
      // A process that hangs takes no other signal.
      end: () => void worker.process.kill('SIGKILL'),
    };
    const startedMs = clock.nowMs();
    members.set(worker.id, { worker, startedMs, isListening: false, owesReload: false, watched });
    // A message to a worker that has just died; its exit is what counts.
    worker.on('error', () => {});
  }

  function lead(): void {
    if (leader || isStopping) return;
    const next = [...members.values()].find(({ isListening }) => isListening);
    if (!next) return;
    leader = next.worker;
    leader.send({ gatehouse: 'lead' } satisfies PrimaryMessage);
  }

  cluster.on('message', (worker, message: Partial<WorkerMessage>) => {
    const member = members.get(worker.id);
    if (member && message?.gatehouse === 'pong') watch.answered(member.watched);
    if (message?.gatehouse !== 'listening' || !member) return;
    member.isListening = true;
    watch.begin(member.watched);
    if (member.owesReload) worker.process.kill('SIGHUP');
    lead();
    if (!isStarted) {
      isStarted = true;
      while (members.size < count) fork();
    }
    if (!isAnnounced && [...members.values()].every(({ isListening }) => isListening)) {
      isAnnounced = true;
      announce(message.url ?? '');
    }
  });

  cluster.on('exit', (worker, code, signal) => {
    const member = members.get(worker.id);
    members.delete(worker.id);
    if (member) watch.forget(member.watched);
    if (leader === worker) leader = null;
    if (isStopping) {
      if (members.size === 0) process.exit(0);
      return;
    }
    if (!isStarted) process.exit(code || 1);
    const livedMs = clock.nowMs() - (member?.startedMs ?? 0);
    earlyDeaths = livedMs < SETTLED_MS ? earlyDeaths + 1 : 0;
    const delayMs = restartDelayMs(earlyDeaths);
    log.error(
      { pid: worker.process.pid, code, signal, delay_ms: delayMs },
      'a worker ended; another takes its place',
    );
    lead();
    timer.after(delayMs, fork);
  });

  process.on('SIGHUP', () => {
    for (const member of members.values()) {
      // Before it listens a signal would end it, and it may have read the old configuration already.
      if (member.isListening) member.worker.process.kill('SIGHUP');
      else member.owesReload = true;
    }
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      for (const { worker } of members.values()) worker.process.kill('SIGTERM');
      timer.after(KILL_AFTER_MS, () => {
        for (const { worker } of members.values()) worker.process.kill('SIGKILL');
      });
      if (members.size === 0) process.exit(0);
    });
  }

  gatherForWorkers(timer);

  // With all workers dead nothing else would keep this process from ending before it has replaced them.
  setInterval(() => {}, 2 ** 30);
  fork();
}
