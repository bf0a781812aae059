import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { createAdminCheck } from './access/admin-key.ts';
import type { Rate } from './access/core/ports.ts';
import { type Meter, MONTHLY_QUOTAS } from './access/core/quotas.ts';
import type { Access } from './access/service.ts';
import type { ForgivingThrottle } from './access/throttle.ts';
import { hostOf } from './base/page-url.ts';
import { nodeDigest, systemClock, systemRandom, systemTimer } from './base/system.ts';
import type { Config } from './config.ts';
import { createGateBoard, type GateBoard } from './console/core/gate-board.ts';
import { joinGates } from './console/core/join-gates.ts';
import { createLive } from './console/live.ts';
import type { ConsoleKeys, ConsoleSites } from './console/ports.ts';
import type { ConsoleDeps } from './console/routes.ts';
import { createSessions } from './console/service.ts';
import type { Crawls } from './crawl/service.ts';
import type { Devices } from './devices/service.ts';
import type { Gathering } from './gathering.ts';
import type { Intelligence } from './ip/service.ts';
import { crawlsFor, refuseSelectors } from './open-console-crawls.ts';
import type { Policy } from './pow/core/policy.ts';
import type { LoadMeter } from './pow/load-meter.ts';
import { showTop } from './search/core/query-counts.ts';
import { pilotEndsAtSecs } from './search/core/retention.ts';
import type { Search } from './search/service.ts';
import type { Environment } from './store/environment.ts';
import { createLmdbEndedSessions } from './store/lmdb-ended-sessions.ts';
import type { GateBody, ProcessView, SystemBody } from './wire/console.ts';
import type { LiveBody } from './wire/console-crawls.ts';
import type { DataSource } from './wire/ip.ts';
import { fault } from './wire/problem.ts';

// Our choice: who types the key needs a few tries; a program that shows it may look ten times a second.
const SIGN_IN_RATE = { calls: 10, secs: 300 };
const BEARER_RATE = { calls: 600, secs: 60 };
const DAY_MS = 86_400_000;
const TRIED = 20;

export type OpenConsoleDeps = {
  version: string;
  config: Config;
  adminKey: string;
  environment: Environment;
  access: Access;
  search: Search;
  crawls: Crawls;
  intelligence: Intelligence;
  sources(): readonly DataSource[];
  devices: Devices;
  policy(): Policy;
  load: Pick<LoadMeter, 'extraBits' | 'state'>;
  signingKid(): number;
  board: GateBoard;
  throttle(name: string, rate: Rate): ForgivingThrottle;
  /** Asks all processes of this server for their part. */
  gather: Gathering;
};

/** What each process tells of itself. */
type ConsolePart = { gate: GateBody; process: ProcessView };

/** A board that counts from now on. */
export const openGateBoard = (): GateBoard => createGateBoard(systemClock.nowMs());

/** Wires the operator console to the other features. */
export function openConsole(deps: OpenConsoleDeps): {
  deps: ConsoleDeps;
  purge(): Promise<number>;
  /** Ends the streams that are open. */
  close(): void;
} {
  const { config, adminKey, environment, access, search, intelligence, devices, policy, load, board } = deps;
  const sessions = createSessions({
    adminKey,
    ended: createLmdbEndedSessions(environment),
    clock: systemClock,
    random: systemRandom,
    digest: nodeDigest,
  });
  const routes = () => policy().routes.map(({ id, terms }) => ({ id, bits: terms.difficultyBits }));
  const readParts = deps.gather((): ConsolePart => {
    const { rss, heapUsed } = process.memoryUsage();
    return {
      gate: board.read(systemClock.nowMs(), routes(), {
        extraBits: load.extraBits(),
        pressure: load.state().pressure,
      }),
      process: {
        pid: process.pid,
        upSecs: Math.floor(process.uptime()),
        rssBytes: rss,
        heapUsedBytes: heapUsed,
      },
    };
  });
  const gateOf = (parts: readonly ConsolePart[]) =>
    joinGates(parts.map(({ gate }) => gate) as [GateBody, ...GateBody[]]);
  const about = { version: deps.version, process: { pid: process.pid, of: config.WORKERS } };

  async function readSystem(parts: readonly ConsolePart[]): Promise<SystemBody> {
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
    const { bavail, bsize } = await statfs(config.DATA_DIR);
    return {
      version: deps.version,
      node: process.version,
      processes: parts.map((part) => part.process).sort((a, b) => a.pid - b.pid),
      process: { ...about.process, upSecs: Math.floor(process.uptime()) },
      memory: { rssBytes: rss, heapUsedBytes: heapUsed, heapTotalBytes: heapTotal, externalBytes: external },
      store: {
        bytes: statSync(join(config.DATA_DIR, 'gatehouse.lmdb')).size,
        freeBytes: bavail * bsize,
        isShared: config.REDIS_URL !== null,
      },
      data: deps.sources().map(({ name, buildDate, licence }) => ({
        name,
        buildDate,
        ageDays: buildDate
          ? Math.max(0, Math.floor((systemClock.nowMs() - Date.parse(buildDate)) / DAY_MS))
          : null,
        licence,
      })),
      signingKid: deps.signingKid(),
      devices: devices.summary(),
    };
  }
  const system = { read: async () => readSystem(await readParts()) };
  let isClosed = false;
  const crawls = crawlsFor({
    crawls: deps.crawls,
    admitSite: search.find,
    timer: systemTimer,
    isStopping: () => isClosed,
  });
  const live = createLive({
    timer: systemTimer,
    async read(): Promise<LiveBody> {
      const parts = await readParts();
      return { gate: gateOf(parts), system: await readSystem(parts), crawls: crawls.active().crawls };
    },
  });

  return {
    deps: {
      sessions,
      isAdminKey: createAdminCheck(adminKey, nodeDigest),
      throttleSignIn: deps.throttle('sign-in', SIGN_IN_RATE),
      throttleBearer: deps.throttle('console', BEARER_RATE),
      keys: keysFor(access),
      routeIds: () => routes().map(({ id }) => id),
      ip: {
        lookUp(address) {
          const subject = { address, headers: null, email: null };
          return { whois: intelligence.whois(address, true), ...intelligence.score(subject) };
        },
      },
      sites: sitesFor(search),
      crawls,
      system,
      readGate: async () => gateOf(await readParts()),
      live,
      about,
    },
    purge: sessions.purge,
    close() {
      isClosed = true;
      live.close();
    },
  };
}

