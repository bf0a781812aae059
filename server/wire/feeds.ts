import * as z from 'zod';
import { PageUrl } from './page.ts';

const feedUrl = PageUrl.meta({ description: 'where the feed is: absolute, http(s), a public address' });
const fullPages = z
  .enum(['true', 'false'])
  .optional()
  .meta({ description: '`true` reads the pages behind the first 50 entries as well' });
const siteSecret = z
  .string()
  .optional()
  .meta({ description: 'the secret that came with the site; else 403' });

export const MakeFromFeedQuery = z.object({ feedUrl, fullPages });
export const AddFeedQuery = z.object({ siteSecret, feedUrl, fullPages });
export const ListFeedsQuery = z.object({ siteSecret });
export const RemoveFeedQuery = z.object({ siteSecret, feedUrl });

const documents = z.array(z.string()).meta({ description: 'ids of the pages that stand for entries' });
const failed = z
  .array(z.string())
  .meta({ description: 'entries that made no page: by their link, else by their id or title' });

/** The answer of `PUT /sites/{siteId}/rss`. */
export const FeedAdded = z.object({ siteId: z.string(), documents, failed }).meta({ id: 'FeedAdded' });

/** The answer of `POST /sites/rss`: the only time that the secret is told. */
export const SiteFromFeed = z
  .object({ siteId: z.string(), siteSecret: z.string(), documents, failed })
  .meta({ id: 'SiteFromFeed' });

/** The feeds of a site. */
export const FeedList = z
  .object({
    feeds: z.array(
      z.object({
        feedUrl: z.string(),
        fullPages: z.boolean(),
        fetched: z.string().meta({ description: 'the last attempt; ISO 8601, UTC' }),
        failures: z.int().meta({ description: 'failed attempts in a row' }),
      }),
    ),
  })
  .meta({ id: 'FeedList' });
