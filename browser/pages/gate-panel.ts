import { obtainPassport, type Passport, SessionError } from '../solver/session.ts';
import { startCountdown } from './countdown.ts';
import { failureText } from './failure-text.ts';
import { formatChance, formatCount, formatCountdown, formatDuration } from './format.ts';
import { part } from './part.ts';
import { createPassportMemory, PASSPORT_MEMORY_KEY } from './passport-memory.ts';
import { createProgressView } from './progress-view.ts';
import { createStateNotes } from './state-note.ts';

type State = 'idle' | 'solving' | 'holding' | 'failed';

/** Which controls a state shows, and how the first one is named. */
const CONTROLS: Record<State, readonly ('try' | 'stop' | 'open' | 'again')[]> = {
  idle: ['try'],
  solving: ['stop'],
  holding: ['open', 'again'],
  failed: ['try'],
};

/** The second half of a double click on "Try" must not press what has just taken its place. */
const isDoubled = (event: MouseEvent) => event.detail > 1;

/** Brings the home page's panel to life: it runs the gate, and shows the passport that this browser holds. */
export function createGatePanel(root: HTMLElement): void {
  const memory = createPassportMemory(() => localStorage);
  const view = createProgressView(root, 'en');
  const controls = {
    try: part(root, 'try', HTMLButtonElement),
    stop: part(root, 'stop', HTMLButtonElement),
    open: part(root, 'open', HTMLAnchorElement),
    again: part(root, 'again', HTMLButtonElement),
  };
  const put = (name: string, value: string) => {
    part(root, name, HTMLElement).textContent = value;
  };
  const get = (name: string) => part(root, name, HTMLElement).textContent ?? '';
  const idleMessage = get('message');
  const price = { readout: get('readout'), caption: get('caption') };
  let run: AbortController | null = null;
  let stopClock = () => {};

  function enter(state: State, title: string, message: string) {
    stopClock();
    const hadFocus = Object.values(controls).includes(document.activeElement as HTMLButtonElement);
    root.dataset.state = state;
    put('title', title);
    put('message', message);
    for (const [name, control] of Object.entries(controls)) {
      // A passport won before still opens the page when another solve has failed.
      const isStillOpen = name === 'open' && state === 'failed' && memory.expiresAt(Date.now()) !== null;
      control.hidden = !isStillOpen && !CONTROLS[state].some((shown) => shown === name);
    }
    controls.try.textContent = state === 'failed' ? 'Try again' : 'Try the gate';
    // A control that vanishes takes the keyboard's place in the page with it: hand it on.
    const [first] = CONTROLS[state];
    if (hadFocus && first) controls[first].focus({ preventScroll: true });
  }

  function idle(message = idleMessage) {
    view.clear();
    enter('idle', 'Try the gate', message);
    announcePrice();
  }

  /** What the page came with, where there is no run to show figures of. */
  function announcePrice() {
    put('readout', price.readout);
    put('caption', price.caption);
  }

  function hold(endMs: number, message: string) {
    enter('holding', 'The gate is open', message);
    put('caption', 'left on your passport');
    stopClock = startCountdown(
      endMs,
      (leftMs) => put('readout', formatCountdown(leftMs)),
      () => {
        idle('Your passport has expired. Solve again to get a new one.');
        view.say('Your passport has expired.');
      },
    );
  }

  /** Shows what is remembered; a run in progress goes first. */
  function recall() {
    if (run) return;
    const endMs = memory.expiresAt(Date.now());
    if (endMs === null) {
      idle();
      return;
    }
    view.clear();
    view.open();
    hold(endMs, 'This browser holds a passport: the gated page opens without another puzzle.');
  }

  function succeed(passport: Passport) {
    const endMs = Date.now() + passport.ttlSecs * 1000;
    memory.remember(endMs);
    view.finish(passport.solution);
    const took = formatDuration(passport.solution.elapsedMs, 'en');
    const average = formatCount(2 ** passport.difficultyBits, 'en');
    hold(endMs, `Solved in ${took}. The average is ${average} tries; each run is a matter of luck.`);
    view.say(`Solved in ${took}. The gate is open.`);
  }

  async function solve() {
    const mine = new AbortController();
    run = mine;
    const noteOf = createStateNotes('en');
    view.clear();
    enter('solving', 'Solving', 'Fetching a challenge…');
    put('readout', formatChance(0, 'en'));
    put('caption', 'chance to be done by now');
    view.say('Solving.');
    try {
      const passport = await obtainPassport({
        // Empty where the policy of this server does not gate the demo.
        ...(root.dataset.route ? { route: root.dataset.route } : {}),
        signal: mine.signal,
        onState: (state, waitSecs) => {
          if (run !== mine) return;
          const note = noteOf(state, waitSecs);
          if (note) {
            put('message', note);
            view.say(note);
          }
          if (state === 'solving')
            put('message', 'The search has no memory: however long it ran, the time to go stays the same.');
          if (state === 'redeeming') put('message', 'Found. Asking the server for the passport…');
        },
        onProgress: (progress) => {
          if (run !== mine) return;
          view.show(progress);
          put('readout', formatChance(progress.probability, 'en'));
        },
      });
      if (run !== mine) return;
      run = null;
      succeed(passport);
    } catch (error) {
      if (run !== mine) return;
      run = null;
      const code = error instanceof SessionError ? error.code : 'other';
      const sentence = failureText(code, 'en');
      view.clear();
      enter('failed', 'It did not work', sentence);
      announcePrice();
      view.say(sentence);
    }
  }

  /** Ends a run without a word about it; the page then shows what is remembered. */
  function cancel() {
    const mine = run;
    run = null;
    mine?.abort();
    recall();
  }

  controls.try.addEventListener('click', () => void solve());
  controls.again.addEventListener('click', (event) => {
    if (!isDoubled(event)) void solve();
  });
  controls.stop.addEventListener('click', (event) => {
    if (isDoubled(event)) return;
    cancel();
    view.say('Stopped.');
  });
  controls.open.addEventListener('click', (event) => {
    if (isDoubled(event)) event.preventDefault();
  });
  addEventListener('storage', ({ key }) => {
    // Another tab won a passport, or all was cleared; what else a site stores is no news.
    if (key === PASSPORT_MEMORY_KEY || key === null) recall();
  });
  addEventListener('pagehide', cancel);
  // First load, reload, and the way back out of the back-forward cache alike.
  addEventListener('pageshow', recall);
  controls.try.disabled = false;
  recall();
}
