import { readLink } from '../base/page-url.ts';
import type { Digest } from '../base/ports.ts';
import { admitAddresses, type RobotsOf, refuseAddress } from './admit-address.ts';
import type {
  CrawlConfig,
  CrawledPage,
  CrawledSite,
  CrawlRecord,
  CrawlStore,
  KnownPage,
  PageSink,
  Waiting,
} from './core/ports.ts';
import { MOST_FAILURES, SKIP_REASONS, type Skip, type SkipReason } from './core/reasons.ts';
import { type ReadPageDeps, readPage } from './read-page.ts';
import { type Fetched, PAGE_BYTES } from './request.ts';
import { findConfig, isSameButWww } from './scope.ts';

export type VisitDeps = ReadPageDeps & {
  store: Pick<CrawlStore, 'known'>;
  sink: Pick<PageSink, 'ownerOf'>;
  digest: Digest;
};

/** What a visit is part of. */
export type CrawlContext = {
  record: CrawlRecord;
  site: CrawledSite;
  robotsOf: RobotsOf;
  /** Whose a text is: the URL that claimed it first. */
  claimText(textHash: string, url: string): string;
  /** One request at its turn. */
  ask(
    url: string,
    config: CrawlConfig,
    mostBytes: number,
    headers?: Record<string, string>,
  ): Promise<Fetched>;
};

/** What a visit found out; nothing is written yet but whose text it is. */
export type Visit = {
  add: Waiting[];
  retry: Waiting | null;
  skipped: (Skip & { isNew?: boolean })[];
  known: KnownPage | null;
  page: CrawledPage | null;
  /** Whose text it was found to be. */
  claim: { textHash: string; url: string } | null;
  isUnchanged: boolean;
  isFetched: boolean;
  /** Where the crawl goes on instead of where it began. */
  movedConfig: { from: string; to: string } | null;
};

export const NOTHING: Visit = {
  add: [],
  retry: null,
  skipped: [],
  known: null,
  page: null,
  claim: null,
  isUnchanged: false,
  isFetched: false,
  movedConfig: null,
};

// RFC 9110 §15.4 leaves the number open; the design says ten.
const MOST_REDIRECTS = 10;
const MOST_TRIES = 3;

/** Visits one address: decides whether to ask, asks, and tells what follows. */
export async function visitPage(deps: VisitDeps, context: CrawlContext, item: Waiting): Promise<Visit> {
  const { record, robotsOf } = context;
  const { url } = item;
  const known = deps.store.known(record.siteId, url);
  const leave = (reason: SkipReason, detail: string, more: Partial<Visit> = {}): Visit => ({
    ...NOTHING,
    ...more,
    skipped: [{ url, reason, detail }, ...(more.skipped ?? [])],
    known: known && afterSkip(known, reason, record.crawlId),
  });

  const refused = await refuseAddress(record.configs, robotsOf, url, item.depth);
  if (refused) return leave(refused.reason, refused.detail);
  const config = findConfig(record.configs, url) as CrawlConfig;
  const { robots } = await robotsOf(new URL(url).origin);
  const owner = await deps.sink.ownerOf(record.siteId, url);
  const settings = hashOf(deps.digest, JSON.stringify([config.pageBodyCssSelector, robots.categories]));
  const isKept =
    known?.settings === settings && known.pageHash !== null && owner === 'crawler' && !known.isGone;
  const answer = await context.ask(url, config, PAGE_BYTES, isKept ? conditionsOf(known) : {});
  const fetched = { isFetched: true };

  if (answer.kind === 'unchanged' && isKept && known.textHash !== null) {
    const first = context.claimText(known.textHash, url);
    if (first !== url) return leave('duplicate', first, fetched);
    const claim = { textHash: known.textHash, url };
    return { ...NOTHING, ...fetched, claim, isUnchanged: true, known: stillThere(known, record.crawlId) };
  }
  if (answer.kind === 'busy') {
    if (item.tries + 1 < MOST_TRIES) {
      return { ...NOTHING, ...fetched, retry: { ...item, tries: item.tries + 1 } };
    }
    return leave('server-error', `the server answered ${answer.status}, ${MOST_TRIES} times`, fetched);
  }
  if (answer.kind === 'redirect')
    return { ...(await follow(context, item, answer.location, leave)), ...fetched };
  if (answer.kind === 'refused') return leave(answer.reason, answer.detail, fetched);
  if (answer.kind === 'unchanged') return leave('server-error', 'a 304 that nobody asked for', fetched);

  const read = await readPage(deps, url, answer.headers, answer.bytes, config.pageBodyCssSelector, robots);
  const found = await admitAddresses(
    record.configs,
    robotsOf,
    config.sitemapsOnly ? [] : read.links(),
    item.depth + 1,
    false,
  );
  if (!('page' in read.outcome)) {
    const { reason, detail } = read.outcome;
    if (reason !== 'canonical') return leave(reason, detail, { ...fetched, ...found });
    const other = await admitAddresses(record.configs, robotsOf, [detail], item.depth + 1, false);
    return leave(reason, detail, {
      ...fetched,
      add: [...other.add, ...found.add],
      skipped: [...other.skipped, ...found.skipped],
    });
  }
  const { page } = read.outcome;
  if (owner === 'other') return leave('pushed', 'it stays as its owner wrote it', { ...fetched, ...found });
  const textHash = hashOf(deps.digest, JSON.stringify([page.title, page.body]));
  const first = context.claimText(textHash, url);
  if (first !== url) return leave('duplicate', first, { ...fetched, ...found });
  const pageHash = hashOf(deps.digest, JSON.stringify(page));
  const isUnchanged = owner === 'crawler' && known?.pageHash === pageHash;
  return {
    ...NOTHING,
    ...fetched,
    ...found,
    page: isUnchanged ? null : page,
    claim: { textHash, url },
    isUnchanged,
    known: {
      url,
      depth: item.depth,
      etag: cut(answer.headers.get('etag')),
      lastModified: cut(answer.headers.get('last-modified')),
      textHash,
      pageHash,
      settings,
      failures: 0,
      crawlId: record.crawlId,
      isGone: false,
    },
  };
}

