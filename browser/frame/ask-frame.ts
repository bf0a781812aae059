import type { After } from '../solver/after.ts';
import type { SessionOptions } from '../solver/obtain-passport.ts';
import { aborted, SessionError } from '../solver/session-error.ts';
import { type Arrived, type FromFrame, readMessage, type ToFrame } from './frame-protocol.ts';
import type { MessageTarget } from './serve-page.ts';

/** A frame in the page. */
export type MountedFrame = {
  /** Its window. */
  window: MessageTarget | null;
  remove(): void;
};

export type AskFrameDeps = {
  /** The gate's origin. */
  api: string;
  /** The page's own. */
  pageOrigin: string;
  /** Puts a frame into the page; `onLoad` is told when something has loaded in it, whatever it is. */
  mount(url: string, onLoad: () => void): MountedFrame;
  /** Gives a function that ends the listening. */
  onMessage(listener: (event: Arrived) => void): () => void;
  /** Text that nobody can guess. */
  makeNonce(): string;
  /** Asks for the frame's address from here, to learn why nothing came from it. */
  fetch(url: string): Promise<Response>;
  after: After;
};

/** What ends it: the last message of the frame. */
export type LastWord = Extract<FromFrame, { type: 'passport' | 'solution' }>;

/** Our choice: a page with one script, which is on its way already when the page has loaded. */
const READY_AFTER_LOAD_MS = 3000;
/** Our choice: "loaded" may overtake "ready" by some milliseconds, and asking would then be in vain. */
const EARLY_LOOK_MS = 1000;
/** Our choice: twice what the frame itself waits for a worker's step; a frame that crashed says nothing at all. */
const SILENCE_LIMIT_MS = 120_000;
/** A device that sleeps uses up one slice, since its frame sleeps, too. */
const SLICES = 4;
/** Our choice, as long as the solver waits for an answer of the server. */
const LOAD_LIMIT_MS = 20_000;

/**
 * Has a frame of the gate's origin do the work: workers cannot be loaded across origins.
 *
 * One frame for one question; it is gone when the answer has come, and its workers with it.
 * Rejects with SessionError: the codes of a session, and `origin-not-allowed`, `frame-failed`.
 */
export async function askFrame(
  deps: AskFrameDeps,
  question: ToFrame,
  { signal, onState, onProgress }: Pick<SessionOptions, 'signal' | 'onState' | 'onProgress'> = {},
): Promise<LastWord> {
  if (signal?.aborted) throw aborted(signal);
  const { api, pageOrigin, after } = deps;
  const nonce = deps.makeNonce();
  const query = pageOrigin === api ? '' : `?origin=${encodeURIComponent(pageOrigin)}`;
  const url = `${api}/pow/frame${query}`;
  let cancel = () => {};
  let stopListening = () => {};
  let frame: MountedFrame | null = null;
  let onAbort = () => {};
  try {
    return await new Promise<LastWord>((resolve, reject) => {
      let isReady = false;
      const giveUp = () => void explain(deps, url).then((error) => isReady || reject(error));
      const expectMore = (slice = 1) => {
        cancel();
        cancel = after(SILENCE_LIMIT_MS / SLICES, () => {
          if (slice < SLICES) expectMore(slice + 1);
          else reject(new SessionError('solver-failed', 'The frame has fallen silent.'));
        });
      };
      onAbort = () => reject(aborted(signal as AbortSignal));
      signal?.addEventListener('abort', onAbort, { once: true });
      stopListening = deps.onMessage((event) => {
        const message = readMessage<FromFrame>(event, { origin: api, source: frame?.window ?? null, nonce });
        if (isReady && message) expectMore();
        switch (message?.type) {
          case 'ready':
            if (isReady) return;
            isReady = true;
            expectMore();
            return frame?.window?.postMessage({ ...question, gatehouse: nonce }, api);
          case 'state':
            return onState?.(message.state, message.waitSecs ?? undefined);
          case 'progress':
            return onProgress?.(message.progress);
          case 'passport':
          case 'solution':
            return resolve(message);
          case 'error':
            return reject(new SessionError(message.code, message.message, message.status));
        }
      });
      cancel = after(LOAD_LIMIT_MS, giveUp);
      // The nonce travels in the fragment, which no server and no log sees.
      frame = deps.mount(`${url}#${nonce}`, () => {
        if (isReady) return;
        cancel();
        cancel = after(EARLY_LOOK_MS, () => {
          cancel = after(READY_AFTER_LOAD_MS - EARLY_LOOK_MS, giveUp);
          // What is refused need not be waited for.
          void explain(deps, url).then((error) => error.code === 'origin-not-allowed' && reject(error));
        });
      });
    });
  } finally {
    cancel();
    stopListening();
    signal?.removeEventListener('abort', onAbort);
    (frame as MountedFrame | null)?.remove();
  }
}

/** Why nothing came from the frame: a browser does not tell what it has refused to show. */
async function explain({ fetch, api, pageOrigin }: AskFrameDeps, url: string): Promise<SessionError> {
  let status: number;
  try {
    status = (await fetch(url)).status;
  } catch (cause) {
    const detail = `${api} could not be reached, or this page's Content-Security-Policy does not admit it.`;
    return new SessionError('unreachable', detail, null, { cause });
  }
  if (status === 403) {
    const detail = `${api} does not serve pages of ${pageOrigin}. Its operator must add ${pageOrigin} to ALLOWED_ORIGINS.`;
    return new SessionError('origin-not-allowed', detail, status);
  }
  const detail =
    `Nothing came from the frame ${url} (status ${status}). This page's Content-Security-Policy must admit ${api} in ` +
    `frame-src, and every page around it must be of an origin in ALLOWED_ORIGINS.`;
  return new SessionError('frame-failed', detail, status);
}
