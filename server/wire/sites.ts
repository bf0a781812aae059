import * as z from 'zod';
import { utf8Length } from '../base/utf8.ts';
import { PageUrl } from './page.ts';

/** Bytes of the body of `PUT …/profile`; our choice. */
export const PROFILE_BYTES = 65_536;
export const DEFAULT_RETENTION_DAYS = 90;
/** Bytes of UTF-8 of a CSS selector; our choice. */
const SELECTOR_BYTES = 512;

/** `siteId` in a path. What it names is looked up, so that anything else is an unknown site. */
export const SiteParams = z.object({ siteId: z.string() });
export const PageParams = z.object({ siteId: z.string(), pageId: z.string() });

const secret = z.string().optional().meta({ description: 'the secret that came with the site; else 403' });
export const SecretQuery = z.object({ siteSecret: secret });

const listLimit = z
  .string()
  .regex(/^([1-9][0-9]{0,2}|1000)$/, 'expected a whole number 1..1000')
  .transform(Number)
  .optional()
  .meta({ description: 'items, 1 to 1000; 100 by default' });

/** `url` names one page; without it the site's pages are listed. */
export const PagesQuery = z.object({
  siteSecret: secret,
  url: PageUrl.optional(),
  after: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'expected `next` of the listing before')
    .optional()
    .meta({ description: '`next` of the listing before' }),
  limit: listLimit,
});
export const PageByUrlQuery = z.object({ siteSecret: secret, url: PageUrl });
export const SitesQuery = z.object({
  after: z.guid('expected `next` of the listing before').optional(),
  limit: listLimit,
});

/** The answer of `POST /sites`: the only time that the secret is told. */
export const NewSite = z.object({ siteId: z.string(), siteSecret: z.string() }).meta({ id: 'NewSite' });

/** What is known of a site. */
export const SiteBody = z
  .object({
    siteId: z.string(),
    created: z.string().meta({ description: 'ISO 8601, UTC' }),
    isPilot: z.boolean(),
    host: z.string().nullable().meta({ description: 'the one host of a pilot; null before its first page' }),
    ends: z
      .string()
      .nullable()
      .meta({ description: 'when a pilot ends, ISO 8601; null for a site of a tenant' }),
    pages: z.int(),
    bytes: z.int().meta({ description: 'what it takes in the store, roughly' }),
  })
  .meta({ id: 'Site' });
export type SiteBody = z.infer<typeof SiteBody>;

/** The sites of a key's tenant, in the order of their ids. */
export const SiteList = z
  .object({ sites: z.array(SiteBody), next: z.string().nullable() })
  .meta({ id: 'SiteList' });

/** Where a crawl begins, and how the pages below are read. */
export const CrawlConfig = z.object({
  url: PageUrl,
  pageBodyCssSelector: z
    .string()
    .refine((text) => utf8Length(text) <= SELECTOR_BYTES, `expected at most ${SELECTOR_BYTES} bytes`)
    .transform((text) => (text.trim() === '' ? null : text))
    .nullable()
    .default(null)
    .meta({ description: 'limits what is taken of a page; no match: the whole body' }),
  sitemapsOnly: z.boolean().default(false),
  allowUrlWithQuery: z.boolean().default(false),
  pagesPerSecond: z.number().positive().max(1_000).nullable().default(null),
});

const Word = z
  .string()
  .transform((text) => text.toWellFormed().trim())
  .refine((text) => text !== '' && utf8Length(text) <= 64, 'expected 1 to 64 bytes of UTF-8');

/** The settings of a site. `PUT` replaces them whole; what is left out has its default. */
export const Profile = z
  .object({
    configs: z.array(CrawlConfig).max(100).default([]),
    recrawlHours: z.number().min(1).max(8_760).nullable().default(null),
    synonyms: z
      .array(z.array(Word).min(2).max(32))
      .max(1_000)
      .default([])
      .meta({ description: 'groups of words that stand for one another' }),
    retentionDays: z.int().min(1).max(3_650).default(DEFAULT_RETENTION_DAYS).meta({
      description: 'a site with no query and no write for so long is deleted',
    }),
  })
  .meta({ id: 'Profile' });

export const CrawlConfigBody = z.object({
  url: z.string(),
  pageBodyCssSelector: z.string().nullable(),
  sitemapsOnly: z.boolean(),
  allowUrlWithQuery: z.boolean(),
  pagesPerSecond: z.number().nullable(),
});

/** The settings as they stand. */
export const ProfileBody = z
  .object({
    configs: z.array(CrawlConfigBody),
    recrawlHours: z.number().nullable(),
    synonyms: z.array(z.array(z.string())),
    retentionDays: z.int(),
  })
  .meta({ id: 'ProfileBody' });

export type ProfileView = z.infer<typeof ProfileBody>;
export type ProfileChange = z.output<typeof Profile>;

const counts = z.array(z.object({ query: z.string(), count: z.int() }));

/** What visitors looked for in the last 30 days. */
export const StatsBody = z
  .object({
    pages: z.int(),
    bytes: z.int(),
    since: z.string().meta({ description: 'the first day that is counted, of UTC' }),
    queries: z.int(),
    queriesWithoutResult: z.int(),
    topQueries: counts,
    topQueriesWithoutResult: counts,
  })
  .meta({ id: 'SiteStats' });
