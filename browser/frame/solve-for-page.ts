import type { SolveOptions } from '../solver/pool.ts';
import {
  obtainPassport,
  type Passport,
  SessionError,
  type SessionOptions,
  solveChallenge,
} from '../solver/session.ts';
import { askFrame } from './ask-frame.ts';
import { pageFrame } from './page-frame.ts';

/**
 * A passport of that gate, won in workers of this page, or by a frame where the gate is of another origin.
 * @param api the gate's origin
 */
export function obtainPassportFor(api: string, options: SessionOptions = {}): Promise<Passport> {
  const { route } = options;
  return hereOrInFrame(
    api,
    () => obtainPassport(options),
    async () => {
      const question = { type: 'passport' as const, ...(route !== undefined && { route }) };
      const answer = await askFrame(pageFrame(api), question, options);
      if (answer.type !== 'passport')
        throw new SessionError('frame-failed', 'expected a passport of the frame');
      return answer.passport;
    },
  );
}

/** The answer of a challenge of that gate, in the same way. */
export function solveChallengeFor(api: string, challenge: string, options: SolveOptions): Promise<string> {
  return hereOrInFrame(
    api,
    async () => {
      try {
        return (await solveChallenge(challenge, options)).answer;
      } catch (cause) {
        if (options.signal?.aborted) throw cause;
        throw new SessionError('solver-failed', String(cause), null, { cause });
      }
    },
    async () => {
      const answer = await askFrame(pageFrame(api), { type: 'solve', challenge }, options);
      if (answer.type !== 'solution')
        throw new SessionError('frame-failed', 'expected an answer of the frame');
      return answer.solution.answer;
    },
  );
}

/**
 * Where this page may start no worker (its policy forbids them, or the policy `gatehouse` of Trusted Types, or the worker's
 * file is of an older build), a frame of the same origin may.
 */
async function hereOrInFrame<Result>(
  api: string,
  here: () => Promise<Result>,
  inFrame: () => Promise<Result>,
): Promise<Result> {
  if (api !== location.origin) return inFrame();
  try {
    return await here();
  } catch (error) {
    if (!(error instanceof SessionError) || error.code !== 'solver-failed') throw error;
    return inFrame().catch((second: unknown) => {
      // That there is no frame either says less than why there was no worker.
      throw second instanceof SessionError && second.code === 'frame-failed' ? error : second;
    });
  }
}
