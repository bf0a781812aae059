import type { Passport, SessionOptions } from '../solver/obtain-passport.ts';
import type { SolveOptions } from '../solver/pool.ts';
import type { Solution } from '../solver/protocol.ts';
import { SessionError } from '../solver/session-error.ts';
import { type Arrived, type Enveloped, type FromFrame, readMessage, type ToFrame } from './frame-protocol.ts';

/** A window that takes messages. */
export type MessageTarget = { postMessage(message: unknown, targetOrigin: string): void };

export type ServePageDeps = {
  /** The window that holds the frame. */
  parent: MessageTarget;
  /** The one origin that is served; the server has checked it against its list. */
  origin: string;
  nonce: string;
  onMessage(listener: (event: Arrived) => void): void;
  obtainPassport(options: SessionOptions): Promise<Passport>;
  solveChallenge(challenge: string, options: SolveOptions): Promise<Solution>;
};

/**
 * The frame's side: tells the page that it is ready, does the one thing that the page asks, and answers to the page's
 * origin alone. The browser drops an answer whose target origin is not that of the page.
 */
export function servePage({
  parent,
  origin,
  nonce,
  onMessage,
  obtainPassport,
  solveChallenge,
}: ServePageDeps): void {
  let isAsked = false;
  const tell = (message: FromFrame) =>
    parent.postMessage({ ...message, gatehouse: nonce } satisfies Enveloped<FromFrame>, origin);
  const onProgress: SessionOptions['onProgress'] = (progress) => tell({ type: 'progress', progress });

  const answer = async (asked: ToFrame): Promise<FromFrame> => {
    if (asked.type === 'solve') {
      return { type: 'solution', solution: await solveChallenge(asked.challenge, { onProgress }) };
    }
    const passport = await obtainPassport({
      route: asked.route,
      onProgress,
      onState: (state, waitSecs) => tell({ type: 'state', state, waitSecs: waitSecs ?? null }),
    });
    return { type: 'passport', passport };
  };

  onMessage((event) => {
    const asked = readMessage<ToFrame>(event, { origin, source: parent, nonce });
    if (!asked || isAsked || (asked.type !== 'passport' && asked.type !== 'solve')) return;
    isAsked = true;
    answer(asked).then(tell, (error: unknown) => {
      const { code, status } =
        error instanceof SessionError ? error : { code: 'solver-failed', status: null };
      tell({ type: 'error', code, status, message: error instanceof Error ? error.message : String(error) });
    });
  });
  tell({ type: 'ready' });
}