/** API keys as the console asks for them. */
export function keysFor(access: Access): ConsoleKeys {
  return {
    async list() {
      const records = await access.list();
      return Promise.all(
        records
          .sort((a, b) => b.issuedAtSecs - a.issuedAtSecs)
          .map(async ({ keyId, tier, tenant, routes, issuedAtSecs, revokedAtSecs }) => ({
            keyId,
            tier,
            tenant,
            routes,
            issued: isoTime(issuedAtSecs),
            revoked: revokedAtSecs === null ? null : isoTime(revokedAtSecs),
            usage: await Promise.all(
              (Object.entries(MONTHLY_QUOTAS[tier]) as [Meter, number | null][]).map(
                async ([meter, quota]) => ({ meter, used: await access.usedThisMonth(keyId, meter), quota }),
              ),
            ),
          })),
      );
    },
    async issue(asked) {
      try {
        return await access.issue(asked);
      } catch (cause) {
        if (!(cause instanceof RangeError)) throw cause;
        throw fault('malformed-request', `body.routes: ${cause.message}`, { cause });
      }
    },
    revoke: access.revoke,
  };
}

/** Sites as the console asks for them. */
export function sitesFor(search: Search): ConsoleSites {
  return {
    async list(after, limit) {
      const { sites, next } = search.sitesOf(null, after, limit);
      return {
        sites: await Promise.all(
          sites.map(async (site) => {
            const ends = pilotEndsAtSecs(site);
            const [first] = await search.listPages(site, null, 1);
            return {
              siteId: site.siteId,
              tenant: site.tenant,
              host: site.host ?? (first ? hostOf(first.url) : null),
              created: isoTime(site.createdAtSecs),
              used: isoTime(site.usedAtSecs),
              ends: ends === null ? null : isoTime(ends),
              ...(await search.size(site)),
            };
          }),
        ),
        next,
      };
    },
    make: search.make,
    remove: async (siteId) => search.drop(search.find(siteId).siteId),
    profile: (siteId) => search.find(siteId).profile,
    async putProfile(siteId, profile) {
      refuseSelectors(profile.configs);
      await search.putProfile(search.find(siteId), profile);
    },
    async search(siteId, query) {
      const asked = { query, offset: 0, limit: TRIED, labels: [], sort: 'relevance' as const };
      const { total, suggestion, hits } = await search.tryQuery(search.find(siteId), asked);
      return {
        total,
        suggestion,
        results: hits.map(({ page, title, snippet, score }) => ({ url: page.url, title, snippet, score })),
      };
    },
    async queries(siteId) {
      const site = search.find(siteId);
      const { since, counts } = await search.counts(site);
      return {
        since,
        queries: counts.queries,
        withoutResult: counts.withoutResult,
        top: showTop(counts.top),
        topWithoutResult: showTop(counts.topWithoutResult),
        days: await search.countsByDay(site),
      };
    },
  };
}

const isoTime = (secs: number) => new Date(secs * 1000).toISOString();
