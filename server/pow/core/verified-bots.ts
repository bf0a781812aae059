import type { Address } from '../../base/address.ts';

/**
 * Crawlers whose operators say how to prove them by DNS: what their User-Agent holds (lower case), and the domains that
 * the names of their addresses lie in. The source is the operator's own page.
 *
 * Narrower than some pages: `google.com` and `googleusercontent.com` also name fetchers and rented machines that anyone
 * can send anywhere. Crawlers that publish address lists only (DuckDuckBot, GPTBot) go under `networks`.
 */
export const VERIFIED_BOTS = {
  amazonbot: {
    userAgent: 'amazonbot',
    domains: ['crawl.amazonbot.amazon'],
    source: 'https://developer.amazon.com/amazonbot',
  },
  applebot: {
    userAgent: 'applebot',
    domains: ['applebot.apple.com'],
    source: 'https://support.apple.com/en-us/119829',
  },
  bingbot: {
    userAgent: 'bingbot',
    domains: ['search.msn.com'],
    source: 'https://www.bing.com/webmasters/help/how-to-verify-bingbot-3905dc26',
  },
  googlebot: {
    userAgent: 'googlebot',
    domains: ['googlebot.com'],
    source: 'https://developers.google.com/search/docs/crawling-indexing/verifying-googlebot',
  },
  seznambot: {
    userAgent: 'seznambot',
    domains: ['seznam.cz'],
    source: 'https://napoveda.seznam.cz/en/seznambot-crawler/',
  },
  yandexbot: {
    userAgent: 'yandex',
    domains: ['yandex.ru', 'yandex.net', 'yandex.com'],
    source: 'https://yandex.com/support/webmaster/robot-workings/check-yandex-robots.html',
  },
} as const satisfies Record<string, { userAgent: string; domains: readonly string[]; source: string }>;

export type VerifiedBotName = keyof typeof VERIFIED_BOTS;

/** DNS. Both reject where there is no answer; an answer without records is an empty list or a rejection, as one likes. */
export type Resolver = {
  /** The PTR records of an address. */
  namesOf(address: Address): Promise<string[]>;
  /** The A records of a name where `family` is 4, the AAAA records where it is 6. */
  addressesOf(name: string, family: 4 | 6): Promise<Address[]>;
};

/** Whether the visit comes from one of the named crawlers, and not from somebody who says so. Never throws. */
export type IsVerifiedBot = (
  names: readonly VerifiedBotName[],
  visit: { address: Address; userAgent: string },
) => Promise<boolean>;

// An honest crawler's address has one name. Our choice; it bounds what one visit makes us ask.
export const MOST_NAMES = 4;

/** The crawlers of the list that the User-Agent claims to be. */
export function claimedBots(names: readonly VerifiedBotName[], userAgent: string): VerifiedBotName[] {
  const lower = userAgent.toLowerCase();
  return names.filter((name) => lower.includes(VERIFIED_BOTS[name].userAgent));
}

/**
 * Whether DNS proves that `address` belongs to the crawler: every PTR record lies in a domain of its operator, and every
 * one of those names leads back to the address.
 *
 * Who owns an address writes its PTR records, as many and as they like; only the owner of a domain writes the forward
 * records. One foreign name among them, or one that does not lead back, and nothing is proven (GHSA-5gwm-367w-7fgj).
 * @throws what the resolver rejects with
 */
export async function isProvenByDns(
  bot: VerifiedBotName,
  address: Address,
  resolver: Resolver,
): Promise<boolean> {
  const { domains } = VERIFIED_BOTS[bot];
  const names = (await resolver.namesOf(address)).map(plainName);
  if (names.length === 0 || names.length > MOST_NAMES) return false;
  if (!names.every((name) => domains.some((domain) => name.endsWith(`.${domain}`)))) return false;
  const family = address.bytes.length === 4 ? 4 : 6;
  const forward = await Promise.all(names.map((name) => resolver.addressesOf(name, family)));
  return forward.every((addresses) => addresses.some((found) => isSameAddress(found, address)));
}

// Names are compared without case (RFC 4343); some resolvers leave the root's dot at the end.
const plainName = (name: string) => name.toLowerCase().replace(/\.$/, '');

const isSameAddress = (a: Address, b: Address) =>
  a.bytes.length === b.bytes.length && a.bytes.every((byte, i) => byte === b.bytes[i]);

/** The table of the documentation: name, domains, source. */
export function verifiedBotTable(): string {
  const rows = Object.entries(VERIFIED_BOTS).map(
    ([name, { domains, source }]) =>
      `| \`${name}\` | ${domains.map((domain) => `\`*.${domain}\``).join(', ')} | <${source}> |`,
  );
  return ['| name | names of its addresses | as its operator says |', '|---|---|---|', ...rows].join('\n');
}
