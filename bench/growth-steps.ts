/**
 * One step of `search-growth.ts`, in a process of its own, so that what it holds in memory is its own: fills or asks the
 * index in a folder, and writes what it measured as JSON. `node bench/growth-steps.ts STEP FOLDER NUMBER`.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemRandom } from '../server/base/system.ts';
import { createTextTools } from '../server/search/text/text-tools.ts';
import { openEnvironment } from '../server/store/environment.ts';
import { createLmdbSites } from '../server/store/lmdb-sites.ts';
import { createLmdbIndex } from '../server/store/search/lmdb-backend.ts';
import { Profile } from '../server/wire/sites.ts';
import { generatePage, generateQueries, KINDS } from './generated-pages.ts';
import { pageOf } from './search-pages.ts';

const QUERIES = 300;
const BATCH = 1_000;
export const PAGES_OF_A_SITE = 100;
const SITES_AT_ONCE = 10;
const LARGE_SITE = 'growth';

export type Filled = { done: number; perSecond: number | null };
export type Memory = { anonymousBytes: number; fileBytes: number };
export type Times = { p50: number; p99: number; found: number };
export type Asked = {
  pages: number;
  kinds: Record<string, Times>;
  before: Memory;
  after: Memory;
  storeBytes: number;
};
export type AskedSites = {
  sites: number;
  openMs: number;
  first: Times;
  second: Times;
  before: Memory;
  after: Memory;
  storeBytes: number;
};

const [step, folder, number] = [process.argv[2], process.argv[3], Number(process.argv[4])];
const openedAt = performance.now();
const environment = await openEnvironment(folder);
const index = createLmdbIndex(environment, { tools: createTextTools(), random: systemRandom });
const openMs = performance.now() - openedAt;
const request = { offset: 0, limit: 10, labels: [], sort: 'relevance', synonyms: [] } as const;
const steps: Record<string, () => Promise<Filled | Asked | AskedSites>> = {
  fill: fillPages,
  ask: askPages,
  'fill-sites': fillSites,
  'ask-sites': askSites,
};
process.stdout.write(JSON.stringify(await steps[step]()));
await index.close();
await environment.close();

// Goes on from the pages that are there: page n is the same whenever it is made.
async function fillPages(): Promise<Filled> {
  let done = (await index.size(LARGE_SITE)).pages;
  const from = done;
  let spentMs = 0;
  while (done < number) {
    const pages = Array.from({ length: Math.min(BATCH, number - done) }, (_, i) => pageAt(done + i));
    const startMs = performance.now();
    await index.put(LARGE_SITE, pages, Number.MAX_SAFE_INTEGER);
    spentMs += performance.now() - startMs;
    done += pages.length;
  }
  return { done, perSecond: spentMs > 0 ? (done - from) / (spentMs / 1_000) : null };
}

async function askPages(): Promise<Asked> {
  const { pages } = await index.size(LARGE_SITE);
  // The first query opens the site.
  await index.search(LARGE_SITE, { ...request, query: 'open' });
  const before = readMemory();
  const kinds: Record<string, Times> = {};
  for (const kind of KINDS) {
    kinds[kind] = await timeEach(generateQueries(kind, QUERIES, pages).map((query) => [LARGE_SITE, query]));
  }
  return { pages, kinds, before, after: readMemory(), storeBytes: storeBytes() };
}

// A site is in the table of sites once its pages are in, so that one that was cut off is filled again.
async function fillSites(): Promise<Filled> {
  const sites = createLmdbSites(environment);
  const missing: string[] = [];
  for (let n = 0; n < number; n++) if (sites.get(siteIdOf(n)) === null) missing.push(siteIdOf(n));
  const pages = Array.from({ length: PAGES_OF_A_SITE }, (_, i) => pageAt(i));
  const startMs = performance.now();
  for (let at = 0; at < missing.length; at += SITES_AT_ONCE) {
    await Promise.all(
      missing.slice(at, at + SITES_AT_ONCE).map(async (siteId) => {
        await index.put(siteId, pages, Number.MAX_SAFE_INTEGER);
        await sites.add(recordOf(siteId));
      }),
    );
  }
  const seconds = (performance.now() - startMs) / 1_000;
  return {
    done: number,
    perSecond: missing.length > 0 ? (missing.length * PAGES_OF_A_SITE) / seconds : null,
  };
}

async function askSites(): Promise<AskedSites> {
  const before = readMemory();
  const [first, second] = [1, 2].map((turn) =>
    generateQueries('word', number * turn, PAGES_OF_A_SITE).slice(-number),
  );
  const times: { first: Timed[]; second: Timed[] } = { first: [], second: [] };
  for (let n = 0; n < number; n++) {
    times.first.push(await timeOne(siteIdOf(n), first[n]));
    times.second.push(await timeOne(siteIdOf(n), second[n]));
  }
  return {
    sites: number,
    openMs,
    first: summariseTimes(times.first),
    second: summariseTimes(times.second),
    before,
    after: readMemory(),
    storeBytes: storeBytes(),
  };
}

type Timed = { ms: number; found: number };

async function timeOne(siteId: string, query: string): Promise<Timed> {
  const startMs = performance.now();
  const { hits } = await index.search(siteId, { ...request, query });
  return { ms: performance.now() - startMs, found: hits.length > 0 ? 1 : 0 };
}

async function timeEach(asked: readonly (readonly [string, string])[]): Promise<Times> {
  const times: Timed[] = [];
  for (const [siteId, query] of asked) times.push(await timeOne(siteId, query));
  return summariseTimes(times);
}

function summariseTimes(times: readonly Timed[]): Times {
  const sorted = times.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { p50: at(0.5), p99: at(0.99), found: times.reduce((sum, { found }) => sum + found, 0) };
}

function pageAt(n: number) {
  const { title, body } = generatePage(n);
  return pageOf(String(n), title, body);
}

// Version 4 in form (RFC 9562 §5.4), the number in its last digits.
function siteIdOf(n: number): string {
  return `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
}

function recordOf(siteId: string) {
  const nowSecs = Math.floor(Date.now() / 1_000);
  return {
    siteId,
    secretHash: '0'.repeat(64),
    tenant: 'bench',
    host: null,
    createdAtSecs: nowSecs,
    usedAtSecs: nowSecs,
    profile: Profile.parse({}),
    goneAtSecs: null,
  };
}

/** What the process holds, and what of the store's file is mapped and in memory: the latter is the system's to take back. */
function readMemory(): Memory {
  const status = readFileSync('/proc/self/status', 'utf8');
  const kibibytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
  return { anonymousBytes: kibibytes('RssAnon') * 1_024, fileBytes: kibibytes('RssFile') * 1_024 };
}

function storeBytes(): number {
  return statSync(join(folder, 'gatehouse.lmdb')).size;
}
