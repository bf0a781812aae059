import { wrap } from 'comlink';
import type { SpawnWorker } from './pool.ts';
import type { SolverWorker } from './protocol.ts';
import workerUrl from './worker.ts?worker&url';
import { type TrustedTypes, workerUrlPolicy } from './worker-url-policy.ts';

const realm = globalThis as { trustedTypes?: TrustedTypes } & Record<symbol, unknown>;
const trusted = workerUrlPolicy(realm.trustedTypes, workerUrl, realm);

/** Starts a worker from its own file on this origin: no `blob:`, which sites' policies forbid. */
export const spawnWorker: SpawnWorker = (onDeath) => {
  const worker = new Worker(trusted(workerUrl), { type: 'module', name: 'gatehouse-solver' });
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    onDeath(new Error(`solver worker: ${event.message || 'could not be started'}`));
  });
  worker.addEventListener('messageerror', () => onDeath(new Error('solver worker: a message was lost')));
  return { solver: wrap<SolverWorker>(worker), terminate: () => worker.terminate() };
};
