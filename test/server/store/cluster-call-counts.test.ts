import cluster, { type Worker } from 'node:cluster';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { CallCount, OpenCallCounts } from '../../../server/access/core/ports.ts';
import { countCallsForWorkers } from '../../../server/store/cluster-call-counts.ts';
import { testCallCounts } from '../../contract/call-counts.ts';
import type { Answered, Told } from './call-counting-worker.ts';

const waiting = new Map<number, (counted: CallCount) => void>();
let workers: Worker[];
let sent = 0;
let opened = 0;

before(() => {
  countCallsForWorkers();
  cluster.setupPrimary({
    exec: fileURLToPath(new URL('call-counting-worker.ts', import.meta.url)),
    execArgv: [],
  });
  workers = [cluster.fork(), cluster.fork()];
  cluster.on('message', (_, { id, counted }: Partial<Answered>) => {
    if (id !== undefined && counted) waiting.get(id)?.(counted);
  });
});
after(() => {
  for (const worker of workers) worker.process.kill('SIGKILL');
});

testCallCounts('the primary of a cluster', async () => {
  const prefix = `${opened++}-`;
  const clientOf =
    (worker: Worker): OpenCallCounts =>
    (name, rate) =>
    (caller, by) =>
      new Promise((resolve) => {
        waiting.set(++sent, resolve);
        worker.send({ id: sent, name: prefix + name, rate, caller, ...(by && { by }) } satisfies Told);
      });
  return { clients: [clientOf(workers[0]), clientOf(workers[1])], close: async () => {} };
});
