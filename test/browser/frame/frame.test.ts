import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type AskFrameDeps, askFrame } from '../../../browser/frame/ask-frame.ts';
import { type Arrived, readMessage } from '../../../browser/frame/frame-protocol.ts';
import { type ServePageDeps, servePage } from '../../../browser/frame/serve-page.ts';
import { SessionError } from '../../../browser/solver/session-error.ts';
import { SOLUTION } from '../solver/fake-gate.ts';
import { fakeTimers } from '../solver/fake-timers.ts';

const API = 'https://gate.example';
const PAGE = 'https://site.example';
const PASSPORT = { passport: 'P', ttlSecs: 1800, difficultyBits: 4, solution: SOLUTION };

describe('a message', () => {
  const source = {};
  const sender = { origin: API, source, nonce: 'n' };
  const data = { gatehouse: 'n', type: 'ready' };

  test('of the expected sender is read', () =>
    assert.equal(readMessage({ origin: API, source, data }, sender)?.type, 'ready'));

  for (const [title, event] of [
    ['another origin', { origin: 'https://evil.example', source, data }],
    ['an origin that begins alike', { origin: `${API}.evil.example`, source, data }],
    ['no origin', { origin: 'null', source, data }],
    ['another window', { origin: API, source: {}, data }],
    ['another nonce', { origin: API, source, data: { ...data, gatehouse: 'm' } }],
    ['no nonce', { origin: API, source, data: { type: 'ready' } }],
    ['no type', { origin: API, source, data: { gatehouse: 'n' } }],
    ['text', { origin: API, source, data: 'ready' }],
    ['nothing', { origin: API, source, data: null }],
  ] as const) {
    test(`of ${title} is ignored`, () => assert.equal(readMessage(event, sender), null));
  }

  test('from nowhere is ignored while there is no window', () =>
    assert.equal(readMessage({ origin: API, source: null, data }, { ...sender, source: null }), null));
});

/** A page and a frame over a wire that the test can see, in one process. */
function fakeFrame({
  obtainPassport = async () => PASSPORT,
  answers = true,
  status = 200,
  pageOrigin = PAGE,
}: {
  obtainPassport?: ServePageDeps['obtainPassport'];
  answers?: boolean;
  status?: number | null;
  pageOrigin?: string;
} = {}) {
  const timers = fakeTimers();
  const toPage = new Set<(event: Arrived) => void>();
  const toFrame: ((event: Arrived) => void)[] = [];
  const targets: string[] = [];
  const urls: string[] = [];
  let removed = 0;
  const frameWindow = {
    postMessage(data: unknown, target: string) {
      targets.push(target);
      queueMicrotask(() => {
        for (const listen of toFrame) listen({ origin: pageOrigin, source: parent, data });
      });
    },
  };
  const parent = {
    postMessage(data: unknown, target: string) {
      targets.push(target);
      queueMicrotask(() => {
        for (const listen of [...toPage]) listen({ origin: API, source: frameWindow, data });
      });
    },
  };
  const deps: AskFrameDeps = {
    api: API,
    pageOrigin,
    mount(url, onLoad) {
      urls.push(url);
      if (answers) {
        servePage({
          parent,
          origin: pageOrigin,
          nonce: new URL(url).hash.slice(1),
          onMessage: (listen) => toFrame.push(listen),
          obtainPassport,
          solveChallenge: async () => SOLUTION,
        });
      }
      setImmediate(onLoad);
      return { window: frameWindow, remove: () => removed++ };
    },
    onMessage(listen) {
      toPage.add(listen);
      return () => toPage.delete(listen);
    },
    makeNonce: () => 'nonce',
    async fetch() {
      if (status === null) throw new TypeError('Failed to fetch');
      return new Response('', { status });
    },
    after: timers.after,
  };
  return { deps, timers, targets, urls, removed: () => removed, toPage, frameWindow };
}

