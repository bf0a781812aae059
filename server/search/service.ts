import { encodeBase64url } from '../base/base64url.ts';
import { hostOf } from '../base/page-url.ts';
import { type Clock, type Digest, type Log, nowSecs, type Random } from '../base/ports.ts';
import { utf8Length } from '../base/utf8.ts';
import { fault } from '../wire/problem.ts';
import { Profile } from '../wire/sites.ts';
import { findOtherHost, type PageToWrite } from './core/page.ts';
import type { IndexBackend, IndexPage, SearchAnswer, SearchRequest } from './core/ports.ts';
import type { QueryLog } from './core/query-log.ts';
import { isUseNews, PILOT } from './core/retention.ts';
import {
  readSiteId,
  SITE_ID_BYTES,
  SITE_SECRET_BYTES,
  type SiteProfile,
  type SiteRecord,
  type SiteStore,
  writeSiteId,
} from './core/site.ts';

export type SearchDeps = {
  sites: SiteStore;
  index: IndexBackend;
  queryLog: QueryLog;
  /** How many pages a site of a tenant may hold. */
  mostPages: number;
  clock: Clock;
  random: Random;
  digest: Digest;
  log: Log;
};
export type Search = ReturnType<typeof createSearch>;

/** Sites, their pages, and what is found in them. */
export function createSearch({ sites, index, queryLog, mostPages, clock, random, digest, log }: SearchDeps) {
  const hashOf = (text: string) => hex(digest.sha256(new TextEncoder().encode(text)));
  // Sites whose use is being written down: a hundred queries at once are one write.
  const touching = new Set<string>();
  // Text of pilots that is on its way into the index, in bytes: what comes at the same time counts as well.
  const comingBytes = new Map<string, number>();

  /** Makes a site; its secret is in the answer and nowhere else. An id that is given is nobody's. */
  async function make(
    tenant: string | null,
    siteId = writeSiteId(random.bytes(SITE_ID_BYTES)),
  ): Promise<{ siteId: string; siteSecret: string }> {
    const siteSecret = encodeBase64url(random.bytes(SITE_SECRET_BYTES));
    const now = nowSecs(clock);
    await sites.add({
      siteId,
      secretHash: hashOf(siteSecret),
      tenant,
      host: null,
      createdAtSecs: now,
      usedAtSecs: now,
      profile: Profile.parse({}),
      goneAtSecs: null,
    });
    return { siteId, siteSecret };
  }

  /** The site of an id as it came. @throws Fault `unknown-site` */
  function find(text: string): SiteRecord {
    const siteId = readSiteId(text);
    const site = siteId === null ? null : sites.get(siteId);
    if (site === null || site.goneAtSecs !== null) throw unknownSite();
    return site;
  }

  /** Whether the secret is that of the site; in a time that does not tell how much of it is right. */
  const isSecretOf = (site: SiteRecord, secret: string): boolean =>
    digest.equal(bytesOf(hashOf(secret)), bytesOf(site.secretHash));

  /** The id of a page: lowercase hexadecimal SHA-256 of `siteId + url` in UTF-8. */
  const pageIdOf = (site: SiteRecord, url: string): string => hashOf(site.siteId + url);

  /**
   * Writes pages, all or none; of two with one URL the later wins. Gives for each page, in the order given, what is
   * stored under its URL and whether it was not there before.
   * @throws Fault `pilot-limit`, `site-limit`, `unknown-site` where the site was deleted meanwhile
   */
  async function write(
    site: SiteRecord,
    pages: readonly PageToWrite[],
    source: IndexPage['source'],
  ): Promise<{ page: IndexPage; isNew: boolean }[]> {
    const updatedAtSecs = nowSecs(clock);
    const asked = pages.map((page) => ({ ...page, id: pageIdOf(site, page.url), updatedAtSecs, source }));
    if (asked.length === 0) return [];
    const kept = new Map(asked.map((page) => [page.id, page]));
    const put = (most: number) => index.put(site.siteId, [...kept.values()], most);
    const outcomes =
      site.tenant === null
        ? await withinPilot(site, [...kept.values()], () => put(PILOT.pages))
        : await put(mostPages);
    if (outcomes === null) throw tooManyPages(site, mostPages);
    // Deleted while the pages were on their way: nobody would ever remove them.
    if (sites.get(site.siteId)?.goneAtSecs !== null) {
      await index.drop(site.siteId);
      throw unknownSite();
    }
    touch(site);
    const isNew = new Map(outcomes.map((outcome) => [outcome.id, outcome.isNew]));
    return asked.map(({ id }) => ({ page: kept.get(id) as IndexPage, isNew: isNew.get(id) === true }));
  }

  /** A pilot is for one host, that of its first page, and for so much text. @throws Fault `pilot-limit` */
  async function withinPilot<Result>(
    site: SiteRecord,
    pages: readonly IndexPage[],
    put: () => Promise<Result>,
  ): Promise<Result> {
    const hosts = pages.map(({ url }) => hostOf(url));
    const other = findOtherHost(hosts, site.host);
    if (other !== null) throw otherHost(site.host ?? hosts[0], other);
    const bytes = pages.reduce((sum, { body }) => sum + utf8Length(body), 0);
    // Taken before the index is asked: a call that ends meanwhile is then counted twice rather than not at all.
    const coming = (comingBytes.get(site.siteId) ?? 0) + bytes;
    comingBytes.set(site.siteId, coming);
    try {
      if ((await index.size(site.siteId)).bytes + coming > PILOT.bytes) {
        throw fault('pilot-limit', `a pilot site holds at most ${PILOT.bytes} bytes`);
      }
      if (site.host === null) await bindTo(site, hosts[0]);
      return await put();
    } finally {
      const left = (comingBytes.get(site.siteId) ?? 0) - bytes;
      if (left > 0) comingBytes.set(site.siteId, left);
      else comingBytes.delete(site.siteId);
    }
  }

  /** Two first pages may come at once: one of them decides the host. @throws Fault `pilot-limit` */
  async function bindTo({ siteId }: SiteRecord, host: string): Promise<void> {
    const bound = await sites.update(siteId, (kept) => ({ ...kept, host: kept.host ?? host }));
    if (bound && bound.host !== host) throw otherHost(bound.host, host);
  }

  /** The page of an id. @throws Fault `unknown-page` */
  async function read(site: SiteRecord, pageId: string): Promise<IndexPage> {
    const page = await index.get(site.siteId, pageId.toLowerCase());
    if (page === null) throw unknownPage();
    return page;
  }

  /** Removes a page. @throws Fault `unknown-page` */
  async function removePage(site: SiteRecord, pageId: string): Promise<void> {
    const removed = await index.remove(site.siteId, [pageId.toLowerCase()]);
    if (removed === 0) throw unknownPage();
    touch(site);
  }

  /** Removes a site with all that belongs to it. It is gone for everyone at once; a sweep ends what a crash cut off. */
  async function drop(siteId: string): Promise<void> {
    const now = nowSecs(clock);
    await sites.update(siteId, (kept) => ({ ...kept, goneAtSecs: kept.goneAtSecs ?? now }));
    await index.drop(siteId);
    await queryLog.drop(siteId);
    await sites.remove(siteId);
  }

  /** Replaces the settings. @throws Fault `unknown-site` where the site was deleted meanwhile */
  async function putProfile(site: SiteRecord, profile: SiteProfile): Promise<void> {
    const now = nowSecs(clock);
    const changed = await sites.update(site.siteId, (kept) => ({ ...kept, profile, usedAtSecs: now }));
    if (changed === null || changed.goneAtSecs !== null) throw unknownSite();
  }

  /** What a visitor would find, without being one: nothing is counted. A query without words finds nothing. */
  async function tryQuery(site: SiteRecord, request: Omit<SearchRequest, 'synonyms'>): Promise<SearchAnswer> {
    if (request.query.trim() === '') return { total: 0, hits: [], labels: [], suggestion: null };
    return index.search(site.siteId, { ...request, synonyms: site.profile.synonyms });
  }

  /** What a visitor finds. A query without words is not counted. */
  async function query(site: SiteRecord, request: Omit<SearchRequest, 'synonyms'>): Promise<SearchAnswer> {
    touch(site);
    const answer = await tryQuery(site, request);
    // The further pages of an answer are no new query, and what only excludes asks for nothing.
    if (request.offset === 0 && /(^|\s)[^\s-]/.test(request.query))
      queryLog.count(site.siteId, request.query, answer.total > 0);
    return answer;
  }

  async function complete(site: SiteRecord, text: string, limit: number): Promise<string[]> {
    touch(site);
    return text.trim() === '' ? [] : index.autocomplete(site.siteId, text, limit);
  }

  /** Notes that the site was used, to the hour. Nobody waits for it, and no query fails by it. */
  function touch(site: SiteRecord): void {
    const now = nowSecs(clock);
    if (!isUseNews(site, now) || touching.has(site.siteId)) return;
    touching.add(site.siteId);
    sites
      .update(site.siteId, (kept) => ({ ...kept, usedAtSecs: Math.max(kept.usedAtSecs, now) }))
      .catch((err) => log.error({ err, site: site.siteId }, 'the use of a site could not be noted'))
      .finally(() => touching.delete(site.siteId));
  }

  return {
    make,
    find,
    isSecretOf,
    pageIdOf,
    write,
    read,
    readIfThere: (site: SiteRecord, pageId: string) => index.get(site.siteId, pageId),
    removePage,
    removePageIfThere: (site: SiteRecord, pageId: string) => index.remove(site.siteId, [pageId]),
    listPages: (site: SiteRecord, after: string | null, limit: number) =>
      index.list(site.siteId, after, limit),
    drop,
    putProfile,
    query,
    tryQuery,
    complete,
    size: (site: SiteRecord) => index.size(site.siteId),
    counts: (site: SiteRecord) => queryLog.read(site.siteId),
    countsByDay: (site: SiteRecord) => queryLog.days(site.siteId),
    /** Sites in the order of their ids; of all tenants and the pilots where `tenant` is null. */
    sitesOf(
      tenant: string | null,
      after: string,
      limit: number,
    ): { sites: SiteRecord[]; next: string | null } {
      const found = sites.list(tenant, after, limit);
      return {
        sites: found.filter(({ goneAtSecs }) => goneAtSecs === null),
        next: found.length < limit ? null : found[found.length - 1].siteId,
      };
    },
  };
}

const unknownSite = () =>
  fault('unknown-site', 'expected the id of a site that was made here and not deleted');
const unknownPage = () => fault('unknown-page', 'expected the id or the url of a page of this site');
const otherHost = (host: string | null, other: string) =>
  fault('pilot-limit', `a pilot site is for one host: expected ${host}, got ${other}`);
const tooManyPages = ({ tenant }: SiteRecord, mostPages: number) =>
  tenant === null
    ? fault('pilot-limit', `a pilot site holds at most ${PILOT.pages} pages`)
    : fault('site-limit', `a site holds at most ${mostPages} pages`);

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const bytesOf = (text: string) => new TextEncoder().encode(text);
