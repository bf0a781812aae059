/** The solver as a page uses it, wired to this browser: its workers, clock, timers and network. */

import { after } from './after.ts';
import { createGateClient } from './gate-client.ts';
import { createSession } from './obtain-passport.ts';
import { createPool, type Pool } from './pool.ts';
import { spawnWorker } from './spawn-worker.ts';
import { createWhenSeen } from './visibility.ts';
import { workerCount } from './worker-count.ts';

export type { ChallengeBody } from './gate-client.ts';
export type { Passport, SessionOptions, SessionState } from './obtain-passport.ts';
export { SessionError } from './session-error.ts';

const now = () => performance.now();
// The document is looked for when it is needed: the scripts are also imported where there is no page.
const whenSeen = () => createWhenSeen(document)();

// A page may have a `<base>` of another origin.
const fetchOwn = (path: string, init: RequestInit) => fetch(new URL(path, location.origin), init);

/** Solves one challenge in workers of this origin. Rejects as a pool does. */
export const solveChallenge: Pool['solve'] = (challenge, options) =>
  createPool({ spawn: spawnWorker, now, after, workers: workerCount(navigator), whenSeen }).solve(
    challenge,
    options,
  );

/** Fetches a challenge, solves it and gets the passport; the browser keeps it as the cookie `pow_passport`. */
export const obtainPassport = createSession({
  gate: createGateClient({ fetch: fetchOwn, after }),
  solve: solveChallenge,
  now,
  after,
  whenSeen,
});
