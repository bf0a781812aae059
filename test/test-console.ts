import type { OutgoingHttpHeaders } from 'node:http';
import type { Response } from 'light-my-request';
import { createAdminCheck } from '../server/access/admin-key.ts';
import type { Rate } from '../server/access/core/ports.ts';
import { createThrottle } from '../server/access/throttle.ts';
import type { Clock } from '../server/base/ports.ts';
import { nodeDigest } from '../server/base/system.ts';
import { createGateBoard } from '../server/console/core/gate-board.ts';
import type { EndedSessions } from '../server/console/core/session.ts';
import { createLive } from '../server/console/live.ts';
import { createSessions } from '../server/console/service.ts';
import { createCrawls } from '../server/crawl/service.ts';
import { keysFor, sitesFor } from '../server/open-console.ts';
import { crawlsFor } from '../server/open-console-crawls.ts';
import { createPageSink } from '../server/open-crawler.ts';
import { openMemoryCallCounts } from '../server/store/memory-call-counts.ts';
import { TEST_ADMIN_KEY } from './test-app.ts';
import { createTestRandom, START_SECS } from './test-gate.ts';
import { createTestIntelligence } from './test-intelligence.ts';
import { createTestSearch, type TestSearchOptions } from './test-search.ts';
import { createTestTimer } from './test-timer.ts';

/** Ended sessions in a Map: the smallest store that keeps the port's word. */
export function createMemoryEndedSessions(): EndedSessions {
  const until = new Map<string, number>();
  return {
    end: async (id, untilSecs) => void until.set(id, untilSecs),
    has: (id) => until.has(id),
    async purge(nowSecs) {
      const over = [...until].filter(([, secs]) => secs <= nowSecs);
      for (const [id] of over) until.delete(id);
      return over.length;
    },
  };
}

export type TestConsoleOptions = TestSearchOptions & {
  signIns?: Rate;
  bearers?: Rate;
  adminKey?: string;
  ended?: EndedSessions;
};

const BOUNDLESS: Rate = { calls: 1e9, secs: 60 };
const SYSTEM = { version: '0.0.0-test', memory: { rssBytes: 1 } };

/** The real app with a console over parts of the tests, and requests as its page makes them. */
export function createTestConsole(options: TestConsoleOptions = {}) {
  const adminKey = options.adminKey ?? TEST_ADMIN_KEY;
  const board = createGateBoard(START_SECS * 1000);
  const timer = createTestTimer();
  const live = createLive({ timer, read: async () => ({ gate: await readGate(), system: SYSTEM }) });
  let clock: Clock;
  const readGate = async () =>
    board.read(clock.nowMs(), [{ id: 'page', bits: 4 }], { extraBits: 0, pressure: 0 });
  const throttle = (name: string, rate: Rate = BOUNDLESS) => createThrottle(name, rate, openMemoryCallCounts);
  const intelligence = createTestIntelligence();
  // The search and the keys are those of the app, which is made after its console.
  const late = <Port extends object>(port: () => Port): Port =>
    new Proxy({} as Port, { get: (_, name) => Reflect.get(port(), name) });

  const crawling = options.crawlStore;
  let made: ReturnType<typeof crawlsFor> | null = null;
  const crawls = () => {
    made ??= crawlsFor({
      crawls: createCrawls({
        store: (crawling as NonNullable<typeof crawling>).store,
        sink: createPageSink(world.search),
        rate: 2,
        clock,
        random: createTestRandom(),
      }),
      admitSite: world.search.find,
      timer: (crawling as NonNullable<typeof crawling>).timer,
      isStopping: () => world.appState.isStopping,
    });
    return made;
  };

  const world = createTestSearch({
    ...options,
    tell(event) {
      board.tell(event, clock.nowMs());
      options.tell?.(event);
    },
    console(ownClock) {
      clock = ownClock;
      return {
        sessions: createSessions({
          adminKey,
          ended: options.ended ?? createMemoryEndedSessions(),
          clock,
          random: createTestRandom(),
          digest: nodeDigest,
        }),
        isAdminKey: createAdminCheck(adminKey, nodeDigest),
        throttleSignIn: throttle('sign-in', options.signIns),
        throttleBearer: throttle('console', options.bearers),
        keys: late(() => keysFor(world.access)),
        routeIds: () => ['page', 'call'],
        ip: {
          lookUp(address) {
            const subject = { address, headers: null, email: null };
            return { whois: intelligence.whois(address, true), ...intelligence.score(subject) };
          },
        },
        sites: late(() => sitesFor(world.search)),
        crawls: crawling ? late(crawls) : null,
        system: { read: async () => SYSTEM as never },
        readGate,
        live,
        about: { version: '0.0.0-test', process: { pid: 1, of: 1 } },
      };
    },
  });

  const signIn = (headers: OutgoingHttpHeaders = {}, key = adminKey): Promise<Response> =>
    world.post('/console/session', { key }, { 'sec-fetch-site': 'same-origin', ...headers } as never);

  /** What a browser sends with a request of the console's own page. */
  async function openPage() {
    const headers = { cookie: cookieOf(await signIn()), 'sec-fetch-site': 'same-origin' };
    const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown) =>
      world.request({
        method,
        url,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      });
    return { headers, call };
  }

  return { ...world, board, live, timer, signIn, openPage };
}

/** `name=value` of the cookie that an answer sets. */
export const cookieOf = (answer: Response): string =>
  String([answer.headers['set-cookie']].flat()[0] ?? '').split(';')[0];
