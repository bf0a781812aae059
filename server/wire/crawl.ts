import * as z from 'zod';
import { CRAWL_STATES } from '../base/crawl-states.ts';
import { PageUrl } from './page.ts';
import { CrawlConfig, CrawlConfigBody, SiteParams } from './sites.ts';

/** Bytes of the body of `POST …/crawl`; our choice, as of a profile. */
export const CRAWL_BODY_BYTES = 65_536;
export const MOST_SKIPPED_SHOWN = 1_000;

const secret = z.string().optional().meta({ description: 'the secret that came with the site; else 403' });
export const StartCrawlQuery = z.object({
  siteSecret: secret,
  url: PageUrl.optional().meta({ description: 'where to begin, with the default settings' }),
});

/** Where to begin and how to read; without a body the profile says. */
export const StartCrawlInput = z
  .union([z.object({ configs: z.array(CrawlConfig).min(1).max(100) }), CrawlConfig])
  .optional()
  .meta({ id: 'StartCrawl' });
export type StartCrawlInput = z.output<typeof StartCrawlInput>;

export const StartedCrawl = z.object({ crawlId: z.string() }).meta({ id: 'StartedCrawl' });

export const CrawlParams = SiteParams.extend({ crawlId: z.string() });

const skipsAfter = z
  .string()
  .regex(/^\d{1,9}$/, 'expected a whole number')
  .transform(Number)
  .optional()
  .meta({ description: '`next` of the answer before' });
export const CrawlQuery = z.object({
  siteSecret: secret,
  after: skipsAfter,
  limit: z
    .string()
    .regex(/^([1-9][0-9]{0,2}|1000)$/, 'expected a whole number 1..1000')
    .transform(Number)
    .optional()
    .meta({ description: 'items of `skipped`, 1 to 1000; 100 by default' }),
});

const time = z.string().nullable().meta({ description: 'ISO 8601, UTC' });
const count = z.int();

/** A crawl without what it left out. */
export const CrawlSummary = z
  .object({
    crawlId: z.string(),
    state: z.enum(CRAWL_STATES),
    configs: z.array(CrawlConfigBody),
    isScheduled: z.boolean().meta({ description: 'begun by `recrawlHours`' }),
    pagesPerSecond: z.number().meta({ description: 'the speed that counts now' }),
    fetched: count.meta({ description: 'pages asked for' }),
    indexed: count.meta({ description: 'pages that are new or changed' }),
    unchanged: count,
    removed: count.meta({ description: 'pages that are gone, told at the end' }),
    queued: count.meta({ description: 'addresses that wait' }),
    skippedTotal: count,
    skippedCount: z.record(z.string(), count).meta({ description: 'by reason' }),
    keptOldIndex: z
      .boolean()
      .meta({ description: 'it found less than half of the pages of before; none of them was touched' }),
    notices: z.array(z.string()),
    problem: z.string().nullable().meta({ description: 'why a failed crawl found nothing' }),
    queuedAt: time,
    startedAt: time,
    endedAt: time,
  })
  .meta({ id: 'CrawlSummary' });
export type CrawlSummary = z.infer<typeof CrawlSummary>;

/** A crawl as it stands. */
export const CrawlBody = CrawlSummary.extend({
  skipped: z.array(z.object({ url: z.string(), reason: z.string(), detail: z.string() })),
  next: count
    .nullable()
    .meta({ description: 'what `after` takes for more of `skipped`; null: no more so far' }),
}).meta({ id: 'Crawl' });

export const CrawlList = z.object({ crawls: z.array(CrawlSummary) }).meta({ id: 'CrawlList' });
