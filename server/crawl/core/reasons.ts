/** What becomes of a page that an earlier crawl found, where a recrawl leaves its address out. */
type Effect =
  /** It goes. */
  | 'goes'
  /** It stays for three recrawls, then it goes. */
  | 'fails'
  /** It stays. */
  | 'stays';

/** Why an address was left out: every reason, with what it does to a page of an earlier crawl. The docs print this table. */
export const SKIP_REASONS = {
  robots: { effect: 'goes', meaning: 'robots.txt disallows it for our token' },
  noindex: { effect: 'goes', meaning: 'the page says `noindex` or `none`, in a meta or in `X-Robots-Tag`' },
  canonical: { effect: 'goes', meaning: 'the page names another address as its canonical one' },
  duplicate: { effect: 'goes', meaning: 'another page of this crawl has the same title and text' },
  moved: { effect: 'goes', meaning: 'it redirects to another address of the site, which is read by itself' },
  auth: { effect: 'goes', meaning: 'it wants a login: 401, 403, 407' },
  'not-found': { effect: 'goes', meaning: 'it is not there: 404, 410, or another 4xx' },
  'content-type': { effect: 'goes', meaning: 'it is neither HTML nor PDF, or not what it says it is' },
  empty: { effect: 'goes', meaning: 'it has neither a title nor a text' },
  'off-site': { effect: 'goes', meaning: 'it is, or leads, outside of what the crawl covers' },
  'query-string': { effect: 'goes', meaning: 'its address has a query, and `allowUrlWithQuery` is not set' },
  'server-error': {
    effect: 'fails',
    meaning: 'the server answered 5xx or 429, for the page or its robots.txt',
  },
  timeout: { effect: 'fails', meaning: 'it took longer than 30 s' },
  'too-large': { effect: 'fails', meaning: 'it has more than 10 MB, or unpacks to more' },
  redirects: { effect: 'fails', meaning: 'it redirects in a circle, or more than 10 times' },
  unreachable: { effect: 'fails', meaning: 'there is no such host, no connection, or no HTTP' },
  'refused-address': {
    effect: 'fails',
    meaning: 'it leads to an address that this server does not connect to',
  },
  sitemap: { effect: 'stays', meaning: 'it is a sitemap that cannot be read' },
  pushed: { effect: 'stays', meaning: 'the page was pushed by its owner, which wins over what is crawled' },
  limit: { effect: 'stays', meaning: 'it is beyond the limits of pages, of depth or of the site' },
} as const satisfies Record<string, { effect: Effect; meaning: string }>;

export type SkipReason = keyof typeof SKIP_REASONS;

export type Skip = { url: string; reason: SkipReason; detail: string };

/** How many recrawls a page stays whose address fails. */
export const MOST_FAILURES = 3;

/** Whether a crawl tells of it again: what may be otherwise the next time, though nothing leads there any more. */
export const isWorthAnotherTry = (reason: SkipReason): boolean =>
  SKIP_REASONS[reason].effect === 'fails' || ['robots', 'query-string', 'limit'].includes(reason);

/** The table of docs/crawl.md. */
export function skipReasonTable(): string {
  const told = { goes: 'goes', fails: `goes after ${MOST_FAILURES} recrawls`, stays: 'stays' };
  const rows = Object.entries(SKIP_REASONS).map(
    ([reason, { meaning, effect }]) => `| \`${reason}\` | ${meaning} | ${told[effect]} |`,
  );
  return ['| reason | meaning | a page found earlier |', '|---|---|---|', ...rows].join('\n');
}
