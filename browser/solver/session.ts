/** The solver as a page uses it, wired to this browser: its workers, clock, timers and network. */

import { after } from './after.ts';
import { createGateClient } from './gate-client.ts';
import { createSession } from './obtain-passport.ts';
import { createPool } from './pool.ts';
import { spawnWorker } from './spawn-worker.ts';
import { createWhenSeen } from './visibility.ts';
import { workerCount } from './worker-count.ts';

export type { ChallengeBody } from './gate-client.ts';
export type { Passport, SessionOptions, SessionState } from './obtain-passport.ts';
export { SessionError } from './session-error.ts';

const now = () => performance.now();
const whenSeen = createWhenSeen(document);

/** Fetches a challenge, solves it and gets the passport; the browser keeps it as the cookie `pow_passport`. */
export const obtainPassport = createSession({
  gate: createGateClient({ fetch: (path, init) => fetch(path, init), after }),
  solve: (challenge, options) =>
    createPool({ spawn: spawnWorker, now, after, workers: workerCount(navigator), whenSeen }).solve(
      challenge,
      options,
    ),
  now,
  after,
  whenSeen,
});
