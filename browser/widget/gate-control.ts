import type { After } from '../solver/after.ts';
import type { SessionState } from '../solver/obtain-passport.ts';
import type { Solution, SolveProgress } from '../solver/protocol.ts';
import { SessionError } from '../solver/session-error.ts';
import { type HeldPassport, marginMs, type PassportSource } from './passport-source.ts';

/** Where a widget stands. */
export type GateState = 'unsolved' | 'solving' | 'solved' | 'expired' | 'error';

/** When a widget starts by itself. */
export const AUTO_MODES = ['onload', 'onfocus', 'onsubmit', 'off'] as const;
export type AutoMode = (typeof AUTO_MODES)[number];

/** The `detail` of each event. Times are Unix milliseconds of this device. */
export type GateEvents = {
  'pow-statechange': { state: GateState; previous: GateState };
  'pow-progress': SolveProgress;
  'pow-solve': { response: string; expiresAt: number; difficultyBits: number } & Omit<Solution, 'answer'>;
  'pow-expire': { expiresAt: number };
  /** `code` is that of the server's problem, of a session, or of the frame. */
  'pow-error': { code: string; message: string; status: number | null };
};

export type GateControlDeps = {
  /** The source that fits the attributes of this moment. @throws SessionError `invalid-api` */
  source(): PassportSource;
  autoMode(): AutoMode;
  /** Whether nobody looks at the page. */
  isHidden(): boolean;
  now(): number;
  after: After;
  emit<Type extends keyof GateEvents>(type: Type, detail: GateEvents[Type]): void;
  onState(state: GateState): void;
  onSession(state: SessionState, waitSecs?: number): void;
  onProgress(progress: SolveProgress): void;
  /** The value to send has changed; empty where there is none. */
  onValue(passport: HeldPassport | null): void;
  onError(error: SessionError): void;
};

export type GateControl = {
  state(): GateState;
  passport(): HeldPassport | null;
  /** Starts to solve, unless it does so or is done. */
  start(): void;
  /** Ends a solve, and looks at the clock no more until `wake`; what is solved stays. */
  stop(): void;
  /** Gives up what was won, and is as new. */
  reset(): void;
  /** Takes a passport that was won before: a page that comes back. */
  take(passport: HeldPassport): void;
  /** Looks at the clock: timers sleep with the device. */
  wake(): void;
};

/** Our choice: the clock is looked at once a minute at least, since timers stand still while a device sleeps. */
const LONGEST_WAIT_MS = 60_000;

/** The states of one widget and what leads from one to the next, without a page. */
export function createGateControl(deps: GateControlDeps): GateControl {
  let state: GateState = 'unsolved';
  let passport: HeldPassport | null = null;
  let source: PassportSource | null = null;
  let leave = () => {};
  let cancel = () => {};
  // Set where a passport ended while nobody looked: solved anew when somebody does.
  let isOwed = false;

  const enter = (next: GateState) => {
    const previous = state;
    if (next === previous) return;
    state = next;
    deps.onState(next);
    deps.emit('pow-statechange', { state: next, previous });
  };

  const hold = (won: HeldPassport | null) => {
    passport = won;
    deps.onValue(won);
  };

  const isOver = (held: HeldPassport) => deps.now() >= held.endMs - marginMs(held.ttlSecs);

  const watch = () => {
    cancel();
    if (!passport) return;
    const leftMs = passport.endMs - marginMs(passport.ttlSecs) - deps.now();
    cancel = deps.after(Math.min(LONGEST_WAIT_MS, Math.max(0, leftMs)), look);
  };

  const look = () => {
    if (!passport) return;
    if (!isOver(passport)) return watch();
    const { endMs: expiresAt } = passport;
    cancel();
    hold(null);
    enter('expired');
    deps.emit('pow-expire', { expiresAt });
    const mode = deps.autoMode();
    if (state !== 'expired' || mode === 'onsubmit' || mode === 'off') return;
    if (deps.isHidden()) isOwed = true;
    else start();
  };

  const solved = (won: HeldPassport) => {
    leave = () => {};
    isOwed = false;
    hold(won);
    watch();
    enter('solved');
    const { passport: response, endMs: expiresAt, difficultyBits, solution } = won;
    const { tries, elapsedMs, workers, kernel } = solution;
    const detail = { response, expiresAt, difficultyBits, tries, elapsedMs, workers, kernel };
    if (passport === won) deps.emit('pow-solve', detail);
  };

  const fail = (cause: unknown) => {
    leave = () => {};
    const error =
      cause instanceof SessionError
        ? cause
        : new SessionError('solver-failed', String(cause), null, { cause });
    deps.onError(error);
    enter('error');
    deps.emit('pow-error', { code: error.code, message: error.message, status: error.status });
  };

  const start = () => {
    if (state === 'solving' || state === 'solved') return;
    isOwed = false;
    enter('solving');
    try {
      source = deps.source();
      leave = source.join({
        onState: deps.onSession,
        onProgress: (progress) => {
          deps.onProgress(progress);
          deps.emit('pow-progress', progress);
        },
        onPassport: solved,
        onError: fail,
      });
    } catch (error) {
      fail(error);
    }
  };

  const stop = () => {
    cancel();
    leave();
    leave = () => {};
    if (state === 'solving') enter('unsolved');
  };

  return {
    state: () => state,
    passport: () => passport,
    start,
    stop,
    reset() {
      stop();
      isOwed = false;
      if (passport) source?.forget(passport.passport);
      hold(null);
      enter('unsolved');
    },
    take(won) {
      if (isOver(won)) return;
      stop();
      solved(won);
    },
    wake() {
      look();
      if (isOwed && !deps.isHidden()) start();
    },
  };
}
