/** The settings of a site, as `wire/sites.ts` reads them. */
export type SiteProfile = {
  configs: {
    /** As `readPageUrl` writes it. */
    url: string;
    pageBodyCssSelector: string | null;
    sitemapsOnly: boolean;
    allowUrlWithQuery: boolean;
    pagesPerSecond: number | null;
  }[];
  recrawlHours: number | null;
  synonyms: string[][];
  retentionDays: number;
};

/** What is kept of a site: never its secret. */
export type SiteRecord = {
  /** A random UUID (RFC 9562 §5.4), lower case. */
  siteId: string;
  /** SHA-256 of the secret's text, hexadecimal. The secret has 256 random bits, so a slow hash would add nothing. */
  secretHash: string;
  /** Whose it is; null for a pilot. */
  tenant: string | null;
  /** The one host of a pilot, from its first page on. */
  host: string | null;
  createdAtSecs: number;
  /** The last query or write, to the hour. */
  usedAtSecs: number;
  profile: SiteProfile;
  /** From here on the site is gone for everyone, though not all of it may have been removed yet. */
  goneAtSecs: number | null;
};

/**
 * Where sites are kept. Every implementation passes `test/contract/sites.ts`.
 * @throws (what writes) Fault `store-unavailable`
 */
export type SiteStore = {
  get(siteId: string): SiteRecord | null;
  /** Sites in the order of their ids, those after `after`, at most `limit`; only those of `tenant` unless it is null. */
  list(tenant: string | null, after: string, limit: number): SiteRecord[];
  add(record: SiteRecord): Promise<void>;
  /** Changes a record in one atomic step; gives what is kept then, null where there is none of this id. */
  update(siteId: string, change: (record: SiteRecord) => SiteRecord): Promise<SiteRecord | null>;
  remove(siteId: string): Promise<void>;
};

const SITE_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The id as it is kept (RFC 9562 §4: case does not count), or null where the text is no site's id. */
export function readSiteId(text: string): string | null {
  const id = text.toLowerCase();
  return SITE_ID.test(id) ? id : null;
}

/** A UUID of version 4 (RFC 9562 §5.4) from 16 random bytes. */
export function writeSiteId(random: Uint8Array): string {
  const bytes = Uint8Array.from(random);
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export const SITE_ID_BYTES = 16;
export const SITE_SECRET_BYTES = 32;