type Leave = (reason: SkipReason, detail: string, more?: Partial<Visit>) => Visit;

/** A redirect is another address, which waits for its turn and is checked as any other. */
async function follow(
  { record, site, robotsOf }: CrawlContext,
  item: Waiting,
  location: string | null,
  leave: Leave,
): Promise<Visit> {
  const { url, via, depth } = item;
  const target = location === null ? null : readLink(location, url);
  if (target === null) return leave('redirects', 'it redirects to what is no http(s) address');
  if (target === url || via.includes(target)) return leave('redirects', `in a circle, over ${target}`);
  if (via.length >= MOST_REDIRECTS) return leave('redirects', `more than ${MOST_REDIRECTS} times`);
  const next: Waiting = { kind: 'page', url: target, depth, via: [...via, url], tries: 0 };
  const isStart = record.configs.some((config) => config.url === (via[0] ?? url));
  const isOpen = site.host === null || new URL(target).hostname === site.host || !site.isPilot;
  if (isStart && isOpen && !findConfig(record.configs, target) && isSameButWww(target, url)) {
    const from = via[0] ?? url;
    return leave('moved', target, { add: [next], movedConfig: { from, to: target } });
  }
  const refused = await refuseAddress(record.configs, robotsOf, target, depth);
  if (refused) return leave(refused.reason, `it redirects to ${target}: ${refused.detail}`);
  return leave('moved', target, { add: [next] });
}

function afterSkip(known: KnownPage, reason: SkipReason, crawlId: string): KnownPage {
  const { effect } = SKIP_REASONS[reason];
  const failures = effect === 'fails' ? known.failures + 1 : known.failures;
  return { ...known, crawlId, failures, isGone: effect === 'goes' || failures > MOST_FAILURES };
}

const stillThere = (known: KnownPage, crawlId: string): KnownPage => ({
  ...known,
  crawlId,
  failures: 0,
  isGone: false,
});

const conditionsOf = ({ etag, lastModified }: KnownPage): Record<string, string> => ({
  ...(etag !== null && { 'if-none-match': etag }),
  ...(lastModified !== null && { 'if-modified-since': lastModified }),
});

// What is sent back, and no longer than headers are.
const cut = (text: string | null) => (text !== null && text.length <= 512 ? text : null);

function hashOf(digest: Digest, text: string): string {
  const { buffer, byteOffset } = digest.sha256(Buffer.from(text));
  return Buffer.from(buffer, byteOffset, 20).toString('hex');
}
