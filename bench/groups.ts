import { addedMs, measureChat } from './chat.ts';
import { measureInChromium, measurePool } from './chromium/groups.ts';
import { measureCrawl } from './crawl.ts';
import { gateCoreOperations } from './gate-core.ts';
import { measureGateHttp } from './gate-http.ts';
import { ipCoreOperations } from './ip-core.ts';
import { measureIpHttp } from './ip-http.ts';
import { measureIpStart } from './ip-start.ts';
import { measureNative } from './native/measure.ts';
import { sampleOperation } from './operation.ts';
import { type Row, runRounds } from './rounds.ts';
import { measureSearchHttp } from './search-http.ts';
import { inFreshNode } from './solver/in-node.ts';
import { solverContenders } from './solver/sampling.ts';
import { verifyContenders } from './verify.ts';

/** What a group gives: rates, and lines of what is no rate. */
export type Measurement = { rows: Row[]; notes: string[] };

/**
 * `share` scales how long it takes: 1 for figures to keep. `isOwnOnly` leaves the peers out. `collection` is a file of pages
 * to use in place of those that are made.
 */
export type Effort = { share: number; isOwnOnly: boolean; collection: string | null };

export type Group = { title: string; measure(effort: Effort): Promise<Measurement> };

const rounds = (share: number, full: number) => Math.max(1, Math.round(full * share));
const withoutNotes = (rows: Row[]): Measurement => ({ rows, notes: [] });

/** Every group by its name on the command line. The whole takes about eight minutes. */
export const GROUPS: Readonly<Record<string, Group>> = {
  solver: {
    title: 'solver: tries per second of processor time in Node, one thread, a fresh process each, 7 rounds',
    measure: async ({ share, isOwnOnly }) => {
      const contenders = solverContenders('node', inFreshNode, 400, isOwnOnly);
      return withoutNotes(await runRounds(contenders, rounds(share, 7), { isWarm: true }));
    },
  },
  chromium: {
    title:
      'chromium: tries per second of processor time in headless Chromium, one thread, a fresh page each, 7 rounds',
    measure: ({ share, isOwnOnly }) =>
      measureInChromium({ rounds: rounds(share, 7), sampleMs: 400 }, isOwnOnly),
  },
  pool: {
    title: 'pool: tries by workers through Comlink at the default step, 7 rounds of 3 s',
    measure: ({ share }) => measurePool({ rounds: rounds(share, 7), sampleMs: 3000 }),
  },
  native: {
    title: 'native: what an attacker compiles, one thread, beside ours in Node, processor time, 7 rounds',
    measure: ({ share }) => measureNative({ rounds: rounds(share, 7), sampleMs: 400 }),
  },
  verify: {
    title: 'verify: one solution, from text to yes or no, per second of processor time, 9 rounds of 200 ms',
    measure: async ({ share }) =>
      withoutNotes(await runRounds(await verifyContenders(200), rounds(share, 9))),
  },
  'gate-core': {
    title: 'gate-core: operations of the gate per second of processor time, one thread, 9 rounds of 120 ms',
    measure: async ({ share }) => {
      const operations = gateCoreOperations().map((operation) => ({
        ...operation,
        sample: () => sampleOperation(operation, 120),
      }));
      return withoutNotes(await runRounds(operations, rounds(share, 9)));
    },
  },
  'gate-http': {
    title: 'gate-http: requests over loopback, 32 in flight, 2 × 4 rounds of 0.8 s',
    measure: async ({ share }) =>
      withoutNotes(
        await measureGateHttp({ generations: share < 1 ? 1 : 2, rounds: rounds(share, 4), sampleMs: 800 }),
      ),
  },
  'ip-core': {
    title: 'ip-core: look-ups of addresses per second of processor time, one thread, 9 rounds of 300 ms',
    measure: async ({ share }) => {
      const operations = (await ipCoreOperations()).map((operation) => ({
        ...operation,
        sample: () => sampleOperation(operation, 300),
      }));
      return withoutNotes(await runRounds(operations, rounds(share, 9)));
    },
  },
  'ip-http': {
    title: 'ip-http: requests over loopback, 32 in flight, 6 rounds of 1 s',
    measure: async ({ share }) =>
      withoutNotes(await measureIpHttp({ rounds: rounds(share, 6), sampleMs: 1000 })),
  },
  'search-http': {
    title: 'search-http: queries to a site of 4,000 generated pages, 32 in flight, 6 rounds of 1 s',
    measure: ({ share }) => measureSearchHttp({ rounds: rounds(share, 6), sampleMs: 1000 }),
  },
  'ip-start': {
    title: 'ip-start: from the start of a process to its first answer, and its memory, 5 rounds',
    measure: ({ share }) => measureIpStart({ rounds: rounds(share, 5), lookUps: Math.round(50_000 * share) }),
  },
  chat: {
    title: 'chat: streams over loopback, one at a time, 7 rounds of 1 s',
    measure: async ({ share }) => {
      const rows = await measureChat({ rounds: rounds(share, 7), sampleMs: 1_000 });
      return { rows, notes: addedMs(rows) };
    },
  },
  crawl: {
    title:
      'crawl: pages of a static site on loopback, behind nginx, without politeness, 5 rounds of all pages',
    measure: ({ share, collection }) => measureCrawl({ rounds: rounds(share, 5), file: collection }),
  },
};