describe('a page that asks a frame', () => {
  test('gets a passport, hears of the states, and puts everything away', async () => {
    const states: string[] = [];
    const world = fakeFrame({
      async obtainPassport({ route, onState }) {
        assert.equal(route, 'form');
        onState?.('waiting', 3);
        return PASSPORT;
      },
    });
    const answer = await askFrame(
      world.deps,
      { type: 'passport', route: 'form' },
      {
        onState: (state, secs) => states.push(`${state} ${secs}`),
      },
    );
    assert.deepEqual(answer.type === 'passport' && answer.passport, PASSPORT);
    assert.deepEqual(states, ['waiting 3']);
    assert.deepEqual(world.urls, [`${API}/pow/frame?origin=${encodeURIComponent(PAGE)}#nonce`]);
    // No message was open to any other origin.
    assert.deepEqual([...new Set(world.targets)].sort(), [API, PAGE]);
    assert.equal(world.removed(), 1);
    assert.equal(world.toPage.size, 0);
    assert.equal(world.timers.pending(), 0);
  });

  test('gets an answer for a challenge of its own', async () => {
    const answer = await askFrame(fakeFrame().deps, { type: 'solve', challenge: 'C' });
    assert.deepEqual(answer.type === 'solution' && answer.solution, SOLUTION);
  });

  test('of the same origin names none', async () => {
    const { deps, urls } = fakeFrame({ pageOrigin: API });
    await askFrame(deps, { type: 'passport' });
    assert.deepEqual(urls, [`${API}/pow/frame#nonce`]);
  });

  test('believes no other window, origin or nonce', async () => {
    const world = fakeFrame({ answers: false });
    const asking = askFrame(world.deps, { type: 'passport' });
    asking.catch(() => {});
    const forged = { type: 'passport', passport: { ...PASSPORT, passport: 'FORGED' }, gatehouse: 'nonce' };
    for (const listen of world.toPage) {
      listen({ origin: 'https://evil.example', source: world.frameWindow, data: forged });
      listen({ origin: API, source: {}, data: forged });
      listen({ origin: API, source: world.frameWindow, data: { ...forged, gatehouse: 'guess' } });
    }
    await world.timers.advance(25_000);
    await assert.rejects(asking, { code: 'frame-failed' });
  });

  test('passes the code of a failure on', () =>
    assert.rejects(
      askFrame(
        fakeFrame({
          async obtainPassport() {
            throw new SessionError('throttled', 'too many', 429);
          },
        }).deps,
        { type: 'passport' },
      ),
      { name: 'SessionError', code: 'throttled', status: 429, message: 'too many' },
    ));

  for (const [title, status, code, message] of [
    [
      'the server refuses the origin',
      403,
      'origin-not-allowed',
      /must add https:\/\/site\.example to ALLOWED_ORIGINS/,
    ],
    ['the browser refuses the frame', 200, 'frame-failed', /frame-src/],
    ['nothing can be reached', null, 'unreachable', /could not be reached/],
  ] as const) {
    test(`is told why where ${title}`, async () => {
      const { deps, timers, removed } = fakeFrame({ answers: false, status });
      const asking = askFrame(deps, { type: 'passport' });
      asking.catch(() => {});
      await timers.advance(3000);
      await assert.rejects(
        asking,
        (error: SessionError) => error.code === code && message.test(error.message),
      );
      assert.equal(removed(), 1);
    });
  }

  test('gives a frame up that has fallen silent, and none that still speaks', async () => {
    let say = () => {};
    const { deps, timers, removed } = fakeFrame({
      obtainPassport: ({ onState }) => {
        say = () => onState?.('solving');
        return new Promise(() => {});
      },
    });
    let end = '';
    const asking = askFrame(deps, { type: 'passport' }).catch((error: SessionError) => {
      end = error.code;
    });
    await timers.advance(119_000);
    say();
    await timers.advance(119_000);
    assert.equal(end, '');
    await timers.advance(1000);
    await asking;
    assert.equal(end, 'solver-failed');
    assert.equal(removed(), 1);
  });

  test('takes the frame away when it stops', async () => {
    const stop = new AbortController();
    const { deps, removed, timers } = fakeFrame({ obtainPassport: () => new Promise(() => {}) });
    const asking = askFrame(deps, { type: 'passport' }, { signal: stop.signal });
    await new Promise(setImmediate);
    stop.abort();
    await assert.rejects(asking, { code: 'aborted' });
    assert.equal(removed(), 1);
    assert.equal(timers.pending(), 0);
    await assert.rejects(askFrame(deps, { type: 'passport' }, { signal: stop.signal }), { code: 'aborted' });
  });
});

test('a frame does one thing, once, and only what it knows', async () => {
  let solves = 0;
  const listeners: ((event: Arrived) => void)[] = [];
  const told: string[] = [];
  const parent = { postMessage: (message: unknown) => told.push((message as { type: string }).type) };
  servePage({
    parent,
    origin: PAGE,
    nonce: 'n',
    onMessage: (listen) => listeners.push(listen),
    async obtainPassport() {
      solves++;
      return PASSPORT;
    },
    solveChallenge: async () => SOLUTION,
  });
  const ask = (type: string) =>
    listeners[0]?.({ origin: PAGE, source: parent, data: { type, gatehouse: 'n' } });
  ask('eval');
  ask('passport');
  ask('passport');
  await new Promise(setImmediate);
  assert.equal(solves, 1);
  assert.deepEqual(told, ['ready', 'passport']);
});
