import type { Readable } from 'node:stream';
import type { Address } from '../base/address.ts';
import type { KeyTier } from '../wire/access.ts';
import type {
  IssuedKey,
  KeyView,
  LookupBody,
  QueriesBody,
  SitesBody,
  SystemBody,
  TrialBody,
} from '../wire/console.ts';
import type { ActiveCrawlsBody, CrawlsBody, CrawlView } from '../wire/console-crawls.ts';
import type { StartCrawlInput } from '../wire/crawl.ts';
import type { ProfileChange, ProfileView } from '../wire/sites.ts';

// What the console asks of the other features. Where they are wired, they are made to fit.

export type ConsoleKeys = {
  list(): Promise<KeyView[]>;
  /** @throws Fault `malformed-request` where the tier does not allow so many routes */
  issue(asked: { tier: KeyTier; tenant: string; routes: readonly string[] }): Promise<IssuedKey>;
  /** False where no key has this id. */
  revoke(keyId: string): Promise<boolean>;
};

/** @throws (what takes a siteId) Fault `unknown-site` */
export type ConsoleSites = {
  list(after: string, limit: number): Promise<SitesBody>;
  make(tenant: string | null): Promise<{ siteId: string; siteSecret: string }>;
  remove(siteId: string): Promise<void>;
  profile(siteId: string): ProfileView;
  putProfile(siteId: string, profile: ProfileChange): Promise<void>;
  /** Searches as a visitor would, without being counted as one. */
  search(siteId: string, query: string): Promise<TrialBody>;
  queries(siteId: string): Promise<QueriesBody>;
};

/** @throws (what takes a siteId) Fault `unknown-site`, (what takes a crawlId as well) `unknown-crawl` */
export type ConsoleCrawls = {
  active(): ActiveCrawlsBody;
  list(siteId: string): CrawlsBody;
  /** By the settings given, else those of the site. @throws Fault `malformed-request`, `crawl-running`, `pilot-limit` */
  start(siteId: string, asked: StartCrawlInput): Promise<{ crawlId: string }>;
  read(siteId: string, crawlId: string, after: number, limit: number): CrawlView;
  /** Server-sent events, until the crawl ends or `isOver`. */
  watch(siteId: string, crawlId: string, after: number, isOver: () => boolean): Readable;
  cancel(siteId: string, crawlId: string): Promise<void>;
};

export type ConsoleIp = { lookUp(address: Address): LookupBody };

/** What is asked of the machine at each call, beside what the console knows itself. */
export type ConsoleSystem = { read(): Promise<SystemBody> };
