import { type Outbound, OutboundError, type OutboundReason } from '../../base/outbound.ts';
import { fault, type ProblemCode } from '../../wire/problem.ts';
import type { FeedRecord } from '../core/feed-ports.ts';
import { decodeText } from './decode-text.ts';

/** DESIGN: what a feed may weigh, after decompression. */
export const FEED_BYTES = 10_000_000;
const TIME_LIMIT_MS = 30_000;
const ACCEPT =
  'application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, application/json;q=0.8, */*;q=0.5';

/** A feed as it came: its text, where it was after all redirects, and what its server says of its state. */
export type FetchedFeed = { text: string; url: string; etag: string | null; lastModified: string | null };

const CODES: Record<OutboundReason, ProblemCode> = {
  'refused-address': 'feed-refused',
  'refused-url': 'feed-refused',
  redirect: 'feed-unreachable',
  'time-limit': 'feed-timeout',
  'too-large': 'feed-too-large',
  unreachable: 'feed-unreachable',
};
const DETAILS: Record<OutboundReason, string> = {
  'refused-address': 'feedUrl: expected an address that is public',
  'refused-url': 'feedUrl: expected an http(s) URL without credentials, also behind a redirect',
  redirect: 'feedUrl: expected a feed, got more redirects than are followed',
  'time-limit': `feedUrl: expected the feed within ${TIME_LIMIT_MS / 1000} s`,
  'too-large': `feedUrl: expected at most ${FEED_BYTES} bytes`,
  unreachable: 'feedUrl: expected a server that answers over HTTP',
};

/**
 * Fetches a feed. With what is known of it from before, null says that it is still the same.
 * @throws Fault `feed-refused`, `feed-unreachable`, `feed-timeout`, `feed-too-large`
 */
export async function fetchFeed(
  outbound: Outbound,
  userAgent: string,
  url: string,
  known: Pick<FeedRecord, 'etag' | 'lastModified'> | null = null,
): Promise<FetchedFeed | null> {
  try {
    const answer = await outbound(url, {
      redirect: 'follow',
      timeLimitMs: TIME_LIMIT_MS,
      mostBytes: FEED_BYTES,
      headers: {
        accept: ACCEPT,
        'user-agent': userAgent,
        ...(known?.etag && { 'if-none-match': known.etag }),
        ...(known?.lastModified && { 'if-modified-since': known.lastModified }),
      },
    });
    if (known && answer.status === 304) {
      await answer.body?.cancel();
      return null;
    }
    if (!answer.ok) {
      await answer.body?.cancel();
      throw fault('feed-unreachable', `feedUrl: expected an answer of 200, got ${answer.status}`);
    }
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return {
      text: decodeText(bytes, answer.headers.get('content-type')),
      url: answer.url || url,
      etag: keep(answer.headers.get('etag')),
      lastModified: keep(answer.headers.get('last-modified')),
    };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw fault(CODES[error.reason], DETAILS[error.reason], { cause: error });
  }
}

// What is said again to the feed's server with each request; longer ones are no tags.
const keep = (header: string | null) => (header !== null && header.length <= 512 ? header : null);
